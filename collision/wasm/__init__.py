"""The loops as WebAssembly: a module that runs in a web page or in Node, and tables of how to call it.

`README.md` beside this file says what a page needs to know; `collision.mjs` loads the module and calls it.
"""

from collision.native.library import NoCodeError
from collision.wasm.building import MODULE, MODULES, TABLES, build, loops, module, page_module
from collision.wasm.tables import tables

__all__ = ["MODULE", "MODULES", "TABLES", "NoCodeError", "build", "loops", "module", "page_module", "tables"]
