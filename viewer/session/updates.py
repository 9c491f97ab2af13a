"""The number of the picture that there is to make, and the line that the last command has to say."""

from __future__ import annotations


class Updates:
    """Counts changes, so that everybody sees when there is a new picture to make."""

    def __init__(self) -> None:
        self._revision = 0
        self._notice = ""

    @property
    def revision(self) -> int:
        """A number that is another one whenever there is a new picture to make."""
        return self._revision

    @property
    def notice(self) -> str:
        """What the last command has to say, such as that a file is saved, or why not."""
        return self._notice

    def touch(self) -> None:
        """Take note that something has changed that can be seen."""
        self._revision += 1

    def say(self, text: str) -> None:
        """Show a line until the next key; none for an empty text."""
        if text != self._notice:
            self._notice = text
            self.touch()
