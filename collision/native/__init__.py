"""Machine code: how kernels are compiled, kept, loaded, and run over raw memory."""
