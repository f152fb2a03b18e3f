"""The parts of the report, written as Markdown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Headline:
    """One line of the summary.

    Attributes:
        what: the comparison in words.
        figure: the measured ratio or time.
        target: the value that the figure should reach, if there is one.
        reached: whether the figure reaches the target.
    """

    what: str
    figure: str
    target: str = ""
    reached: bool | None = None


@dataclass
class Section:
    """A part of the report.

    Attributes:
        blocks: paragraphs and tables, in Markdown.
    """

    title: str
    blocks: list[str] = field(default_factory=list)
    headlines: list[Headline] = field(default_factory=list)

    def say(self, text: str) -> None:
        self.blocks.append(text)

    def table(self, heading: Sequence[str], rows: Sequence[Sequence[object]], title: str) -> None:
        """Add a table with its first column aligned left and the others right."""
        self.blocks += [f"### {title}", table(heading, rows)]

    def headline(
        self, what: str, figure: str, target: str = "", reached: bool | None = None
    ) -> None:
        self.headlines.append(Headline(what, figure, target, reached))


def table(heading: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    texts = [[_cell(cell) for cell in row] for row in [heading, *rows]]
    rule = [":--", *["--:"] * (len(heading) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [texts[0], rule, *texts[1:]])


def _cell(cell: object) -> str:
    return str(cell).replace("|", "\\|").replace("\n", " ")


def number(value: float) -> str:
    """Write a number with three significant digits, and commas between thousands.

    >>> number(1234567), number(45.678), number(0.04567)
    ('1,234,567', '45.7', '0.0457')
    """
    return f"{value:,.0f}" if not value or abs(value) >= 99.95 else f"{value:#.3g}"


def seconds(value: float) -> str:
    """Write a time in the largest of the units s, ms, µs and ns that is not larger than the time.

    >>> seconds(2.5e-6), seconds(0.0431), seconds(12.34), seconds(200)
    ('2.50 µs', '43.1 ms', '12.3 s', '200 s')
    """
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if abs(value) >= unit:
            return f"{number(value / unit)} {name}"
    return f"{number(value / 1e-9)} ns"


def times(value: float) -> str:
    """Write a ratio as a factor.

    >>> times(12.3456), times(0.912)
    ('12.3×', '0.912×')
    """
    return f"{number(value)}×"


def written(sections: Sequence[Section], machine: Mapping[str, str], command: str) -> str:
    headlines = [line for section in sections for line in section.headlines]
    parts = [
        "# What Best Move costs, compared with its alternatives",
        f"Written by `{command}`: every figure is from one run on one machine. Ratios come first, "
        "because they are similar on other machines. All contenders were measured in each round, "
        "one after another, and a ratio is the median of the rounds' ratios.",
    ]
    if headlines:
        parts += ["## In short", table(["", "measured", "target", ""], _summary(headlines))]
    for section in sections:
        parts += [f"## {section.title}", *section.blocks]
    parts += ["## The machine", table(["", ""], list(machine.items()))]
    return "\n\n".join(parts) + "\n"


def _summary(headlines: Sequence[Headline]) -> list[tuple[str, str, str, str]]:
    marks = {True: "reached", False: "missed", None: ""}
    return [(line.what, line.figure, line.target, marks[line.reached]) for line in headlines]


def save(
    folder: Path, sections: Sequence[Section], machine: Mapping[str, str], command: str
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "report.md"
    path.write_text(written(sections, machine, command), encoding="utf-8")
    return path
