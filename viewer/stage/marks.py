"""Marks: dots, strokes, arrows and patches, as wide in the picture wherever they are.

A mark becomes pieces: what sets it off from anything behind it, its inside or a casing, its lines and dots, and what is
on them. Of each piece the shader gets where it begins and ends in the world, and sizes in units of the theme; it puts
the corners where they are seen. So marks are written once, however the camera moves, but for dashes, which are counted
in the picture, and for lines that are too long for single precision.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyvista as pv
from vtkmodules.vtkCommonDataModel import vtkDataObject
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from collision.inner import BoolArray, FloatArray, IntArray
from viewer.camera.camera import Viewport, distance, lengths
from viewer.records.drawables import Arrow, Marker, Patch, Stroke
from viewer.records.theme import Theme
from viewer.stage.polydata import bare_actor, colored, poly_data, show
from viewer.stage.sight import Mark
from viewer.stage.solids.shading import place_vertices, set_fragment_code
from viewer.stage.vtk_camera import Tile

#: Later kinds are drawn over earlier ones.
_ORDER = (Patch, Stroke, Arrow, Marker)

#: Kinds of pieces: a line, a dot, a face with four corners, the shaft of an arrow, and its head, a cone.
_LINE, _DOT, _FACE, _SHAFT, _HEAD = range(5)

#: What pieces are, from the lowest to the highest: see the module.
_HALO, _UNDER, _LINES, _OVER = range(4)

#: Length of an arrow's head, in units, and never more than this part of the arrow; its half width, as a part of that.
_HEAD_LENGTH, _HEAD_PART, _HEAD_RADIUS = 17.0, 0.6, 5.6 / 17.0

#: Sides of a head.
_AROUND = 28

#: Length of a dash and of the gap after it, in units.
_DASH, _GAP = 9.0, 6.0

#: Width of the ring around a marker, and of the casing on each side of a line, in units; how opaque the casing is.
_RING, _CASING, _CASING_OPACITY = 1.6, 1.3, 0.7

#: Marks stand so many units before what they mark, the last drawn the farthest, so that no surface cuts into them.
_FIRST_PULL, _LAST_PULL = 1.0, 5.0

#: Nothing nearer to the eye than this part of the distance to its target is drawn of a line. One that is so many times
#: as long as that distance is cut where the picture ends, and a little beyond.
_NEAREST, _LONG, _BLEED = 1e-3, 100.0, 0.05

#: A piece: where it begins and ends, or its four corners; its kind, the mark and the part of it that it is; from where
#: to where it is beside its line, or around its point, in units; how far it stands before what it marks; where it is on
#: its curve, and how long a dash and its gap are; its colour; and whether it is seen through, and above all solids.
_PIECE = np.dtype(
    [
        *(("points", "f4", (4, 3)), ("kind", "i4"), ("mark", "i4"), ("rank", "i4"), ("low", "f4"), ("high", "f4")),
        *(("pull", "f4"), ("phase", "f4"), ("period", "f4"), ("color", "u1", 4), ("layer", "i4")),
    ]
)


def _cone(around: int) -> tuple[FloatArray, IntArray]:
    """Return corners of a cone by cosine, sine and what they are, rim, tip (5) or middle of the base (6); triangles."""
    turn = 2.0 * np.pi * np.arange(around) / around
    rim = np.column_stack([np.cos(turn), np.sin(turn), np.full(around, float(_HEAD))])
    corners = np.concatenate([rim, np.add(rim, (0.0, 0.0, 1.0)), [[0.0, 0.0, 6.0]]])
    i = np.arange(around)
    j = (i + 1) % around
    sides, base = (i, i + around, j), (j, np.full(around, 2 * around), i)
    return corners, np.concatenate([np.column_stack(sides), np.column_stack(base)])


_CONE, _CONE_TRIANGLES = _cone(_AROUND)
_SQUARE = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])

#: The corners of each kind, and the triangles between them; how many there are, and where these begin in all of them.
_CORNERS = [*(np.column_stack([_SQUARE, np.full(4, float(kind))]) for kind in range(_HEAD)), _CONE]
_TRIANGLES = [*[np.array([(0, 1, 2), (0, 2, 3)])] * _HEAD, _CONE_TRIANGLES]

_DECLARED = """
in vec4 endMC;
in vec3 cornerMC;
in vec4 sizeMC;
uniform mat4 MCVCMatrix;
uniform vec2 stageSize;
uniform float stageUnit, stageSlope, stageFlat, stageNearest, stageStep;
"""

_PASSED = ("vec2 stagePlace = vec2(0.0)", "float stageShade = 1.0", "flat vec4 stageCut = vec4(0.0)")

#: Corners of lines and dots are put where they are seen, at depth 1 in the picture, as pixels are even there.
_PLACE = f"""
    int kind = int(cornerMC.z + 0.5);
    vec2 pixels = 0.5 * stageSize;
    vec3 way = endMC.xyz - vertexMC.xyz;
    float reach = length(way);
    vec3 axis = way / max(reach, 1.0e-30);
    vec4 first = MCDCMatrix * vertexMC;
    vec4 last = MCDCMatrix * vec4(endMC.xyz, 1.0);
    float pixel = stageSlope * last.w + stageFlat;
    bool nowhere = kind == {_DOT} && first.w < stageNearest;
    vec3 neck = endMC.xyz;
    float head = 0.0;
    if (kind >= {_SHAFT}) {{
      head = min({_HEAD_LENGTH} * stageUnit * pixel, {_HEAD_PART} * reach);
      nowhere = last.w < stageNearest || !(head > 0.0);
      neck -= head * axis;
    }}
    vec4 place = first;
    if (kind == {_DOT}) {{
      stagePlace = cornerMC.xy * sizeMC.y;
      place = vec4(first.xyz / first.w, 1.0);
      place.xy += stagePlace * stageUnit / pixels;
      place.z -= sizeMC.z * stageUnit * stageStep / first.w;
    }} else if (kind == {_LINE} || kind == {_SHAFT}) {{
      last = MCDCMatrix * vec4(neck, 1.0);
      nowhere = nowhere || max(first.w, last.w) < stageNearest;
      float cut = (stageNearest - first.w) / (last.w - first.w);
      vec4 crossing = mix(first, last, cut);
      first = first.w < stageNearest ? crossing : first;
      last = last.w < stageNearest ? crossing : last;
      vec2 run = (last.xy / last.w - first.xy / first.w) * pixels;
      float far = length(run);
      run = far > 0.0 ? run / far : vec2(0.0, 1.0);
      place = cornerMC.x < 0.0 ? first : last;
      place.z -= sizeMC.z * stageUnit * stageStep;
      place = vec4(place.xyz / place.w, 1.0);
      place.xy += (cornerMC.y < 0.0 ? sizeMC.x : sizeMC.y) * stageUnit * vec2(run.y, -run.x) / pixels;
      stagePlace.x = sizeMC.w + (cornerMC.x < 0.0 ? 0.0 : far / stageUnit);
    }} else {{
      if (kind >= {_HEAD}) {{
        vec3 u = normalize(cross(axis, abs(axis.x) < 0.9 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0)));
        vec3 beside = cornerMC.x * u + cornerMC.y * cross(axis, u);
        vec3 at = kind == 5 ? endMC.xyz : kind == 6 ? neck : neck + {_HEAD_RADIUS:.6f} * head * beside;
        place = MCDCMatrix * vec4(at, 1.0);
        // A little darker on the sides that face away from the light, and on the base; a halo is all of one colour.
        float lit = 0.86 + 0.14 * dot(mat3(MCVCMatrix) * beside, vec3(-0.6, 1.0, 0.0));
        stageShade = sizeMC.x > 0.0 ? 1.0 : kind == 6 ? 0.7 : clamp(lit, 0.0, 1.0);
        vec4 middle = MCDCMatrix * vec4(neck + 0.3 * head * axis, 1.0);
        vec2 outward = (place.xy / place.w - middle.xy / middle.w) * pixels;
        outward *= (kind == 5 ? 2.0 : 1.0) * sizeMC.x * stageUnit / max(length(outward), 1.0e-9);
        place.xy += outward / pixels * place.w;
        place.z += sizeMC.x > 0.0 ? head / pixel * stageStep : 0.0;  // behind all of the head
      }}
      place.z -= sizeMC.z * stageUnit * stageStep;
    }}
    stageCut = vec4(sizeMC.xy, endMC.w, kind == {_DOT} ? 1.0 : 0.0);
    gl_Position = nowhere ? vec4(2.0, 2.0, 2.0, 1.0) : place;
"""

_PAINT = f"""
    float away = length(stagePlace);
    if (stageCut.w > 0.5 && (away < stageCut.x || away > stageCut.y)) {{ discard; }}
    if (stageCut.z > 0.0 && mod(stagePlace.x, stageCut.z) > {_DASH / (_DASH + _GAP):.6f} * stageCut.z) {{ discard; }}
    fragOutput0 = vec4(stageShade * vertexColorVSOutput.rgb, vertexColorVSOutput.a);
"""


class Marks:
    """Draws marks: opaque and see-through ones, among the solids and above them, an actor each.

    Parameters
    ----------
    renderer : vtkRenderer
        Gets the actors of what solids may hide.
    overlay : vtkRenderer
        Gets those of what nothing hides.
    """

    def __init__(self, renderer: vtkRenderer, overlay: vtkRenderer) -> None:
        self.actors = tuple(_actor(see_through=clear) for clear in (False, True, False, True))
        for number, actor in enumerate(self.actors):
            (overlay if number >= 2 else renderer).AddActor(actor)
        self._ends: FloatArray = np.zeros((0, 3))
        self._written: npt.NDArray[Any] = np.zeros(0, _PIECE)
        #: Whether what is written follows from the camera, too.
        self.follow = False

    def write(self, marks: Sequence[Mark], view: Viewport, theme: Theme, unit: float, origin: FloatArray) -> None:
        """Draw these marks, and no others: later ones over earlier ones of a kind, markers over arrows over strokes.

        They have places in the world, as `Sight` has them.
        """
        marks = sorted(marks, key=lambda mark: _ORDER.index(type(mark)))
        self.follow = False
        pieces = self._pieces(marks, theme, view, unit, origin)
        self._written = pieces = pieces[np.lexsort((pieces["rank"], pieces["mark"]))]
        for layer, actor in enumerate(self.actors):
            some = pieces[pieces["layer"] == layer]
            # One above the solids is always there: VTK smooths the edges of layers in which there is anything.
            actor.SetVisibility(len(some) > 0 or layer == 2)
            show(actor, _corners(some) if len(some) else pv.PolyData())
            actor.SetPosition(*origin)

    def depths(self, view: Viewport, unit: float) -> tuple[float, float]:
        """Return how near and how far the marks reach before the eye: infinitely far, and negative, without any."""
        depth = (self._ends - view.eye) @ view.forward
        depth = depth[np.isfinite(depth)]
        flat, slope = _pixel_sizes(view)
        # They stand before what they mark, and so do what is around a dot and the head of an arrow.
        nearest = depth - (_LAST_PULL + _HEAD_LENGTH) * unit * (flat + slope * depth)
        return float(np.maximum(nearest, 0.0).min(initial=math.inf)), float(depth.max(initial=-math.inf))

    def set_view(self, view: Viewport, unit: float, part: Tile, depths: tuple[float, float]) -> None:
        """Follow the camera, and the size of the picture, or of a part of it, in pixels.

        Parameters
        ----------
        view : Viewport
            How all of the picture is seen.
        unit : float
            Pixels of a unit.
        part : Tile
            What of the picture is drawn.
        depths : tuple of 2 floats
            The nearest and the farthest that the camera sees.
        """
        (near, far), (flat, slope) = depths, _pixel_sizes(view)
        # What a step of a pixel towards the eye does to the depth in the picture, times the depth in the world.
        step = 2.0 / (far - near) * (flat or slope * far * near)
        values = {"Slope": slope, "Flat": flat, "Nearest": 0.0 if flat else _NEAREST * distance(view.camera)}
        for actor in self.actors:
            uniforms = actor.GetShaderProperty().GetFragmentCustomUniforms()
            uniforms.SetUniform2f("stageSize", [part.width, part.height])
            for name, value in (values | {"Unit": unit, "Step": step}).items():
                uniforms.SetUniformf(f"stage{name}", value)

    def as_geometry(self, view: Viewport, unit: float) -> vtkActor:
        """Return an actor of points, lines and triangles that exporters can take: others have a size in the picture.

        The heads of arrows are as large as they are in a view.
        """
        origin, actor, parts = np.array(self.actors[0].GetPosition()), vtkActor(), list[pv.PolyData]()
        pieces = self._written[np.isin(self._written["rank"], (_LINES, _OVER)) | (self._written["kind"] == _FACE)]
        for kind, width in enumerate((2, 1, 4, 2, 2)):
            some = pieces[(pieces["kind"] == kind) & ((pieces["rank"] == _LINES) | (kind != _DOT))]
            if not len(some):
                continue
            points = some["points"][:, :width].reshape(-1, 3)
            if kind == _HEAD:
                part = _cones(points, view, unit, origin)
            elif kind in (_LINE, _SHAFT):
                part = pv.line_segments_from_points(points)
            else:
                part = poly_data(points, np.arange(len(points)).reshape(-1, 4) if kind == _FACE else None)
            part.point_data["color"] = np.repeat(some["color"], part.n_points // len(some), axis=0)
            parts.append(part)
        actor.SetMapper(colored(vtkPolyDataMapper()))
        actor.SetPosition(*origin)
        show(actor, pv.merge(parts, merge_points=False) if parts else pv.PolyData())
        return actor

    def _pieces(
        self, marks: Sequence[Mark], theme: Theme, view: Viewport, unit: float, origin: FloatArray
    ) -> npt.NDArray[Any]:
        """Return the pieces of marks, in no order, relative to an origin."""
        look = _Looks(marks, theme)
        faces, of_face = _joined(marks, Patch)
        strokes, of_stroke = _joined(marks, Stroke)
        arrows, of_arrow = _joined(marks, Arrow)
        dots, of_dot = _joined(marks, Marker)
        self._ends = np.concatenate([some.reshape(-1, 3) for some in (dots, faces, strokes, arrows)])
        borders = np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2, 3)
        lines, of_line = np.concatenate([strokes, borders]), np.concatenate([of_stroke, np.repeat(of_face, 4)])
        dashed = look.dashed[of_line]
        cut = dashed | (lengths(lines[:, 1] - lines[:, 0]) > _LONG * distance(view.camera))
        phase, period = np.zeros((2, len(lines)))
        if cut.any():
            self.follow = True
            seen, inside = clipped(lines[cut], view)
            rows = np.flatnonzero(cut)[inside]
            lines[rows] = seen
            broken = dashed[rows]
            phase[rows[broken]], period[rows[broken]] = dashes(seen[broken], of_line[rows[broken]], view, unit)
            kept = ~cut
            kept[rows] = True
            lines, of_line, phase, period = lines[kept], of_line[kept], phase[kept], period[kept]
        made = [
            *_lined(look, lines, of_line, _LINE, phase, period),
            *_lined(look, arrows, of_arrow, _SHAFT),
            look.pieces(faces, of_face, _FACE, _UNDER, opacity=look.fill),
            look.pieces(arrows, of_arrow, _HEAD, _OVER),
            look.pieces(arrows, of_arrow, _HEAD, _HALO, low=look.halo, some=look.halo > 0.0, own=False),
            look.pieces(dots, of_dot, _DOT, _LINES, high=0.5 * look.size),
            look.pieces(dots, of_dot, _DOT, _OVER, low=0.5 * look.size, high=0.5 * look.size + _RING, own=False),
        ]
        return np.concatenate([look.relative(each, origin) for each in made])


class _Looks:
    """Makes pieces that look like their marks; of each of these there is one number, in order."""

    def __init__(self, marks: Sequence[Mark], theme: Theme) -> None:
        styles = [theme.styles[mark.role] for mark in marks]
        self.dashed = np.array([style.dashed for style in styles], dtype=bool)
        self.is_patch = np.array([isinstance(mark, Patch) for mark in marks], dtype=bool)
        names = ("width", "size", "opacity", "fill", "on_top", "ghost", "halo", "lift")
        numbers = np.array([[getattr(style, name) for name in names] for style in styles], dtype=float)
        self.width, self.size, self.opacity, self.fill, self._top, self._ghost, self.halo, self.lift = numbers.reshape(
            -1, len(names)
        ).T
        self._colors = np.array([style.color for style in styles], dtype=np.uint8).reshape(-1, 3)
        self._ring = theme.halo

    def pieces(
        self, points: FloatArray, number: IntArray, kind: int, rank: int, *, low: Any = 0.0, high: Any = 0.0,
        opacity: Any = 1.0, some: Any = True, own: bool = True, phase: Any = 0.0, period: Any = 0.0,
    ) -> tuple[npt.NDArray[Any], FloatArray]:  # fmt: skip
        """Return pieces and their points: of the marks of some numbers, in their own colour or in that of rings."""
        count = len(self.width)
        low, high, opacity, some = (np.broadcast_to(each, count) for each in (low, high, opacity, some))
        rows = np.flatnonzero(some[number] & np.isfinite(points).all(axis=(1, 2)))
        points, mark = points[rows], number[rows]
        new = np.zeros(len(rows), _PIECE)
        new["kind"], new["mark"], new["rank"], new["low"], new["high"] = kind, mark, rank, low[mark], high[mark]
        over = 0.5 if rank >= _LINES else 0.0
        new["pull"] = self.lift[mark] + _FIRST_PULL + (mark + over) * ((_LAST_PULL - _FIRST_PULL) / max(count, 1))
        new["phase"], new["period"] = (np.broadcast_to(each, len(number))[rows] for each in (phase, period))
        opaque = (self.opacity * opacity)[mark]
        new["color"][:, :3] = self._colors[mark] if own else self._ring
        new["color"][:, 3] = np.rint(255.0 * opaque)
        new["layer"] = 2 * (self._top[mark] > 0.0) + (opaque < 1.0)
        hidden = (self._top[mark] == 0.0) & (self._ghost[mark] > 0.0)  # of these, what solids hide shows through
        through = new[hidden]
        through["color"][:, 3] = np.rint(255.0 * opaque[hidden] * self._ghost[mark[hidden]])
        through["layer"] = 3
        return np.concatenate([new, through]), np.concatenate([points, points[hidden]])

    @staticmethod
    def relative(pieces: tuple[npt.NDArray[Any], FloatArray], origin: FloatArray) -> npt.NDArray[Any]:
        """Return pieces with their points, relative to an origin."""
        new, points = pieces
        with np.errstate(over="ignore"):
            new["points"][:, : points.shape[1]] = points - origin
        return new


def _lined(
    look: _Looks, lines: FloatArray, number: IntArray, kind: int, phase: Any = 0.0, period: Any = 0.0
) -> list[tuple[npt.NDArray[Any], FloatArray]]:
    """Return lines with what sets them off: a halo, or a casing on both sides."""
    half, ring = 0.5 * look.width, look.halo
    dash = {"phase": phase, "period": period}
    plain = look.is_patch | (look.lift > 0.0)
    cased = {"opacity": _CASING_OPACITY, "some": (ring == 0.0) & ~plain, "own": False, **dash}
    return [
        look.pieces(lines, number, kind, _HALO, low=-half - ring, high=half + ring, some=ring > 0.0, own=False, **dash),
        look.pieces(lines, number, kind, _UNDER, low=half, high=half + _CASING, **cased),
        look.pieces(lines, number, kind, _UNDER, low=-half - _CASING, high=-half, **cased),
        look.pieces(lines, number, kind, _LINES, low=-half, high=half, **dash),
    ]


def _joined(marks: Sequence[Mark], kind: type[Mark]) -> tuple[FloatArray, IntArray]:
    """Return the points of all marks of a kind, (n, 1 or 2 or 4, 3), and of each which mark it is of."""
    some = {number: _points(mark) for number, mark in enumerate(marks) if type(mark) is kind}
    width = {Marker: 1, Patch: 4}.get(kind, 2)
    points = np.concatenate([np.zeros((0, width, 3)), *some.values()])
    return points, np.repeat(np.array([*some], dtype=np.int64), [len(each) for each in some.values()])


def _points(mark: Mark) -> FloatArray:
    if isinstance(mark, Marker):
        return mark.points[:, None]
    if isinstance(mark, Patch):
        return mark.corners
    if mark.start.shape != mark.end.shape:
        raise ValueError(f"marks need as many ends as starts: got {len(mark.end)} ends of {len(mark.start)} lines")
    return np.stack([mark.start, mark.end], axis=1)


def clipped(lines: FloatArray, view: Viewport) -> tuple[FloatArray, BoolArray]:
    """Return what of lines (n, 2, 3) is before the eye and in the picture, a little over its edge; and of which any is.

    Ends that are not cut keep all their digits.
    """
    width, height = view.size
    away = lines - view.eye
    x, y, z = (away @ axis for axis in (view.right, view.up, view.forward))
    flat, slope = _pixel_sizes(view)
    pixel = flat + slope * z
    reach = 0.5 + _BLEED
    margins = np.stack(
        [
            z - _NEAREST * distance(view.camera),
            *(reach * width * pixel + side for side in (x, -x)),
            *(reach * height * pixel + side for side in (y, -y)),
        ]
    )
    first, last = margins[..., 0], margins[..., 1]
    with np.errstate(invalid="ignore", divide="ignore"):
        crossing = first / (first - last)
        enter = np.where(first < 0.0, crossing, 0.0).max(axis=0)
        leave = np.where(last < 0.0, crossing, 1.0).min(axis=0)
    inside = np.isfinite(margins).all(axis=(0, 2)) & ~((first < 0.0) & (last < 0.0)).any(axis=0) & (enter <= leave)
    enter, leave, (start, end) = enter[inside, None], leave[inside, None], np.moveaxis(lines[inside], 1, 0)
    line = end - start
    cut = [np.where(enter > 0.0, start + enter * line, start), np.where(leave < 1.0, start + leave * line, end)]
    return np.stack(cut, axis=1), inside


def _pixel_sizes(view: Viewport) -> tuple[float, float]:
    """Return how many units of the world a pixel covers, and how many more for each of depth."""
    camera, height = view.camera, view.size[1]
    if camera.parallel_height is not None:
        return camera.parallel_height / height, 0.0
    return 0.0, 2.0 * math.tan(math.radians(camera.view_angle) / 2.0) / height


def dashes(lines: FloatArray, number: IntArray, view: Viewport, unit: float) -> tuple[FloatArray, FloatArray]:
    """Return where lines (n, 2, 3) begin on their curves, and how long a dash and its gap are there, in units.

    A line that begins where another of its mark ends goes on with it. A curve has a whole dash at both of its ends: its
    length is so many dashes and gaps less one gap.
    """
    length = lengths(np.subtract(*np.moveaxis(view.project(lines.reshape(-1, 3))[0].reshape(-1, 2, 2), 1, 0))) / unit
    goes_on = (lines[1:, 0] == lines[:-1, 1]).all(axis=1) & (number[1:] == number[:-1])
    curve = np.cumsum(np.concatenate([np.zeros(min(len(lines), 1), bool), ~goes_on]))
    total = np.bincount(curve, length)
    before = np.cumsum(length) - length
    starts = np.flatnonzero(np.diff(curve, prepend=-1))
    period = total / (np.maximum(np.rint((total + _GAP) / (_DASH + _GAP)), 1.0) - _GAP / (_DASH + _GAP))
    return before - before[starts][curve], period[curve]


def _cones(ends: FloatArray, view: Viewport, unit: float, origin: FloatArray) -> pv.PolyData:
    """Return the heads of arrows, each from one point to the next, as large as the shader makes them."""
    start, end = ends.astype(float).reshape(-1, 2, 3).swapaxes(0, 1)
    arrows = pv.PolyData(end)
    arrows["way"] = end - start
    pixels = view.units_per_pixel(end + origin)
    arrows["head"] = np.fmin(_HEAD_LENGTH * unit * pixels, _HEAD_PART * lengths(end - start))
    cone = pv.Cone(center=(-0.5, 0.0, 0.0), radius=_HEAD_RADIUS, resolution=_AROUND)
    cones: pv.PolyData = arrows.glyph(orient="way", scale="head", geom=cone)
    return cones


def _corners(pieces: npt.NDArray[Any]) -> pv.PolyData:
    """Return the corners of pieces, with all that the shader puts them in their places by, and triangles between."""
    kind = pieces["kind"]
    corners, of, number, _ = _repeated(_CORNERS, kind)
    triangles, _, _, first = _repeated(_TRIANGLES, kind, np.array([*map(len, _CORNERS)])[kind])
    own, rows = pieces[of], np.arange(len(of))
    values = {
        "end": np.column_stack([own["points"][:, 1], own["period"]]),
        "corner": corners,
        "size": np.column_stack([own["low"], own["high"], own["pull"], own["phase"]]),
    }
    points = own["points"][rows, np.where(own["kind"] == _FACE, number, 0)]
    return poly_data(points, triangles + first[:, None], color=own["color"], **values)


def _repeated(
    shapes: Sequence[npt.NDArray[Any]], kind: IntArray, steps: IntArray | None = None
) -> tuple[npt.NDArray[Any], IntArray, IntArray, IntArray]:
    """Return the rows of the shapes of some kinds, one after the other; of each which shape it is of, and its number.

    And of each, how many steps there are in the shapes before.
    """
    sizes = np.array([*map(len, shapes)])
    counts = sizes[kind]
    of = np.repeat(np.arange(len(kind)), counts)
    number = np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts)
    steps = counts if steps is None else steps
    whole = np.concatenate(shapes)[(np.cumsum(sizes) - sizes)[kind][of] + number]
    return whole, of, number, (np.cumsum(steps) - steps)[of]


def _actor(*, see_through: bool) -> vtkActor:
    mapper = colored(vtkPolyDataMapper())
    mapper.SetVBOShiftScaleMethod(0)  # ends are relative to what points are
    for name in ("end", "corner", "size"):
        mapper.MapDataArrayToVertexAttribute(f"{name}MC", name, vtkDataObject.FIELD_ASSOCIATION_POINTS, -1)
    # They are put where the camera sees them: they must not decide where it stands or how far it sees.
    actor = bare_actor(mapper, see_through=see_through)
    actor.VisibilityOff()
    set_fragment_code(actor.GetShaderProperty(), "", _PAINT, _PASSED, _DECLARED)
    place_vertices(actor.GetShaderProperty(), _PLACE)
    return actor
