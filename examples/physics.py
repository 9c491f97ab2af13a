"""A pile, and a second opinion.

MuJoCo lets these shapes fall, and at every step its contacts are compared with our colliding pairs. Try: play the fall
with Space, or run python examples/physics.py.

The latter draws MuJoCo's contacts, too; with a file name, as ``pile.gif``, it writes an animation.
The dots are MuJoCo's contact points; MuJoCo comes with ``pip install ".[robots]"`` in the checkout.

The two need not agree on every pair at every step. MuJoCo reports contacts nearer than its margin, here zero, and finds
some distances by iterations that stop at a tolerance: of what just touches, either may miss a pair. And it leaves out
pairs by filters of its own (here the rims and the floor, all of them fixed), which the scene ignores as well.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec

import numpy as np

from collision import Camera, Capsule, Motion, OrientedBox, Point, Scene, Shape, Sphere, Transform
from collision.importers import read_model, to_geom
from viewer.files.places import title_and_caption

TITLE, CAPTION = title_and_caption(__doc__)

#: How many shapes fall; half the side of the floor; and the seed of where they start.
COUNT, SIDE, SEED = 45, 1.6, 4

#: Steps of MuJoCo, of so many seconds, from frame to frame; and from keyframe to keyframe, of which there are so many.
STEPS, SECONDS = 4, 0.004
KEY_STEPS, KEYS = 8, 41

DOTS = "MuJoCo's contacts"


def shapes() -> dict[str, Shape]:
    """Return the floor and its rims, and what is about to fall on it."""
    found: dict[str, Shape] = {"floor": OrientedBox([0, 0, -0.1], np.eye(3), [SIDE, SIDE, 0.1])}
    for k, (x, y) in enumerate([(1, 0), (0, 1), (-1, 0), (0, -1)], start=1):
        half = [0.1 if x else SIDE + 0.2, 0.1 if y else SIDE, 0.25]
        found[f"rim {k}"] = OrientedBox([x * (SIDE + 0.1), y * (SIDE + 0.1), 0.05], np.eye(3), half)
    rng = np.random.default_rng(SEED)
    for k in range(COUNT):
        layer, row, column = k // 9, k // 3 % 3, k % 3
        center = np.array([0.85 * (row - 1), 0.85 * (column - 1), 0.6 + 0.62 * layer]) + rng.uniform(-0.12, 0.12, 3)
        axes = Transform(rotation=rng.normal(size=4)).axes  # all rotations are as likely
        kind = (row + column + layer) % 3
        if kind == 0:
            found[f"ball {k}"] = Sphere(center, rng.uniform(0.14, 0.26))
        elif kind == 1:
            arm = rng.uniform(0.12, 0.32) * axes[:, 2]
            found[f"rod {k}"] = Capsule(center - arm, center + arm, rng.uniform(0.08, 0.16))
        else:
            found[f"box {k}"] = OrientedBox(center, axes, rng.uniform(0.1, 0.24, 3))
    return found


def scene() -> Scene:
    """Return the pile before it falls, with the motion of the fall where MuJoCo is there to work it out."""
    start = _start()
    return start if find_spec("mujoco") is None else start.replaced(motion=Pile(start).fall())


def _start() -> Scene:
    return Scene(
        shapes(),
        ignored=[("rim*", "floor"), ("rim*", "rim*")],
        camera=Camera(position=(5.6, -9.8, 6.6), target=(0.0, 0.0, 1.1)),
        title=TITLE,
        caption=CAPTION,
    )


class Pile:
    """The scene as a model of MuJoCo, and how often both have said the same.

    Attributes
    ----------
    agreed, asked : int
        Of how many pairs that one of them found to touch, at any step, both did; and of how many in all.
    """

    def __init__(self, start: Scene) -> None:
        try:
            import mujoco
        except ImportError:
            raise SystemExit(
                f"this example takes MuJoCo; get it with: {sys.executable} -m pip install mujoco"
            ) from None
        self._mujoco = mujoco
        spec = self._mujoco.MjSpec()
        spec.option.timestep = SECONDS
        for name, shape in start.shapes.items():
            # The floor and its rims are parts of the world, the others bodies of their own, with their middle there.
            body, geom = spec.worldbody, to_geom(shape)
            if not name.startswith(("floor", "rim")):
                body = body.add_body(pos=geom.pop("pos"), quat=geom.pop("quat"))
                body.add_freejoint()
            body.add_geom(name=name, **geom)
        self._compiled = spec.compile()
        self._data = self._mujoco.MjData(self._compiled)
        model = read_model(self._compiled)
        self.model = replace(model, scene=model.scene.replaced(camera=start.camera, title=start.title))
        self.agreed = self.asked = 0

    def fall(self) -> list[Motion]:
        """Let them fall, and return how each of them moved."""
        self._mujoco.mj_forward(self._compiled, self._data)
        places, turns = [self._data.xpos.copy()], [self._data.xquat.copy()]
        for _ in range(KEYS - 1):
            self._mujoco.mj_step(self._compiled, self._data, KEY_STEPS)
            self._mujoco.mj_forward(self._compiled, self._data)
            places.append(self._data.xpos.copy())
            turns.append(self._data.xquat.copy())
        times, place, turn = KEY_STEPS * SECONDS * np.arange(KEYS), np.array(places), np.array(turns)
        motions = []
        for geom, body in enumerate(self._compiled.geom_bodyid):
            if body:  # 0 is the world, with the floor and its rims
                axes = Transform(rotation=np.roll(turn[:, body], -1, axis=-1)).axes  # MuJoCo has the real part first
                name, offsets = self._compiled.geom(geom).name, place[:, body] - place[0, body]
                motions.append(Motion(name, times, offsets, axes @ axes[0].T))
        return motions

    def step(self) -> Scene:
        """Let some time pass, and return the scene as it is then, with what both say about it."""
        self._mujoco.mj_step(self._compiled, self._data, STEPS)
        # What MuJoCo has of contacts after a step is of the places before it.
        self._mujoco.mj_forward(self._compiled, self._data)
        now = self.model.at(self._data).scene
        ours = {frozenset(map(now.element_name, pair)) for pair in now.colliding_pairs().tolist()}
        contacts = self._data.contact
        near = contacts.dist <= 0.0
        theirs = {frozenset(self._compiled.geom(k).name for k in pair) for pair in contacts.geom[near].tolist()}
        self.agreed += len(ours & theirs)
        self.asked += len(ours | theirs)
        dots = Point(np.array(contacts.pos[near], dtype=float).reshape(-1, 3))
        return now.replaced(
            shapes={**now.shapes, DOTS: dots}, ignored=[*now.ignored, (DOTS, "*")], caption=self._words(ours, theirs)
        )

    def _words(self, ours: set[frozenset[str]], theirs: set[frozenset[str]]) -> str:
        odd = sorted(" – ".join(sorted(pair)) for pair in ours ^ theirs)
        told = f" Just now they differ on {', '.join(odd[:3])}{' ...' if odd[3:] else ''}." if odd else ""
        return (
            f"{len(ours)} pairs touch by our tests, {len(theirs)} by MuJoCo's, {len(ours & theirs)} by both. "
            f"Since the start both agree on {self.agreed:,} of {self.asked:,}.{told} The dots are MuJoCo's contacts."
        )


def frames(count: int | None = None) -> Iterator[Scene]:
    """Yield the scenes of a fall; without a count, for ever."""
    pile, number = Pile(_start()), 0
    while count is None or number < count:
        yield pile.step()
        number += 1


def ask() -> None:
    """Print what is asked of every scene of the fall, with the call that asks for it, here of the first."""
    pile = _start()
    print(f"{len(pile.colliding_pairs()) = }")


if __name__ == "__main__":
    import viewer
    from viewer.studio.scripts import told_in_a_line

    ask()
    with told_in_a_line():
        if len(sys.argv) > 1:
            viewer.render_frames(frames(240), sys.argv[1], fps=1.0 / (STEPS * SECONDS), size=(640, 480))
        else:
            viewer.view_frames(frames(), fps=1.0 / (STEPS * SECONDS))
