"""What changes while a scene is looked at: the scene, the selection, the view, the drag in hand, and what is shown.

A session is driven by commands, from a window's events or from Python; nothing here knows of a window. A picture is a
function of it, and `revision` tells when there is a new one to make. Reading changes nothing.

`Session` has a part for each subject, which is there to be used: ``session.view.orbit(40, 0)``. Each is in a file of
its own, owns what it remembers, and is handed those before it that it needs:

1. `document`: the scene at rest, with what is selected in it; the history; the scene as what is in hand makes it;
2. `player`: the time, and the scene as it is seen then; 3. `view`: the camera; 4. `settings`: what is shown beside;
5. `selection`: choosing by name and by the mouse, walking through shapes and pairs;
6. `joints`: those of a robot, and its poses; `manipulation`: changes by numbers; its `tool` are the handles and what is
in hand, `modal` the keys and numbers for it, `pointing` what is under the cursor, `inspector` the numbers that there
are;
7. `explaining`: a query, step by step; 8. `file`: saving; 9. `dialog`: what is asked;
10. `start`: the first page, and the `guide` through the first minute; `lesson`: what leads through a lesson.

What a part says is read as an attribute; only its own methods change it, and `Document.touch` counts the pictures.

Three calls go upwards. Whoever is about to change the document calls `Document.interrupt`, and what is in hand is put
back. `explaining` watches the document: each change that can be seen is followed at once. And what is chosen in a menu
of `dialog` goes to `Session.do`.

In which order the parts hear of the mouse and the keys, `Session.__init__` says. What the keys and the menus give is
the table in `commands`, and `METHODS` beside the session says which method each command calls, and when.
"""

from viewer.session.prompt import Prompt
from viewer.session.session import Session
from viewer.session.settings import Toggles

__all__ = ["Prompt", "Session", "Toggles"]
