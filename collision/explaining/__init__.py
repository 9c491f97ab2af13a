"""How a query reaches its answer, step by step, in the numbers of the kernels themselves.

`trace` runs kernels as plain Python and records what they compute; `pairs` hands them the shapes; a file for each core
makes steps of the records (`records.Step`); `explain` puts them together for each query.
"""
