"""Plots as SVG, by hand: bars and lines that read on light and on dark, in any font size.

Colours follow `prefers-color-scheme`; each plot has a background of its own, so that it is
readable on whatever page it is put. Series are told apart by colour, by the shape of their
points and by a label at their end. Colours are those of Okabe and Ito (2008), which the
colour-blind can tell apart.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log10
from xml.sax.saxutils import escape

WIDTH = 760
LEFT, RIGHT, TOP, BOTTOM = 64, 190, 52, 52
BAR = 30

_LIGHT = ("#0072b2", "#c04d00", "#00795a", "#a8417f", "#7a6200", "#1f2328", "#57606a")
_DARK = ("#56b4e9", "#f0a050", "#35c79a", "#e69fc8", "#f0e442", "#e6edf3", "#9aa4ae")

_STYLE = """<style>
:root {{ color-scheme: light dark }}
.page {{ fill: #ffffff }}
text {{ font: 13px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: #1f2328 }}
.title {{ font-size: 15px; font-weight: 600 }}
.quiet {{ fill: #57606a }}
.grid {{ stroke: #d8dee4; stroke-width: 1 }}
.line {{ fill: none; stroke-width: 2.2; stroke-linejoin: round }}
{light}
@media (prefers-color-scheme: dark) {{
.page {{ fill: #0d1117 }}
text {{ fill: #e6edf3 }}
.quiet {{ fill: #9aa4ae }}
.grid {{ stroke: #30363d }}
{dark}
}}
</style>"""


@dataclass(frozen=True)
class Scale:
    """From values to pixels.

    Attributes:
        low: the value at `start`.
        high: the value at `end`.
        start: pixels.
        end: pixels.
        log: equal factors are equally far apart.
    """

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """The pixel of a value."""
        if self.log:
            share = (log10(value) - log10(self.low)) / (log10(self.high) - log10(self.low))
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Round values along the scale."""
        if self.log:
            powers = range(round(log10(self.low)), round(log10(self.high)) + 1)
            every = ceil(len(powers) / 8)
            return [10.0**power for power in powers if (power - powers[0]) % every == 0]
        step = _round_step((self.high - self.low) / 5)
        return [
            self.low + step * at for at in range(floor((self.high - self.low) / step + 1e-9) + 1)
        ]


def scale(
    values: Sequence[float], start: float, end: float, log: bool = False, zero: bool = True
) -> Scale:
    """A scale on which all of `values` have room.

    Raises:
        ValueError: no values, or one on a log scale that is not above 0.
    """
    if not values:
        raise ValueError("nothing to draw")
    low, high = min(values), max(values)
    if log:
        if low <= 0:
            raise ValueError("a log scale has no place for 0")
        low, high = 10.0 ** floor(log10(low)), 10.0 ** ceil(log10(high))
        return Scale(low, high if high > low else low * 10, start, end, True)
    low = min(low, 0) if zero else low
    step = _round_step((high - low or 1) / 5)
    return Scale(floor(low / step) * step, max(ceil(high / step), 1) * step, start, end)


def _round_step(rough: float) -> float:
    power = 10.0 ** floor(log10(rough))
    return next(power * step for step in (1, 2, 2.5, 5, 10) if power * step >= rough * 0.999)


def label_of(value: float) -> str:
    """A tick's value in few characters.

    >>> label_of(2000), label_of(3e6), label_of(0.25), label_of(1e-6)
    ('2k', '3M', '0.25', '1e-06')
    """
    for size, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{name}"
    return f"{value:g}"


def lines(
    title: str,
    series: Mapping[str, Sequence[tuple[float, float]]],
    x_name: str,
    y_name: str,
    *,
    log_x: bool = False,
    log_y: bool = False,
    x_ticks: Sequence[float] | None = None,
    tick: Callable[[float], str] = label_of,
) -> str:
    """A plot of lines, each a series of (x, y) from left to right."""
    height = 400
    points = [point for line in series.values() for point in line]
    across = _across([x for x, _ in points], log_x)
    up = scale([y for _, y in points], height - BOTTOM, TOP, log_y)
    parts = [_text(LEFT - 44, 38, y_name, "quiet")]
    for y in up.ticks():
        parts.append(_grid(LEFT, up(y), WIDTH - RIGHT, up(y)))
        parts.append(_text(LEFT - 8, up(y) + 4, tick(y), "quiet", "end"))
    for x in x_ticks or across.ticks():
        parts.append(_grid(across(x), TOP, across(x), height - BOTTOM))
        parts.append(_text(across(x), height - BOTTOM + 18, label_of(x), "quiet", "middle"))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, height - 12, x_name, "quiet", "middle"))
    ends: list[tuple[float, str, int]] = []
    for number, (name, line) in enumerate(series.items()):
        places = [(across(x), up(y)) for x, y in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline class="line s{number % 7}" points="{path}"/>')
        parts += [_point(x, y, number) for x, y in places]
        ends.append((places[-1][1], name, number))
    for y, name, number in _spread(ends, height - BOTTOM):
        parts.append(_point(WIDTH - RIGHT + 14, y, number))
        parts.append(_text(WIDTH - RIGHT + 24, y + 4, name))
    return _document(title, height, parts)


def bars(
    title: str,
    values: Mapping[str, float],
    unit: str,
    *,
    log: bool = False,
    others: Collection[str] = (),
) -> str:
    """Horizontal bars, one a name, with their values written beside them; `others` are grey."""
    left, right = 250, 110
    height = TOP + BAR * len(values) + BOTTOM - 12
    along = scale(list(values.values()), left, WIDTH - right, log)
    bottom = TOP + BAR * len(values)
    parts = []
    for x in along.ticks():
        parts.append(_grid(along(x), TOP - 6, along(x), bottom))
        parts.append(_text(along(x), bottom + 16, label_of(x), "quiet", "middle"))
    parts.append(_text((left + WIDTH - right) / 2, height - 8, unit, "quiet", "middle"))
    for number, (name, value) in enumerate(values.items()):
        y = TOP + BAR * number
        end = along(value)
        parts.append(_text(left - 10, y + 17, name, anchor="end"))
        colour = "f6" if name in others else "f0"
        parts.append(
            f'<rect class="{colour}" x="{left}" y="{y + 3}" width="{max(end - left, 1):.1f}" '
            f'height="{BAR - 10}" rx="2"/>'
        )
        parts.append(_text(end + 7, y + 17, _value(value)))
    return _document(title, height, parts)


def _across(values: Sequence[float], log: bool) -> Scale:
    """The scale from the leftmost to the rightmost value, without going on to round ones."""
    low, high = min(values), max(values)
    if high == low:
        high = low * 2 or 1
    return Scale(low, high, LEFT + 8, WIDTH - RIGHT - 6, log)


def _value(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _spread(ends: list[tuple[float, str, int]], lowest: float) -> list[tuple[float, str, int]]:
    """The labels moved apart until none covers another, and up until all are above `lowest`."""
    least = 17.0
    placed: list[tuple[float, str, int]] = []
    for y, name, number in sorted(ends):
        placed.append((max(y, placed[-1][0] + least) if placed else y, name, number))
    over = placed[-1][0] - lowest
    if over > 0:
        placed = [(y - over, name, number) for y, name, number in placed]
    assert all(lower[0] - upper[0] >= least - 1e-6 for upper, lower in pairwise(placed))
    return placed


def _point(x: float, y: float, number: int) -> str:
    shape = number % 3
    if shape == 0:
        return f'<circle class="f{number % 7}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
    if shape == 1:
        return (
            f'<rect class="f{number % 7}" x="{x - 3.6:.1f}" y="{y - 3.6:.1f}" '
            'width="7.2" height="7.2"/>'
        )
    path = f"{x:.1f},{y - 5:.1f} {x + 4.6:.1f},{y + 3.6:.1f} {x - 4.6:.1f},{y + 3.6:.1f}"
    return f'<polygon class="f{number % 7}" points="{path}"/>'


def _grid(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="grid" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    style = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{style} text-anchor="{anchor}">{escape(text)}</text>'


def _document(title: str, height: float, parts: Sequence[str]) -> str:
    style = _STYLE.format(light=_series(_LIGHT), dark=_series(_DARK))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" '
            f'width="{WIDTH}" height="{height:.0f}" role="img" aria-label="{_quoted(title)}">',
            f"<title>{escape(title)}</title>",
            style,
            f'<rect class="page" width="{WIDTH}" height="{height:.0f}" rx="6"/>',
            _text(20, 22, title, "title"),
            *parts,
            "</svg>\n",
        ]
    )


def _quoted(text: str) -> str:
    return escape(text, {'"': "&quot;"})


def _series(colours: Sequence[str]) -> str:
    return "\n".join(
        f".s{number} {{ stroke: {colour} }} .f{number} {{ fill: {colour} }}"
        for number, colour in enumerate(colours)
    )
