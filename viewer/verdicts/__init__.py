"""Verdicts for machines: many scenes are tested, and what is found is written as text, JSON, JUnit and for GitHub.

`collecting` finds the scenes, `judging` judges one, `running` all of them, on several processors. Of each verdict there
is one record, in `results`, which is the JSON as well. `comparing` compares them with an earlier run and with what is
accepted; `pictures` adds a picture to each that is broken: `before_after` says what it shows, `views` from where, and
`minimal` finds a small scene that breaks the promise, too. Each form of a report has a module: `text`, `junit`,
`github`, `html`; `writing` puts pages and pictures into files. `plugin` is that of pytest: `scenefiles` has the tests
of scene files, `fixtures` what tests of one's own use, `stash` the key of what a test leaves.
"""

#: Files that end so, in large or small letters, are scenes that promise something, in folders and for pytest.
SCENE_FILES = ".scene.toml"
