#!/usr/bin/env bash
# Redis, as the system has it. env: PORT (6390), APPENDONLY (no; yes: writes survive a kill), PASSWORD (none).
set -euo pipefail
NAME=redis
PORT=${PORT:-6390}
# shellcheck source-path=SCRIPTDIR source=server-process.sh
. "${BASH_SOURCE[0]%/*}/server-process.sh"
URL=redis://127.0.0.1:$PORT
prepare_folders
exit_when_up "$URL"

if ! command -v redis-server >/dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends redis-server; } >&2
  else
    fail 'redis-server is missing. Install it (Debian: apt-get install redis-server).'
  fi
fi

COMMAND=(redis-server --bind 127.0.0.1 --port "$PORT" --dir "$RUN" --save '' --appendonly "${APPENDONLY:-no}" --appendfsync always)
[ -z "${PASSWORD:-}" ] || COMMAND+=(--requirepass "$PASSWORD")
answers() {
  REDISCLI_AUTH=${PASSWORD:-} redis-cli -p "$PORT" ping | grep -q PONG
}
start_in_background "${COMMAND[@]}"
wait_until_it_answers "$URL" answers
