"""Cores, the kernels that separate each two of them, and the loops that run these over memory."""
