"""The JSON schema of scene files, for editors that complete and check TOML as it is written."""

from __future__ import annotations

from typing import Any

from collision.files.schema import SceneTable


def json_schema() -> dict[str, Any]:
    """Return the JSON schema of a scene file.

    Editors with Taplo or Even Better TOML use it in files that begin with ``#:schema`` and the schema's address.

    Examples
    --------
    >>> sorted(json_schema()["properties"])
    ['camera', 'caption', 'expect', 'groups', 'ignore', 'motion', 'open', 'shapes', 'show', 'title']
    """
    tables: dict[str, Any] = {}
    whole = SceneTable.whole_schema(tables)
    schema: dict[str, Any] = _simplified({"$defs": dict(sorted(tables.items())), **whole})
    return {"$schema": "http://json-schema.org/draft-07/schema#", **schema, "title": "Scene of collision-viewer"}


def _simplified(node: Any) -> Any:
    """Keep to what the oldest drafts know, which is what editors for TOML implement; TOML has no null."""
    if isinstance(node, list):
        return [_simplified(item) for item in node]
    if not isinstance(node, dict):
        return node
    node = {key: _simplified(value) for key, value in node.items() if not (key == "default" and value is None)}
    if isinstance(node.get("const"), str):
        node["enum"] = [node.pop("const")]
    if "anyOf" in node:
        forms = [form for form in node.pop("anyOf") if form != {"type": "null"}]
        node |= {"anyOf": forms} if len(forms) > 1 or "$ref" in forms[0] else forms[0]
    return node
