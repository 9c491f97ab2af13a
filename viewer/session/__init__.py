"""What changes while a scene is looked at: the scene, the selection, the view, the drag in hand, and what is shown.

A session is driven by commands, from a window's events or from Python; nothing here knows of a window. A picture is a
function of it, and `revision` tells when there is a new one to make.

`Session` hands on what it is asked for to its parts, each in a file of its own. Each owns what it remembers, and is
handed those before it that it needs:

1. `updates`: the number of the picture, and what the last command has to say;
2. `document`: the scene at rest, with what is selected in it; the history; the scene as what is in hand makes it;
3. `selection`: what is selected, chosen by name; 4. `player`: the time, and the scene as it is seen then;
5. `view`: the camera; 6. `settings`: what is shown beside the shapes; 7. `pairs`: the walk through the table;
8. `picking`: what is selected by the mouse; 9. `tool`: the handles, and what is in hand; 10. `phrase`: numbers typed;
11. `clicks`; 12. `strip`: that of the time; 13. `exact_changes` and `contents`: edits by numbers and names;
14. `file`: saving; 15. `dialog`, `questions` and `menus`: what is asked.

Whoever is about to change the document calls `Document.interrupt`, and what is in hand is put back: that is the one
call upwards. The order in which the parts hear of the mouse and the keys is a list at the end of `Session.__init__`;
what the keys and the menus do is the table in `commands`.
"""

from viewer.session.dialog import Prompt
from viewer.session.session import Session
from viewer.session.settings import Toggles

__all__ = ["Prompt", "Session", "Toggles"]
