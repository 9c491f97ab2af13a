"""Where an arm can reach.

Where can the finger tip be while the arm touches nothing? Each dot is such a place, in one of six hundred random poses:
one call tells which are free. Try: drag the crate into the dots, which are of where it was; and run python
examples/many_poses.py growth.png, for millions of poses over several processes.

With a file name, this asks about two million poses with Dask, over one process and over more, and in some minutes
writes a picture of how that grows. Dask comes with ``pip install ".[dask]"`` in the checkout. The same lines ask many
machines, where ``Client()`` gets the address of their scheduler.
"""

import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from collision import (
    AABB,
    Bodies,
    Camera,
    Capsule,
    Expectation,
    HalfSpace,
    OrientedBox,
    Point,
    Scene,
    Shape,
    Sphere,
)
from viewer.files.places import title_and_caption

TITLE, CAPTION = title_and_caption(__doc__)

#: The links of the arm, each along the z axis of its own frame, and how long they are.
LENGTHS = {"upper arm": 1.0, "forearm": 0.8, "hand": 0.35}

#: How far the joints turn, in radians: about the vertical, and how much each link leans against the one before it.
LOWER, UPPER = np.array([-np.pi, -1.9, -2.4, -1.6]), np.array([np.pi, 1.9, 2.4, 1.6])

#: The pose in the picture, and the seed of all others.
SHOWN, SEED = np.array([0.5, 0.5, 0.9, 0.4]), 3

LINKS: dict[str, Shape] = {
    "upper arm": Capsule([0, 0, 0.25], [0, 0, 0.9], 0.1),
    "forearm": Capsule([0, 0, 0], [0, 0, 0.75], 0.08),
    "hand": OrientedBox([0, 0, 0.12], np.eye(3), [0.12, 0.05, 0.1]),
    "finger": Sphere([[0.07, 0, 0.27], [-0.07, 0, 0.27], [0.07, 0, 0.33], [-0.07, 0, 0.33]], 0.035),
}

AROUND: dict[str, Shape] = {
    "floor": HalfSpace([0, 0, -0.6], [0, 0, 1]),
    "table": AABB([-1.1, -0.5, -0.35], [0.4, 0.5, -0.25]),
    "stand": Capsule([0, 0, -0.2], [0, 0, 0.05], 0.12),
    "crate": OrientedBox([1.1, -0.5, 0.0], [0, 0, 1, 3], [0.35, 0.25, 0.6]),
    "lamp": Capsule([-0.9, 1.0, -0.5], [-0.9, 1.0, 1.3], 0.07),
    "ball": Sphere([0.6, 1.2, 0.7], 0.3),
    "shelf": AABB([-1.6, -1.3, 0.7], [-0.5, -0.7, 0.8]),
}

CELL = Scene(
    {**LINKS, **AROUND},
    ignored=[
        ("stand", "upper arm"),
        ("stand", "table"),
        ("crate", "floor"),
        ("upper arm", "forearm"),
        ("forearm", "hand"),
    ],
)

ARM = Bodies(CELL, {"upper arm": "upper arm", "forearm": "forearm", "hand": ["hand", "finger"]})


def poses(joints: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the places and the rotations, as quaternions, of the links for angles (..., 4) of the joints."""
    yaw, leans = joints[..., :1], np.cumsum(joints[..., 1:], axis=-1)
    along = np.stack([np.cos(yaw) * np.sin(leans), np.sin(yaw) * np.sin(leans), np.cos(leans)], axis=-1)
    ends = np.cumsum(along * np.array([*LENGTHS.values()])[:, None], axis=-2)
    places = np.concatenate([np.zeros_like(ends[..., :1, :]), ends[..., :-1, :]], axis=-2)
    half, lean = np.broadcast_arrays(0.5 * yaw, 0.5 * leans)
    x, y = -np.sin(half) * np.sin(lean), np.cos(half) * np.sin(lean)
    z, w = np.sin(half) * np.cos(lean), np.cos(half) * np.cos(lean)
    return places, np.stack([x, y, z, w], axis=-1)


def touching(joints: np.ndarray) -> np.ndarray:
    """Tell for angles (n, 4) of the joints in which poses anything touches."""
    return ARM.touching(*poses(joints))


def random_joints(count: int) -> np.ndarray:
    return np.random.default_rng(SEED).uniform(LOWER, UPPER, (count, len(LOWER)))


def reached(count: int) -> np.ndarray:
    """Return where the tip of the arm is in those of some random poses in which nothing touches."""
    joints = random_joints(count)
    free = joints[~touching(joints)]
    places, turns = poses(free)
    x, y, z, w = turns[:, -1].T
    along = np.stack([2 * (x * z + y * w), 2 * (y * z - x * w), w * w - x * x - y * y + z * z], axis=-1)
    return places[:, -1] + LENGTHS["hand"] * along


def scene() -> Scene:
    shown = ARM.at(*poses(SHOWN))
    return shown.replaced(
        shapes={**shown.shapes, "dots": Point(reached(600))},
        ignored=[*CELL.ignored, ("dots", "*"), ("hand", "finger"), ("finger", "finger")],
        camera=Camera(position=(4.2, -6.6, 4.4), target=(0.0, 0.0, 0.35)),
        expectations=[
            Expectation("apart", "upper arm", "*"),
            Expectation("apart", "forearm", "*"),
            Expectation("apart", "hand", "*"),
            Expectation("apart", "finger", "*", clearance=0.1),
        ],
        title=TITLE,
        caption=CAPTION,
    )


def ask() -> None:
    """Print what the picture is of, with the calls that ask for it."""
    joints = random_joints(600)
    print(f"{int(ARM.touching(*poses(joints)).sum()) = }")
    print(f"{ARM.nearest_pair(*poses(SHOWN)).pair.tolist() = }")
    print(f"{float(ARM.nearest_pair(*poses(SHOWN)).signed_distance.round(6)) = }")


# -- more than one process, or machine ---------------------------------------------------------------------------------


def touching_in_chunks(joints: Any) -> Any:
    """Return what `touching` does for an array of Dask's, in chunks along the poses; nothing is asked yet."""
    import dask.array as da

    return da.map_blocks(touching, joints, dtype=bool, drop_axis=1, meta=np.empty(0, dtype=bool))


def joints_in_chunks(count: int, chunk: int) -> Any:
    """Return random angles of joints as an array of Dask's: each chunk is made where it is used."""
    import dask.array as da

    shape, chunks = (count, len(LOWER)), (chunk, len(LOWER))
    return LOWER + (UPPER - LOWER) * da.random.default_rng(SEED).random(shape, chunks=chunks)


def growth(count: int, chunk: int, processes: list[int], rounds: int = 5) -> dict[int, float]:
    """Return how many poses a second are asked about by so many processes, of one thread each: in the best of rounds.

    A second is one of the processor, of the process that is at work the longest: what it takes where each has a core of
    its own, whatever else this machine does.
    """
    try:
        from dask.distributed import Client, LocalCluster
    except ImportError:
        raise SystemExit('this takes Dask; get it in the checkout with: pip install ".[dask]"') from None

    most, least = max(processes), dict.fromkeys(processes, np.inf)
    with (
        LocalCluster(n_workers=most, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.run(_one_core)
        client.run(touching, random_joints(1))  # compiles or loads what it needs
        workers = [*client.scheduler_info()["workers"]]
        for _ in range(rounds):
            for number in processes:
                before = client.run(time.process_time)
                share = touching_in_chunks(joints_in_chunks(count, chunk)).mean()
                found = client.compute(share, workers=workers[:number]).result()
                after = client.run(time.process_time)
                least[number] = min(least[number], max(after[name] - before[name] for name in workers[:number]))
                print(f"{number} at work: in {found:.1%} of {count:,} poses something touches")
    return {number: count / seconds for number, seconds in least.items()}


def _one_core(dask_worker: Any) -> None:
    """Have a process use one core alone, so that what several do is not what one does with several threads."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[int(dask_worker.name) % len(cores)]})


def draw(found: dict[int, float], path: Path) -> None:
    """Write a picture of how the poses a second grow with the processes."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 4.8), layout="constrained")
    processes, rates = [*found], np.array([*found.values()]) / 1e6
    axes.plot(
        processes,
        rates[0] / processes[0] * np.array(processes),
        "--",
        color="0.6",
        label="twice as many, twice as fast",
    )
    axes.plot(processes, rates, "o-", label="measured")
    axes.set(
        xlabel="processes, of one thread each", ylabel="million poses a second of the busiest process", xticks=processes
    )
    axes.set(xlim=(0, None), ylim=(0, None), title="An arm of 7 shapes among 7: which poses touch?")
    axes.legend()
    figure.savefig(path, dpi=100)
    plt.close(figure)


if __name__ == "__main__":
    import viewer
    from viewer.studio.scripts import told_in_a_line

    ask()
    with told_in_a_line():
        if len(sys.argv) > 1:
            draw(growth(2_000_000, 25_000, [1, 2, 4]), Path(sys.argv[1]))
        else:
            viewer.view(scene())
