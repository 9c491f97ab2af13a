"""Pairs of links that never, always or sometimes collide: against sampled poses, and by an independent checker."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from collision import (
    AABB,
    Capsule,
    ConvexHull,
    Cylinder,
    HalfSpace,
    OrientedBox,
    Segment,
    Shape,
    Sphere,
    Transform,
    signed_distance,
)
from collision.importers import Joint, Mimic, Model, decide_pairs
from tests.proof_checker import check_never


def _random_arm(rng: np.random.Generator) -> Model:
    links: dict[str, dict[str, Any]] = {}
    joints: list[Joint] = []
    count = int(rng.integers(2, 5))
    for i in range(count + 1):
        place, radius = rng.normal(0, 0.3, 3), rng.uniform(0.05, 0.3)
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        shapes = [
            Sphere(place, radius),
            Capsule(place, rng.normal(0, 0.6, 3), radius),
            OrientedBox(place, turn * np.linalg.det(turn), rng.uniform(0.05, 0.4, 3)),
            Segment(place, rng.normal(0, 0.6, 3)),
            Cylinder(place, rng.normal(0, 0.6, 3), radius),
            ConvexHull(place + rng.normal(0, 0.3, (int(rng.choice([6, 90])), 3)), radius=radius * rng.integers(2)),
        ]
        links[f"l{i}"] = {f"s{i}": shapes[rng.integers(6)], f"t{i}": shapes[rng.integers(6)]}
    for i in range(count):
        low = rng.uniform(-2, 1)
        kind = str(rng.choice(["revolute", "prismatic", "continuous", "fixed"], p=[0.5, 0.2, 0.15, 0.15]))
        origin = Transform(rng.normal(0, 0.6, 3), np.linalg.qr(rng.normal(size=(3, 3)))[0] * [1, 1, 1])
        if np.linalg.det(origin.axes) < 0:
            origin = Transform(origin.position, origin.axes * [1, 1, -1])
        parent = f"l{rng.integers(0, i + 1)}"
        followed = [j.name for j in joints if j.kind == "revolute"] if kind == "revolute" and rng.random() < 0.3 else []
        mimic = Mimic(followed[-1], float(rng.normal()), 0.2) if followed else None
        axis, limits = rng.normal(size=3), (low, low + rng.uniform(0.2, 2))
        joints.append(Joint(f"j{i}", kind, parent, f"l{i + 1}", origin, axis, limits, mimic, rng.normal(0, 0.1, 3)))
    return Model.of(links, joints)


def _distances(model: Model, pair: Any, values: np.ndarray) -> np.ndarray:
    """Return the least signed distance of two links for values (m, n) of the joints between them."""
    places = model.forward(dict(zip(pair.joints, values.T, strict=True)), [pair.link1, pair.link2])
    shape = (len(values),)
    found = [
        np.broadcast_to(signed_distance(a.transformed(places[..., 0]), b.transformed(places[..., 1])), shape)
        for a in model.links[pair.link1].values()
        for b in model.links[pair.link2].values()
    ]
    return np.asarray(np.min(found, axis=0))


@pytest.mark.parametrize("seed", range(12))
def test_verdicts_hold_in_random_poses_and_proofs_hold_by_themselves(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = _random_arm(rng)
    for pair in decide_pairs(model, most_poses=20_000, proofs=True):
        for pose, touches in ((pair.colliding, True), (pair.free, False)):
            if pose is not None:
                distance = _distances(model, pair, np.array([[pose[name] for name in pair.joints]]))
                assert (distance[0] <= 1e-9) == touches
        ranges = [model.joints[name].limits for name in pair.joints]
        low, high = np.array([(-3.2, 3.2) if not np.isfinite(own).all() else own for own in ranges]).reshape(-1, 2).T
        distance = _distances(model, pair, rng.uniform(low, high, (300, len(low))))
        if pair.verdict == "never":
            assert distance.min() > 0.0
            check_never(model, pair)
        elif pair.verdict == "always":
            assert distance.max() < 0.0
        elif pair.verdict == "sometimes":
            assert pair.colliding is not None
            assert pair.free is not None
        else:
            assert pair.reason


def _swing(gap: float, limit: float = np.pi) -> Model:
    """Return a ball that comes as near as the gap to a post, at an angle of one radian."""
    post = Sphere([3 * np.cos(1), 3 * np.sin(1), 0], 0.5)
    links = {"base": {"post": post}, "arm": {"ball": Sphere([2 - gap, 0, 0], 0.5)}}
    return Model.of(links, [Joint("turn", "revolute", "base", "arm", axis=[0, 0, 1], limits=(0, limit))])


@pytest.mark.parametrize("gap", [1e-2, 1e-4, 1e-6, 1e-8])
def test_a_narrow_gap_is_proved_and_a_narrow_touch_is_found(gap: float) -> None:
    (apart,) = decide_pairs(_swing(gap), proofs=True)
    assert apart.verdict == "never"
    assert apart.least == pytest.approx(gap, rel=0.3)
    check_never(_swing(gap), apart)
    (touching,) = decide_pairs(_swing(-gap))
    assert touching.verdict == "sometimes"
    assert touching.colliding is not None
    assert touching.colliding["turn"] == pytest.approx(1.0, abs=np.sqrt(gap) + 1e-7)


def test_of_limits_wider_than_a_turn_one_turn_is_looked_at() -> None:
    narrow, wide = (decide_pairs(_swing(0.01, limit), proofs=True)[0] for limit in (2 * np.pi, 40.0))
    assert narrow.verdict == wide.verdict == "never"
    assert wide.poses == narrow.poses
    check_never(_swing(0.01, 40.0), wide)


def _boxes(axis: list[float]) -> Model:
    """Return two boxes side by side that turn about the middle of the sides where they touch."""
    links = {name: {name: OrientedBox([x, 0, 0], np.eye(3), [1, 1, 0.5])} for name, x in (("base", -1), ("arm", 1))}
    return Model.of(links, [Joint("turn", "revolute", "base", "arm", axis=axis, limits=(-0.5, 1))])


@pytest.mark.parametrize(
    ("model", "words", "free"),
    [
        (_swing(0.0), "overlap nowhere", True),
        (_boxes([0, 0, 1]), "are nowhere apart", False),  # a corner of the side is in the other box, but for one angle
        (_boxes([1, 0, 0]), "overlap nowhere", False),  # side on side, at every angle
    ],
)
def test_what_only_just_touches_says_where_and_what_it_does_beside(model: Model, words: str, free: bool) -> None:
    (pair,) = decide_pairs(model, most_poses=5000)
    assert pair.verdict == "touching"
    assert words in pair.reason
    assert (pair.free is not None) == free
    assert pair.colliding is not None
    distance = _distances(model, pair, np.linspace(*model.joints["turn"].limits, 999)[:, None])
    assert distance.min() >= -1e-8 if words == "overlap nowhere" else distance.max() <= 1e-8
    assert str(pair.colliding) in pair.reason or pair.least < 0.0


_TAMPERED = {
    "without its first box": lambda proof: proof._replace(boxes=proof.boxes[1:], directions=proof.directions[1:]),
    "without boxes": lambda proof: proof._replace(boxes=proof.boxes[:0], directions=proof.directions[:0]),
    "one box instead of another": lambda proof: proof._replace(
        boxes=np.roll(proof.boxes, 1, axis=0)[[0, *range(len(proof.boxes) - 1)]]
    ),
    "one box for all": lambda proof: proof._replace(boxes=proof.ranges[None], directions=proof.directions[:1]),
    "directions reversed": lambda proof: proof._replace(directions=-proof.directions),
    "directions of other boxes": lambda proof: proof._replace(directions=proof.directions[::-1]),
    "no directions": lambda proof: proof._replace(directions=0.0 * proof.directions),
    "directions that are no numbers": lambda proof: proof._replace(directions=np.nan * proof.directions),
    "ranges moved": lambda proof: proof._replace(ranges=proof.ranges + 0.1),
    "ranges cut": lambda proof: proof._replace(ranges=proof.ranges / 2, boxes=proof.boxes / 2),
    "boxes cut": lambda proof: proof._replace(boxes=0.999 * proof.boxes),
}


@pytest.mark.parametrize("how", _TAMPERED)
def test_a_damaged_proof_is_refused(how: str) -> None:
    model = _swing(0.01)
    (pair,) = decide_pairs(model, proofs=True)
    assert pair.proof is not None
    assert len(pair.proof.boxes) > 2
    check_never(model, pair)
    with pytest.raises((AssertionError, RuntimeWarning)):
        check_never(model, replace(pair, proof=_TAMPERED[how](pair.proof)))


def test_a_proof_is_refused_for_another_model() -> None:
    model = _swing(0.01)
    (pair,) = decide_pairs(model, proofs=True)
    turn, links = model.joints["turn"], model.links
    check_never(Model.of(links, [turn]), pair)
    post, ball = links["base"]["post"], links["arm"]["ball"]
    further = turn.limits[1] + 0.01
    for shapes, joint in (
        ({**links, "base": {"post": Sphere(post.center, 0.52)}}, turn),
        ({**links, "arm": {"ball": Sphere(1.01 * ball.center, 0.5)}}, turn),
        ({**links, "arm": {"ball": ball, "more": post}}, turn),
        (links, _limited(turn, (0, further))),
        (links, _limited(turn, (-0.01, turn.limits[1]))),
        (links, _limited(turn, (-np.inf, np.inf))),
        (links, Joint("turn", "revolute", "base", "arm", Transform([0.02, 0, 0]), [0, 0, 1], turn.limits)),
        (links, Joint("turn", "revolute", "base", "arm", axis=[0.01, 0, 1], limits=turn.limits, anchor=[-0.05, 0, 0])),
        (links, Joint("turn", "prismatic", "base", "arm", axis=[0, 1, 0], limits=turn.limits)),
    ):
        with pytest.raises((AssertionError, IndexError)):
            check_never(Model.of(shapes, [joint]), pair)


def test_links_that_always_overlap_and_what_has_no_range_say_so() -> None:
    links: dict[str, dict[str, Shape]] = {
        "base": {"floor": HalfSpace([0, 0, 0], [0, 0, 1])},
        "arm": {"foot": Sphere([0, 0, 0], 1)},
        "hand": {"palm": Sphere([0, 0, 3], 1)},
    }
    joints = [Joint("hip", "revolute", "base", "arm", axis=[1, 0, 0], limits=(-1, 1)),
              Joint("lift", "prismatic", "base", "hand", axis=[0, 0, 1])]  # fmt: skip
    found = {(pair.link1, pair.link2): pair for pair in decide_pairs(Model.of(links, joints))}
    foot, palm = found["base", "arm"], found["base", "hand"]
    assert (foot.verdict, foot.adjacent, foot.in_pose) == ("always", True, True)
    assert palm.verdict == "open"
    assert palm.reason == "the joint 'lift' moves without limits"
    bound: dict[str, dict[str, Shape]] = {**links, "hand": {"palm": Sphere([0, 0, 3], 1)}}
    lifted = [joints[0], _limited(joints[1], (-1.5, 4))]
    assert {pair.verdict for pair in decide_pairs(Model.of(bound, lifted), [("base", "hand")])} == {"never"}


def test_a_point_on_the_axis_shows_that_links_always_overlap_however_little() -> None:
    disc = Cylinder([0, 0, 0], [0, 0, 1], 1)
    links = {"base": {"lower": disc}, "arm": {"upper": disc}}
    joint = Joint("turn", "continuous", "base", "arm", Transform([0.5, 0, 1 - 1e-6]), axis=[0, 0, 1])
    (pair,) = decide_pairs(Model.of(links, [joint]))
    assert pair.verdict == "always"
    assert pair.poses < 1000


def test_links_always_overlap_though_no_point_of_both_is_on_the_axis() -> None:
    angles = np.arange(8) * np.pi / 4
    ring = {f"post {k}": Sphere([2 * np.cos(t), 2 * np.sin(t), 0], 1.2) for k, t in enumerate(angles)}
    links = {"base": ring, "arm": {"ball": Sphere([2, 0, 0], 0.5)}}
    (pair,) = decide_pairs(
        Model.of(links, [Joint("turn", "continuous", "base", "arm", axis=[0, 0, 1])]), most_poses=5000
    )
    assert pair.verdict == "always"


def _limited(joint: Joint, limits: tuple[float, float]) -> Joint:
    return Joint(joint.name, joint.kind, joint.parent, joint.child, joint.origin, joint.axis, limits)


def test_pairs_must_be_links_with_shapes() -> None:
    with pytest.raises(ValueError, match="links with shapes, got 'leg'"):
        decide_pairs(_swing(0.1), [("base", "leg")])
    with pytest.raises(ValueError, match="got 'arm' twice"):
        decide_pairs(_swing(0.1), [("arm", "arm")])
    upright = Model.of(
        {"base": {"box": AABB([0, 0, 0], [1, 1, 1])}, "arm": {"ball": Sphere([0, 0, 0], 1)}},
        [Joint("turn", "continuous", "base", "arm")],
    )
    with pytest.raises(ValueError, match="'box' of link 'base' is an AABB"):
        decide_pairs(upright)


def test_progress_tells_each_pair_and_may_end_the_work() -> None:
    told: list[Any] = []

    def stop(pair: Any) -> None:
        told.append(pair)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        decide_pairs(_swing(0.1), progress=stop)
    assert [pair.verdict for pair in told] == ["never"]


@pytest.mark.parametrize(("multiplier", "kind", "verdict"), [
    (0.25, "revolute", "sometimes"), (-1.5, "revolute", "sometimes"), (0.0, "revolute", "never"),
    (0.1, "prismatic", "open"),
])  # fmt: skip
def test_what_follows_a_joint_without_end_gets_all_the_way_around(multiplier: float, kind: str, verdict: str) -> None:
    links = {"base": {"post": Sphere([-2, 0, 0], 0.5)}, "wheel": {}, "arm": {"ball": Sphere([2, 0, 0], 0.5)}}
    wheel = Joint("turn", "continuous", "base", "wheel", axis=[0, 0, 1])
    arm = Joint("follow", kind, "base", "arm", axis=[0, 0, 1], mimic=Mimic("turn", multiplier))
    model = Model.of(links, [wheel, arm])
    (pair,) = decide_pairs(model, proofs=True)
    assert pair.verdict == verdict
    if verdict == "never":
        check_never(model, pair)


@pytest.mark.parametrize("multiplier", [0.25, -1.5])
def test_the_proof_of_a_pair_that_follows_a_joint_without_end_covers_all_that_it_reaches(multiplier: float) -> None:
    links = {"base": {"post": Sphere([0, 0, 2], 0.5)}, "wheel": {}, "arm": {"ball": Sphere([2, 0, 0], 0.5)}}
    wheel = Joint("turn", "continuous", "base", "wheel", axis=[0, 0, 1])
    arm = Joint("follow", "revolute", "base", "arm", axis=[0, 0.3, 1], mimic=Mimic("turn", multiplier))
    model = Model.of(links, [wheel, arm])
    (pair,) = decide_pairs(model, proofs=True)
    check_never(model, pair)
    assert pair.proof is not None
    half = replace(pair, proof=pair.proof._replace(ranges=pair.proof.ranges / 2, boxes=pair.proof.boxes / 2))
    with pytest.raises(AssertionError, match="turn"):
        check_never(model, half)


def test_a_range_too_wide_for_numbers_leaves_a_pair_open() -> None:
    links = {"base": {"post": Sphere([0, 2, 0], 0.5)}, "cart": {"ball": Sphere([2, 0, 0], 0.5)}}
    (pair,) = decide_pairs(Model.of(links, [Joint("way", "prismatic", "base", "cart", limits=(-1e308, 1e308))]))
    assert (pair.verdict, pair.reason) == ("open", "the joint 'way' moves without limits")


def test_a_turn_of_many_rounds_decides_no_more_than_its_last_places_do() -> None:
    post = Sphere([3 * np.cos(1), 3 * np.sin(1), 0], 0.5)
    links = {"base": {"post": post}, "wheel": {}, "arm": {"ball": Sphere([2 - 1e-9, 0, 0], 0.5)}}
    wheel = Joint("turn", "revolute", "base", "wheel", axis=[0, 0, 1], limits=(0, 1e-9))
    arm = Joint("follow", "revolute", "base", "arm", axis=[0, 0, 1], mimic=Mimic("turn", 1e9, 2e9 * np.pi))
    (pair,) = decide_pairs(Model.of(links, [wheel, arm]), most_poses=5000)
    assert pair.verdict != "never"


def test_half_spaces_on_both_links_that_overlap_without_end() -> None:
    links: dict[str, dict[str, Shape]] = {
        "base": {"ball": Sphere([0, 0, 3], 1), "floor": HalfSpace([0, 0, -50], [0, 0, 1])},
        "plate": {"ground": HalfSpace([0, 0, 0], [0, 0, 1])},
    }
    lift = Joint("lift", "prismatic", "base", "plate", axis=[0, 0, 1], limits=(0, 1))
    (pair,) = decide_pairs(Model.of(links, [lift]), most_poses=5000)
    assert pair.verdict in ("always", "open")
    assert pair.least == -np.inf


def test_limits_that_are_whole_numbers_are_halved_all_the_same() -> None:
    links = {"base": {"near": Sphere([0, 2, 0], 0.5)}, "arm": {"tip": Sphere([2, 0, 0], 0.5)}}
    turn = Joint("turn", "revolute", "base", "arm", axis=[0, 0, 1], limits=(0, 1))
    (pair,) = decide_pairs(Model.of(links, [turn]), most_poses=50_000)
    assert pair.verdict == "never"
