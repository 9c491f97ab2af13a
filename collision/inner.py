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
    ``only_touching`` tells in which intervals of a motion pairs touch and no more, ``movers_of`` which elements move.
Loops over memory
    ``Loop``, ``kernel``, ``address``, ``on_compile``, and the types of their arguments; vectors as kernels see them
    (``Vec3`` and its functions, ``EPS``); the readers of the cores of shapes, and ``core_rows``, the cores themselves;
    ``hulls_of_rows`` makes hulls of theirs. See ``native/README.md`` first.
The library and the cache
    ``built_library`` (or ``verified_library``, which is the same) is what was compiled when this was built, if anything
    was; ``INSTALLED``, where that lies; ``pair_call`` says how one pair is asked; ``writable_folder`` says where in the
    cache a part can be kept, and ``loops_of`` finds what can be compiled beforehand; ``CacheWarning`` says that the
    usual place cannot be written, and ``CACHE_VARIABLE`` names another.
Explanations
    ``Step``, ``Value``, ``Formula``, ``Mark``, ``Plot`` and what these are made of; ``EXPLAINED``, which queries have
    an explanation; ``explain_in`` explains those of ``ASKED`` of a scene, ``names_of`` says how many names they take;
    ``fitting``, which of them fit two shapes; ``all_cases`` are examples of every branch; ``tex_number`` writes a
    number as formulas do, ``plain`` a formula as text, ``step_as_html`` a step for a page and
    ``number_as_html`` a number there; ``listed`` says which values stand below formulas; a ``Tape`` has explanations
    whose numbers can be others.
Files and decimals
    ``write_bytes`` and ``write_text`` write a file as a whole or not at all, and ``shown_path`` names one in a message;
    ``not_read`` says why a file is none to be read; ``decimal_sum`` adds as people write. ``read_table`` reads a TOML
    file that a ``FileTable`` describes, with errors as those of scene files; its keys are ``required`` or ``optional``,
    ``expecting`` says what the value of one has to be (a ``NamePair``, say), and ``problem`` is an error to raise.
    ``KIND_NAMES`` has what kinds of shape are called in files, and so wherever users read of them.
"""

from collision.base.lazy import lazy_names

__all__, __getattr__, __dir__ = lazy_names(__name__, __file__)
