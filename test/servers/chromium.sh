#!/usr/bin/env bash
# Chromium of the system without a window, for the DevTools protocol. env: PORT (9222). Runs without a sandbox as root.
set -euo pipefail
NAME=chromium
PORT=${PORT:-9222}
# shellcheck source-path=SCRIPTDIR source=server-process.sh
. "${BASH_SOURCE[0]%/*}/server-process.sh"
URL=http://127.0.0.1:$PORT
prepare_folders
exit_when_up "$URL"
need curl 'Install it (Debian: apt-get install curl).'

if ! command -v chromium >/dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } >&2
  else
    fail 'chromium is missing. Install it (Debian: apt-get install chromium).'
  fi
fi

COMMAND=(chromium --headless=new "--remote-debugging-port=$PORT" "--user-data-dir=$RUN/profile" --no-first-run
  --disable-gpu --disable-dev-shm-usage --disable-background-networking --disable-component-update about:blank)
[ "$(id -u)" != 0 ] || COMMAND+=(--no-sandbox)
start_in_background "${COMMAND[@]}"
wait_until_it_answers "$URL" curl -sf "$URL/json/version"
