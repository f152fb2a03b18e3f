"""The named games. Requests and the command line give the name as `game`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Unpack

from bestmove.errors import InvalidRules
from bestmove.game.rules import SWITCHES, Rules, Variant, require_known


@dataclass(frozen=True)
class Preset:
    """A game with a name.

    Attributes:
        name: the name in requests.
        title: the name to show to people.
    """

    name: str
    title: str
    rules: Rules


PRESETS: Final = {
    preset.name: preset
    for preset in (
        Preset("tic-tac-toe", "Tic-tac-toe", Rules(3, 3, 3)),
        Preset("gomoku", "Gomoku", Rules(15, 15, 5)),
        Preset("gomoku-standard", "Gomoku, exactly five", Rules(15, 15, 5, overline=False)),
        Preset("gomocup", "Gomoku on Gomocup's board", Rules(20, 20, 5)),
        Preset("connect-four", "Connect Four", Rules(6, 7, 4, gravity=True)),
        Preset("misere-tic-tac-toe", "Misère tic-tac-toe", Rules(3, 3, 3, misere=True)),
    )
}
"""The named games by name, in the order of `GET /games`."""


def preset(name: str) -> Preset:
    """Return the game with this name.

    Raises:
        InvalidRules: no game has that name.
    """
    if name not in PRESETS:
        raise InvalidRules(f"game must be one of {', '.join(PRESETS)}", "game")
    return PRESETS[name]


@lru_cache(maxsize=32, typed=True)  # typed: 1 and True are different keys
def rules_for(
    rows: int | None,
    columns: int | None,
    k: int | None = None,
    **variant: Unpack[Variant],
) -> Rules:
    """Return the rules of a named game, or the rules given without a name.

    `rows`, `columns` and `k` override the named game's. Without a name, give both rows and columns,
    or neither for 3×3.

    Raises:
        InvalidRules: a size is missing or out of range, no game has the name, a switch differs from
            the named game's, or the named game's k does not fit on the board.
        TypeError: an option is unknown.
    """
    require_known(variant, Variant.__optional_keys__)
    game, length = variant.get("game"), k
    named = None if game is None else preset(game).rules
    switches: dict[str, Any] = {name: variant.get(name) for name in SWITCHES}
    if named is not None:
        for name, value in switches.items():
            switches[name] = own = getattr(named, name)
            if value not in (None, own):
                raise InvalidRules(
                    f"{name} is {str(own).lower()} in {game}: leave it out, or give rows, columns "
                    "and k instead of game",
                    name,
                )
        rows = named.rows if rows is None else rows
        columns = named.columns if columns is None else columns
        length = named.k if k is None else k
    if rows is None and columns is None:
        rows = columns = Rules.rows
    if rows is None or columns is None:
        missing = "rows" if rows is None else "columns"
        raise InvalidRules(f"{missing} is missing: rows and columns come together", missing)
    given = {name: on for name, on in switches.items() if on is not None}
    try:
        return Rules.of(rows, columns, length, **given)
    except InvalidRules as error:
        if k is None and error.field == "k":  # the named game's k does not fit the board
            raise InvalidRules(
                f"{game} needs {length} in a row, but the longer side of this board of "
                f"{rows}×{columns} cells is only {max(rows, columns)}: give a larger board, or k",
                "game",
            ) from None
        raise
