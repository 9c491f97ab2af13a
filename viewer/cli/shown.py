"""What ``collision-viewer test`` shows of broken promises: their pictures, and the page with all of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from viewer.cli.errors import MistakeError
from viewer.cli.options import check_output, writing

if TYPE_CHECKING:
    from viewer.verdicts.results import Run


class Shown(NamedTuple):
    """Where pictures go.

    Attributes
    ----------
    html : Path or None
        The page: a file, or a folder.
    pictures : Path or None
        The folder of the pictures alone.
    """

    html: Path | None = None
    pictures: Path | None = None

    def check(self) -> None:
        """Refuse what cannot be written, before anything is tested."""
        if self.html is not None:
            from viewer.verdicts.writing import PAGES, check_report

            if self.html.suffix.lower() in PAGES:
                check_output(self.html, self.html.suffix.lower())
            else:
                with writing(self.html):
                    check_report(self.html)
        if self.pictures is not None and self.pictures.exists() and not self.pictures.is_dir():
            raise MistakeError(f"{self.pictures}: pictures are written into a folder, and this is a file")
        if self.pictures is not None and self.html is not None:
            page, folder = os.path.realpath(self.html), os.path.realpath(self.pictures)
            if folder == page or folder.startswith(os.path.join(page, "")):
                raise MistakeError(f"--pictures {self.pictures}: that is in the folder of the report, with its own")

    @property
    def wanted(self) -> bool:
        """Whether anything is to be drawn."""
        return self.html is not None or self.pictures is not None

    @property
    def _folder(self) -> Path | None:
        """Where pictures are files of their own; None where they are in the page, or there are none."""
        from viewer.verdicts.writing import PAGES, PICTURES

        if self.pictures is not None or self.html is None or self.html.suffix.lower() in PAGES:
            return self.pictures
        return self.html / PICTURES

    def named(self, run: Run) -> Run:
        """Return a run with the paths of the pictures that will be made."""
        from viewer.verdicts.writing import named

        return run if self._folder is None else named(run, self._folder)

    def write(self, run: Run, scenes: Sequence[str]) -> list[Exception]:
        """Write the pictures and the page of a run.

        Parameters
        ----------
        run : Run
            What was found.
        scenes : sequence of str
            The scenes that break a promise, as the texts of scene files, in the order of the run; the others are empty.

        Returns
        -------
        list of Exception
            Why pictures are missing, of each reason one; the page is there all the same.
        """
        if not self.wanted:
            return []
        from viewer.verdicts.evidence import evidence_of
        from viewer.verdicts.writing import write_pictures, write_report

        evidence, failed = evidence_of(run, scenes)
        if self.pictures is not None:
            with writing(self.pictures):
                write_pictures(run, evidence, self.pictures)
        if self.html is not None:
            with writing(self.html):
                write_report(run, evidence, self.html)
        return failed
