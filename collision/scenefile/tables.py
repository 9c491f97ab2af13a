"""What all tables of a scene file have in common."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict


def _title(table: type[Any]) -> str:
    called: str = table.called
    return called.partition(" ")[2].capitalize()


class Table(BaseModel):
    """A table: unknown keys are errors, and nothing is converted that is of another type."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        arbitrary_types_allowed=True,
        model_title_generator=_title,
    )

    #: What the table is called in an error.
    called: ClassVar[str]

    def given(self) -> dict[str, Any]:
        """Return the values of the keys that are there, in the order of the schema."""
        return {name: getattr(self, name) for name in type(self).model_fields if name in self.model_fields_set}

    @classmethod
    def needs(cls) -> str:
        """Write which keys must be there."""
        return ", ".join(name for name, field in cls.model_fields.items() if field.is_required())
