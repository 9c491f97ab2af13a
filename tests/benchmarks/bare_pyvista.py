"""The plainest script that draws spheres, capsules and boxes with PyVista: three actors, and a picture as a PNG file.

It is run by itself, as ``python bare_pyvista.py SHAPES PICTURE``, where SHAPES is JSON: for each kind a list of numbers
for each shape.
"""

import json
import sys

import numpy as np
import pyvista as pv

shapes = json.loads(sys.argv[1])
plotter = pv.Plotter(off_screen=True, window_size=[1280, 960])
spheres = [pv.Sphere(radius=radius, center=center) for center, radius in shapes["spheres"]]
capsules = [
    pv.Capsule(
        center=np.add(start, end) / 2,
        direction=np.subtract(end, start),
        radius=radius,
        cylinder_length=np.linalg.norm(np.subtract(end, start)),
    )
    for start, end, radius in shapes["capsules"]
]
boxes = []
for center, axes, half in shapes["boxes"]:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = axes, center
    boxes.append(
        pv.Cube(x_length=2 * half[0], y_length=2 * half[1], z_length=2 * half[2]).transform(pose, inplace=False)
    )
for meshes in (spheres, capsules, boxes):
    plotter.add_mesh(pv.merge(meshes), color="steelblue")
plotter.camera_position = [(4.6, -9.2, 5.0), (0.4, 0.0, 0.85), (0.0, 0.0, 1.0)]
plotter.screenshot(sys.argv[2])
