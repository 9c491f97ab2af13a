"""What ``collision-viewer test`` shows of broken promises: their pictures, and the page with all of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from viewer.cli.errors import MistakeError
from viewer.cli.options import check_output, writing

if TYPE_CHECKING:
    from viewer.gl import GLUnavailable
    from viewer.verdicts.collecting import Source
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
            from viewer.broken.writing import PAGES, check_report

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

    def write(self, run: Run, sources: Sequence[Source]) -> tuple[Run, GLUnavailable | None]:
        """Write the pictures and the page of a run.

        Parameters
        ----------
        run : Run
            What was found.
        sources : sequence of Source
            Where its scenes are.

        Returns
        -------
        Run
            With the paths of the pictures.
        GLUnavailable or None
            Why nothing could be drawn; the page is there all the same.
        """
        if self.html is None and self.pictures is None:
            return run, None
        from viewer.broken.runs import parts_of, with_pictures
        from viewer.broken.writing import INDEX, PICTURES, picture_names, write_pictures, write_report
        from viewer.verdicts.text import gone_lines

        parts, failed = parts_of(run, sources)
        folder = self.pictures
        if self.pictures is not None:
            with writing(self.pictures):
                write_pictures(parts, self.pictures)
        if self.html is not None:
            with writing(self.html):
                page = write_report(parts, self.html, (*gone_lines(run), *run.notes))
            if folder is None and page.name == INDEX and page.parent == self.html:
                folder = self.html / PICTURES
        if folder is None:
            return run, failed
        return with_pictures(run, {number: folder / name for number, name in picture_names(parts).items()}), failed
