#!/bin/sh
# The engine plays a game against itself. Each question is the last answer's `after.board` with its `rules`.
#
#     sh loop.sh [GAME] [SERVICE]    such as: sh loop.sh connect-four http://127.0.0.1:8000
#
# It needs curl and jq.
set -eu
game=${1:-tic-tac-toe}
service=${2:-http://127.0.0.1:8000}

question="{\"game\": \"$game\"}"
status=in_progress
while [ "$status" = in_progress ]; do
  answer=$(curl -sS --fail-with-body -d "$question" "$service/best-move") ||
    { printf '%s\n' "$answer" >&2; exit 1; }
  printf '%s' "$answer" | jq -r '"\(.turn) plays \(.move.name). \(.reason.text)"'
  question=$(printf '%s' "$answer" | jq -c '{board: .after.board} + .rules')
  status=$(printf '%s' "$answer" | jq -r .after.status)
done
printf '%s' "$answer" | jq -r '.after | if .winner then "\(.winner) wins." else "A draw." end'
