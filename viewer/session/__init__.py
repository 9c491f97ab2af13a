"""What changes while a scene is looked at: the scene, the selection, the view, the drag in hand, and what is shown.

A session is driven by commands, from a window's events or from Python; nothing here knows of a window. A picture is a
function of it, and `revision` tells when there is a new one to make.

`Session` hands on what it is asked for to its parts, each in a file of its own. Each owns what it remembers, and is
handed those before it that it needs:

1. `updates`: the number of the picture, and what the last command has to say;
2. `document`: the scene at rest, with what is selected in it; the history; the scene as what is in hand makes it;
3. `player`: the time, and the scene as it is seen then; 4. `view`: the camera; 5. `settings`: what is shown beside;
6. `selection`: choosing by name and by the mouse, walking through shapes and pairs;
7. `tool`: the handles, and what is in hand; 8. `phrase`: keys and numbers for it; 9. `clicks`;
10. `strip`: that of the time; 11. `exact_changes` and `contents`: edits by numbers and by names; 12. `file`: saving;
13. `dialog`, `questions`, `photos`, `start` (the first page), `menus` and `guide` (the first minute): what is asked.

Whoever is about to change the document calls `Document.interrupt`, and what is in hand is put back: that is the one
call upwards. The order in which the parts hear of the mouse and the keys is a list at the end of `Session.__init__`;
what the keys and the menus do is the table in `commands`.
"""

from viewer.session.dialog import Prompt
from viewer.session.session import Session
from viewer.session.settings import Toggles

__all__ = ["Prompt", "Session", "Toggles"]
