"""An agent for Kaggle's ConnectX in one file: it asks a Best Move service for each move.

Copy the file and insert your service's address. It needs only the standard library. If no answer
arrives in time, the agent plays the free column nearest to the middle.
"""

import json
import sys
import threading
import urllib.request
from typing import Any

URL = "http://127.0.0.1:8000"

THINKING_SHARE = 0.6  # The share of actTimeout for the search.
MOST_MS = 10_000  # The longest search in ms that a service allows by default.
WAITING_SHARE = 0.9  # The share of actTimeout after which the agent plays without an answer.


def ask(observation: dict[str, Any], configuration: dict[str, Any], answers: list[int]) -> None:
    """Ask the service for a move. Append the move's column to `answers`, or print an error."""
    board, columns = list(observation["board"]), configuration["columns"]
    seconds = configuration["actTimeout"]
    question = {
        "board": [board[start : start + columns] for start in range(0, len(board), columns)],
        "k": configuration["inarow"],
        "gravity": True,
        "time_ms": min(max(10, int(seconds * 1000 * THINKING_SHARE)), MOST_MS),
    }
    request = urllib.request.Request(
        URL.rstrip("/") + "/best-move",
        json.dumps(question).encode(),
        {"Content-Type": "application/json", "Accept": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=seconds) as response:
            answers.append(json.load(response)["move"]["column"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"no answer from {URL}: {error}", file=sys.stderr)


def agent(observation: dict[str, Any], configuration: dict[str, Any]) -> int:
    """Return the column to play. Kaggle calls the last function of a file."""
    answers: list[int] = []
    asking = threading.Thread(target=ask, args=(observation, configuration, answers), daemon=True)
    asking.start()
    asking.join(configuration["actTimeout"] * WAITING_SHARE)
    if answers:
        return answers[0]
    columns = configuration["columns"]
    free = [column for column in range(columns) if not observation["board"][column]]
    return min(free, key=lambda column: abs(2 * column - (columns - 1)))
