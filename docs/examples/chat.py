"""A chat bot's replies: two people play in a channel, and the engine plays where it is asked to.

Your chat's library calls `reply` with each message; asyncio: `await asyncio.to_thread(reply, ...)`.
"""

from bestmove.bots import Engine
from bestmove.errors import BestMoveError

engine = Engine()  # `bestmove.client.Client("http://127.0.0.1:8000")` has the same methods
games: dict[str, tuple[str, str]] = {}
"""The game and its moves, by channel."""

HELP = "`!new connect-four` begins a game, `!d1` makes a move, `!bot 3` lets level 3 move."


def reply(channel: str, message: str) -> str | None:
    """Return the answer to a message; None if the message is not for the bot."""
    command, _, rest = message.removeprefix("!").partition(" ")
    if not message.startswith("!"):
        return None
    game, moves = games.get(channel, ("tic-tac-toe", ""))
    try:
        if command == "help":
            return HELP
        if command == "new":
            game, moves = rest or "tic-tac-toe", ""
        elif command == "bot":
            answer = engine.best_move(game=game, moves=moves, level=int(rest or 10), time_ms=500)
            if answer.move is not None:
                moves += f" {answer.move.name}"
        else:
            moves += f" {command}"
        position = engine.best_move(game=game, moves=moves, time_ms=50)
    except (BestMoveError, ValueError) as error:
        return f"{error}. {HELP}"
    games[channel] = game, moves
    board = "\n".join(" ".join(row) for row in position.board.rows())
    ended = "A draw." if position.winner is None else f"{position.winner} wins."
    return f"```\n{board}\n```\n{ended if position.is_over else f'{position.turn} to move.'}"
