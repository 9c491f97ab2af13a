"""Machine code: how kernels and loops are written, compiled, kept, loaded, and run over raw memory.

The rest of `collision`, and the viewer, take what they need from here. `README.md` beside this file says what is safe.
"""

from collision.native.kernels import Kernel, kernel
from collision.native.loop import Loop, on_compile
from collision.native.memory import (
    ADDRESSES,
    BYTES,
    FLOAT,
    FLOATS,
    INT,
    INT_TABLE,
    INTEGERS,
    INTS,
    SINGLES,
    TABLE,
    TABLES,
    Bytes,
    Floats,
    Ints,
    IntTable,
    Memory,
    Singles,
    Table,
    Tables,
    address,
    table,
)
from collision.native.operands import NONE, PAIRS, Layout, Operands, Stretch, run_pairs, run_stretches, spread
from collision.native.threads import PART, in_parts

__all__ = [
    "ADDRESSES",
    "BYTES",
    "FLOAT",
    "FLOATS",
    "INT",
    "INTEGERS",
    "INTS",
    "INT_TABLE",
    "NONE",
    "PAIRS",
    "PART",
    "SINGLES",
    "TABLE",
    "TABLES",
    "Bytes",
    "Floats",
    "IntTable",
    "Ints",
    "Kernel",
    "Layout",
    "Loop",
    "Memory",
    "Operands",
    "Singles",
    "Stretch",
    "Table",
    "Tables",
    "address",
    "in_parts",
    "kernel",
    "on_compile",
    "run_pairs",
    "run_stretches",
    "spread",
    "table",
]
