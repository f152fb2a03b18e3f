"""The characters that mean X, O and an empty cell, in texts and arrays.

All marks of a board are of one kind:

    letters            X x ✕ ✖ × ❌ Х Ｘ    O o ⭕ ◯ ○ О Ｏ    (Х and О are also Cyrillic)
    colours            🔴 🟥               🟡 🟨 or 🔵 🟦      ⚪ and ⚫ are then empty
    black and white    ⚫                  ⚪                  only beside another empty mark
    discs              ●                   ○                   (○ without ● is a letter)

Beside each kind, empty is . - _ + ? * ⬜ ⬛ ◻ ◼ ▫ ▪ · ・ ． or the full-width space. A variation
selector, which chooses between a coloured and a plain sign, means nothing.
"""

from __future__ import annotations

from typing import Final

from bestmove.errors import InvalidNotation, show
from bestmove.game.rules import EMPTY, O, X

EMPTY_MARKS: Final = ".-_+?*"
"""The ASCII characters that mean an empty cell. A space means an empty cell in some texts."""

EMPTY_SIGNS: Final = "⬜⬛◻◼▫▪·・．\u3000"
SELECTORS: Final = dict.fromkeys((0xFE0E, 0xFE0F))
"""Removes the variation selectors."""

KINDS: Final = {
    "letters": ("Xx✕✖×❌ХхＸｘ", "Oo⭕◯ОоＯｏ"),
    "colours": ("🔴🟥", "🟡🟨🔵🟦"),
    "black and white": ("⚫", "⚪"),
    "discs": ("●", ""),
}
"""For each kind, the characters for X and for O that no other kind has."""

_SECOND_COLOURS: Final = (frozenset("🟡🟨"), frozenset("🔵🟦"))


def meanings(found: frozenset[str], has_empty: bool = False) -> dict[int, str | None]:
    """Return the meanings of a board's characters, as a table for `str.translate`.

    Args:
        found: all characters of the board.
        has_empty: the board has empty cells without a character.

    Raises:
        InvalidNotation: the marks are of two kinds, or a character has two meanings.
    """
    used = {kind: sorted(found.intersection(x + o)) for kind, (x, o) in KINDS.items()}
    used = {kind: signs for kind, signs in used.items() if signs}
    if "○" in found and "discs" not in used:
        used.setdefault("letters", ["○"])
    has_empty = has_empty or not found.isdisjoint(EMPTY_MARKS + EMPTY_SIGNS)
    circles = used.get("black and white", [])
    if "colours" in used:
        used.pop("black and white", None)
        _require_two_colours(found, circles, has_empty)
    elif circles and not has_empty:
        told = f"{show(circles[0])} can be a mark or an empty cell: write . for empty cells"
        raise InvalidNotation(told)
    if len(used) > 1:
        shown = " and ".join(f"{show(signs[0])} ({kind})" for kind, signs in used.items())
        raise InvalidNotation(f"the board has marks of different kinds, {shown}: use one kind")
    table: dict[int, str | None] = {**SELECTORS, ord("○"): O}
    table |= dict.fromkeys(map(ord, EMPTY_SIGNS + "".join(circles)), EMPTY)
    x, o = next((KINDS[kind] for kind in used), ("", ""))
    return table | dict.fromkeys(map(ord, x), X) | dict.fromkeys(map(ord, o), O)


def _require_two_colours(found: frozenset[str], circles: list[str], has_empty: bool) -> None:
    """Refuse colours that can be read in two ways. `circles`: those of ⚪ and ⚫ that occur."""
    second = [sorted(found & colour)[0] for colour in _SECOND_COLOURS if found & colour]
    if found.isdisjoint(KINDS["colours"][0]):
        raise InvalidNotation(f"{show(second[0])} is O only beside a red mark, which is X")
    if len(second) > 1:
        raise InvalidNotation(f"{' and '.join(map(show, second))} can both be O: use one of them")
    if circles and not second and (has_empty or len(circles) > 1):
        told = f"beside red marks, {show(circles[0])} can be O or an empty cell"
        raise InvalidNotation(f"{told}: use 🟡 for O, or one character for all empty cells")
