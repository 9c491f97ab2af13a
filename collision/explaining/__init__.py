"""How a query reaches its answer, step by step, in the numbers of the kernels themselves.

`trace` runs kernels as Python and records what they compute; a file for each core makes steps of that.
"""
