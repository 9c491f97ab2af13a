"""The processors and systems that code is made for, beside the one that runs this."""

from __future__ import annotations

import platform
import sys
from typing import NamedTuple

#: What is put before the names of loops in a library.
PREFIX = "collision_"


class Target(NamedTuple):
    """What code is made for.

    Attributes
    ----------
    baseline : str
        The name of what its processors have in common.
    triple, cpu, features : str
        What LLVM calls it.
    needs : tuple of str
        What NumPy calls what a processor must have.
    prefix : str
        What is put before the names of loops.
    small : bool
        Whether code is to be small before it is quick.
    part_of : str
        The baseline whose library has the code, beside its own, for loops that gain by it. For all others it has its
        own alone.
    """

    baseline: str
    triple: str
    cpu: str
    features: str
    needs: tuple[str, ...] = ()
    prefix: str = PREFIX
    small: bool = False
    part_of: str = ""


#: The systems, by `sys.platform` and the processor, as LLVM knows them. In this form, code for Windows needs no library
#: of Microsoft's compiler.
_TRIPLES = {
    ("linux", "x86_64"): "x86_64-unknown-linux-gnu",
    ("linux", "arm64"): "aarch64-unknown-linux-gnu",
    ("darwin", "x86_64"): "x86_64-apple-macosx10.15.0",
    ("darwin", "arm64"): "arm64-apple-macosx11.0.0",
    ("win32", "x86_64"): "x86_64-pc-windows-gnu",
}

#: What systems call their processors.
_PROCESSORS = {"x86_64": "x86_64", "amd64": "x86_64", "arm64": "arm64", "aarch64": "arm64"}

#: Vectors of four numbers; such as lie anywhere in memory are read whole. LLVM reads them in halves otherwise, as was
#: quicker on processors of before AVX2.
_FOUR = "+avx,+avx2,-slow-unaligned-mem-32"

#: What all processors with vectors of eight numbers have, but for the first of Xeon Phi.
_EIGHT = f"{_FOUR},+avx512f,+avx512cd,+avx512bw,+avx512dq,+avx512vl"

#: The baselines of a processor, the best first: the name, LLVM's processor and features, NumPy's names of those, and of
#: which baseline it is a part. The last of each is what all processors have, since 2009; NumPy itself needs it. Of
#: wider vectors only what all processors with them have. For most processors with vectors of eight numbers LLVM prefers
#: those of four, but not for this one.
_BASELINES: dict[str, tuple[tuple[str, str, str, tuple[str, ...], str], ...]] = {
    "x86_64": (
        ("avx512", "x86-64-v2", _EIGHT, ("AVX512_SKX",), "avx2"),
        ("avx2", "x86-64-v2", _FOUR, ("AVX2",), ""),
        ("x86-64-v2", "x86-64-v2", "", (), ""),
    ),
    "arm64": (("arm64", "generic", "+neon", (), ""),),
}

#: Web pages. Of what came after the first version of WebAssembly: to copy and to fill memory, which no page then has to
#: provide; and to compare four boxes of a tree at once, which takes less than half of the time. Small code is a quarter
#: smaller, and a sixth slower.
WASM = Target("wasm32", "wasm32-unknown-unknown", "generic", "+bulk-memory,+simd128", prefix="", small=True)

#: All systems that code can be made for.
SYSTEMS = tuple(_TRIPLES)


def targets(system: tuple[str, str] | None = None) -> tuple[Target, ...]:
    """Return what code is made for on a system, the best first; nothing for one that is not known.

    Parameters
    ----------
    system : pair of str, optional
        One of `SYSTEMS`; by default this one.

    Examples
    --------
    >>> [target.baseline for target in targets(("linux", "x86_64"))]
    ['avx512', 'avx2', 'x86-64-v2']
    """
    system = system or (sys.platform, _PROCESSORS.get(platform.machine().lower(), ""))
    triple = _TRIPLES.get(system)
    if triple is None:
        return ()
    return tuple(
        Target(name, triple, cpu, features, needs, own_prefix(name) if part_of else PREFIX, part_of=part_of)
        for name, cpu, features, needs, part_of in _BASELINES[system[1]]
    )


def own_prefix(baseline: str) -> str:
    """Return what is put before the names of loops of a baseline in the library that it is a part of."""
    return f"{PREFIX}{baseline}_"
