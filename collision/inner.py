"""What a viewer needs beyond the public names: the one door to what is inside.

Programs that show or edit scenes work on the same arrays, elements and loops as this package. What they may use of them
is here and nowhere else; it changes with a word in the changelog. For everything else, import from `collision`,
`collision.scenefile` and `collision.importers`.

Arrays and checks
    ``FloatArray``, ``IntArray``, ``BoolArray``, ``ArrayLike``; ``read_vector``, ``read_number``, ``read_margin`` check
    what a user gave and name it in the error; ``turned`` turns vectors by frames, ``quaternions_of`` and
    ``angles_of`` write frames otherwise.
Elements of scenes
    ``Elements`` and ``Group``: the single shapes of a scene by number, name and kind; ``joined`` makes one flat batch
    of shapes of a kind, ``with_elements`` replaces some in a batch; ``matcher`` makes a pattern of names.
Loops over memory
    ``Loop``, ``kernel``, ``address``, ``on_compile``, and the types of their arguments; vectors as kernels see them
    (``Vec3`` and its functions, ``EPS``); the readers of the cores of shapes. See ``native/README.md`` first.
The library and the cache
    ``built_library`` is what was compiled when this was built, if anything was, and ``verified_library`` the same after
    a look at all its bytes; ``INSTALLED``, where that lies; ``writable_folder`` says where in the cache a part can be
    kept, and ``loops_of`` finds what can be compiled beforehand; ``CacheWarning`` says that the usual place cannot be
    written, and ``CACHE_VARIABLE`` names another.
Explanations
    ``Step``, ``Value``, ``Formula``, ``Mark``, ``Plot`` and what these are made of; ``EXPLAINED``, which queries have
    an explanation; ``explain_in`` explains those of ``ASKED`` of a scene, ``names_of`` says how many names they take;
    ``fitting``, which of them fit two shapes; ``all_cases`` are examples of every branch; ``tex_number`` writes a
    number as formulas do.
Files and decimals
    ``write_bytes`` and ``write_text`` write a file as a whole or not at all, and ``shown_path`` names one in a message;
    ``decimal_sum`` adds as people write. ``parse_toml`` reads the text of a file, and ``key_lines`` and ``line_of`` say
    on which lines its keys stand, for errors as those of scene files; ``shortened`` writes a value there, and
    ``suggestion`` names what was meant.
"""

import importlib
from typing import TYPE_CHECKING, Any

from collision.base.decimals import decimal_sum
from collision.base.fields import (
    ArrayLike,
    BoolArray,
    FloatArray,
    IntArray,
    read_margin,
    read_number,
    read_vector,
    turned,
)
from collision.base.files import shown_path, write_bytes, write_text
from collision.kernels.cores import read_aligned, read_box, read_linear, read_point
from collision.kernels.vec3 import EPS, Vec3, add, along, cross, dot, load, norm, scale, store, sub
from collision.native import (
    BYTES,
    CACHE_VARIABLE,
    FLOAT,
    FLOATS,
    INSTALLED,
    INT,
    INTS,
    SINGLES,
    TABLE,
    Bytes,
    CacheWarning,
    Floats,
    Ints,
    Loop,
    Singles,
    Table,
    address,
    built_library,
    kernel,
    loops_of,
    on_compile,
    verified_library,
    writable_folder,
)
from collision.scene.elements import Elements, Group, joined, with_elements
from collision.scene.names import matcher
from collision.shapes.quaternions import quaternions_of
from collision.shapes.rotations import angles_of

if TYPE_CHECKING:
    from collision.explaining.asking import ASKED, explain_in, fitting, names_of
    from collision.explaining.cases import Case, all_cases
    from collision.explaining.explain import EXPLAINED
    from collision.explaining.formulas import tex_number
    from collision.explaining.records import (
        Formula,
        Mark,
        Plot,
        PlotArea,
        PlotLine,
        PlotPoint,
        Quantity,
        Space,
        Step,
        Value,
    )
    from collision.explaining.records import Role as MarkRole
    from collision.files.errors import suggestion
    from collision.files.reading import parse_toml
    from collision.files.toml import key_lines, line_of, shortened

__all__ = [
    "ASKED",
    "BYTES",
    "CACHE_VARIABLE",
    "EPS",
    "EXPLAINED",
    "FLOAT",
    "FLOATS",
    "INSTALLED",
    "INT",
    "INTS",
    "SINGLES",
    "TABLE",
    "ArrayLike",
    "BoolArray",
    "Bytes",
    "CacheWarning",
    "Case",
    "Elements",
    "FloatArray",
    "Floats",
    "Formula",
    "Group",
    "IntArray",
    "Ints",
    "Loop",
    "Mark",
    "MarkRole",
    "Plot",
    "PlotArea",
    "PlotLine",
    "PlotPoint",
    "Quantity",
    "Singles",
    "Space",
    "Step",
    "Table",
    "Value",
    "Vec3",
    "add",
    "address",
    "all_cases",
    "along",
    "angles_of",
    "built_library",
    "cross",
    "decimal_sum",
    "dot",
    "explain_in",
    "fitting",
    "joined",
    "kernel",
    "key_lines",
    "line_of",
    "load",
    "loops_of",
    "matcher",
    "names_of",
    "norm",
    "on_compile",
    "parse_toml",
    "quaternions_of",
    "read_aligned",
    "read_box",
    "read_linear",
    "read_margin",
    "read_number",
    "read_point",
    "read_vector",
    "scale",
    "shortened",
    "shown_path",
    "store",
    "sub",
    "suggestion",
    "tex_number",
    "turned",
    "verified_library",
    "with_elements",
    "writable_folder",
    "write_bytes",
    "write_text",
]

#: What is imported when it is first asked for, by what it is called: explanations have many records, which take longer
#: to make than most that is asked of scenes, and not every scene is one of a file.
_LATER = (
    {
        "EXPLAINED": ("collision.explaining.explain", "EXPLAINED"),
        "tex_number": ("collision.explaining.formulas", "tex_number"),
        "MarkRole": ("collision.explaining.records", "Role"),
        "Case": ("collision.explaining.cases", "Case"),
        "all_cases": ("collision.explaining.cases", "all_cases"),
        "suggestion": ("collision.files.errors", "suggestion"),
        "parse_toml": ("collision.files.reading", "parse_toml"),
    }
    | {name: ("collision.explaining.asking", name) for name in ("ASKED", "explain_in", "fitting", "names_of")}
    | {name: ("collision.files.toml", name) for name in ("key_lines", "line_of", "shortened")}
    | {
        name: ("collision.explaining.records", name)
        for name in (
            "Formula",
            "Mark",
            "Plot",
            "PlotArea",
            "PlotLine",
            "PlotPoint",
            "Quantity",
            "Space",
            "Step",
            "Value",
        )
    }
)

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Return what is not imported before."""
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, attribute = _LATER[name]
        return getattr(importlib.import_module(module), attribute)
