"""What code is made for, where that is said when object code is made of it: blocks of pairs, but not for web pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from collision.native.instructions import Instruction

#: The name of the constant that says it, in LLVM's language.
BLOCKS_WANTED = "collision_blocks_wanted"


def _typed(types: Any) -> Any:
    return types.boolean()


def _emitted(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
    from llvmlite import ir

    wanted = builder.module.globals.get(BLOCKS_WANTED)
    if wanted is None:
        wanted = ir.GlobalVariable(builder.module, ir.IntType(1), BLOCKS_WANTED)
        wanted.initializer, wanted.global_constant = ir.Constant(ir.IntType(1), 1), True
        wanted.linkage = "weak"  # one that is not says otherwise
    return builder.load(wanted)


def _blocks_wanted() -> bool:
    """Tell whether code for blocks of pairs is to be made: pages have no memory for blocks, and are to be small."""
    return True


blocks_wanted = Instruction(_blocks_wanted, _typed, _emitted)
