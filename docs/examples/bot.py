"""Play against the service, which knows the rules: python bot.py [GAME [SERVICE]]"""

import sys
from typing import Any

import requests

GAME = sys.argv[1] if len(sys.argv) > 1 else "tic-tac-toe"
SERVICE = sys.argv[2] if len(sys.argv) > 2 else "http://127.0.0.1:8000"


def ask(path: str, question: dict[str, Any]) -> dict[str, Any]:
    response = requests.post(SERVICE + path, json=question, timeout=30)
    answer: dict[str, Any] = response.json()
    if not response.ok:  # each `detail` says what to change
        raise ValueError("; ".join(each["detail"] for each in answer.get("errors", [answer])))
    return answer


answer = ask("/best-move", {"game": GAME})  # the empty board and its rules
rules, after = answer["rules"], {"board": answer["board"], "status": "in_progress"}
while after["status"] == "in_progress":
    cells, width = after["board"].replace("/", ""), rules["columns"]
    for row in range(rules["rows"]):
        print(f"{rules['rows'] - row:2}", *cells[row * width :][:width])
    print("  ", *"abcdefghijklmnopqrst"[:width])
    try:
        move = {"board": after["board"], "move": input("Your move, such as a1: "), "level": 3}
        answer = ask("/play", rules | move)
    except EOFError:  # Ctrl-D leaves the game
        sys.exit()
    except ValueError as error:
        print(error)
        continue
    after = answer["after"]  # after your move and the reply
    if answer["move"]:
        print("I play", answer["move"]["name"])
print(after["board"], "A draw." if after["winner"] is None else f"{after['winner']} wins.")
