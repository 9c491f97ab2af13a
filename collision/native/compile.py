"""All names of this package that loops and kernels are written with."""

from collision.native.kernels import Kernel, kernel
from collision.native.loop import Loop, on_compile
from collision.native.memory import (
    ADDRESSES,
    BYTES,
    FLOAT,
    FLOATS,
    INT,
    INTEGERS,
    INTS,
    SINGLES,
    TABLE,
    Bytes,
    Floats,
    Ints,
    Memory,
    Singles,
    Table,
    address,
    table,
)
from collision.native.threads import PART, in_parts

__all__ = [
    "ADDRESSES",
    "BYTES",
    "FLOAT",
    "FLOATS",
    "INT",
    "INTEGERS",
    "INTS",
    "PART",
    "SINGLES",
    "TABLE",
    "Bytes",
    "Floats",
    "Ints",
    "Kernel",
    "Loop",
    "Memory",
    "Singles",
    "Table",
    "address",
    "in_parts",
    "kernel",
    "on_compile",
    "table",
]
