#!/usr/bin/env bash
# stop.sh NAME|all: ends what the scripts of this folder started, and waits until it is gone. NAME is that of a script without `.sh`.
# env: PORT (only the one on that port; default: all of that name).
set -euo pipefail
SERVERS=${TEST_SERVERS:-/var/tmp/triad-servers}
case ${1:-} in
  all) NAMES=(opensearch elasticsearch6 elasticsearch8 elasticsearch9 redis s3-seaweed keycloak chromium) ;;
  s3) NAMES=(s3-seaweed) ;;
  opensearch | elasticsearch6 | elasticsearch8 | elasticsearch9 | redis | keycloak | chromium) NAMES=("$1") ;;
  *) printf 'stop.sh: say which: opensearch, elasticsearch6, elasticsearch8, elasticsearch9, redis, s3, keycloak, chromium or all.\n' >&2; exit 2 ;;
esac
ONLY_PORT=${PORT:-}

end_server() { # NAME PORT
  # shellcheck disable=SC2034  # server-process.sh reads them
  NAME=$1 PORT=$2
  FOLDER=''
  # shellcheck source-path=SCRIPTDIR source=server-process.sh
  . "${BASH_SOURCE[0]%/*}/server-process.sh"
  local pid
  if is_up; then
    pid=$(cat "$PID_FILE")
    kill -TERM "$pid"
    for _ in {1..300}; do
      is_up || break
      sleep 0.1
    done
    # All that is left of it: a launcher that is gone can leave its server.
    kill -KILL -- "-$pid" 2>/dev/null || true
    printf 'stopped %s pid=%s port=%s\n' "$1" "$pid" "$2"
  fi
  rm -f "$PID_FILE" "$RUN/started"
}

shopt -s nullglob
for name in "${NAMES[@]}"; do
  for file in "$SERVERS/$name"/run-*/pid; do
    port=${file%/pid}
    port=${port##*/run-}
    [ -n "$ONLY_PORT" ] && [ "$ONLY_PORT" != "$port" ] || end_server "$name" "$port"
  done
done
