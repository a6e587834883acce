#!/usr/bin/env bash
# Keycloak, an identity provider, in development mode. env: PORT (8081), MANAGEMENT_PORT (PORT+1000), HEAP (512m), TEST_JAVA (17 or newer),
# ADMIN (admin), ADMIN_PASSWORD (admin): the administrator that the first start makes.
set -euo pipefail
VERSION=26.7.3
NAME=keycloak
PORT=${PORT:-8081}
MANAGEMENT_PORT=${MANAGEMENT_PORT:-$((PORT + 1000))}
# shellcheck source-path=SCRIPTDIR source=server-process.sh
. "${BASH_SOURCE[0]%/*}/server-process.sh"
URL=http://127.0.0.1:$PORT
prepare_folders
exit_when_up "$URL"
need curl 'Install it (Debian: apt-get install curl).'
find_java 17 99

PROGRAM=$DIR/keycloak-$VERSION
if [ ! -f "$PROGRAM/.ok" ]; then
  need unzip 'Install it (Debian: apt-get install unzip).'
  fetch_artifact org.keycloak keycloak-quarkus-dist "$VERSION"
  rm -rf "$PROGRAM"
  unzip -q "$ARTIFACT" -d "$DIR"
  [ "${KEEP_PACKAGE:-0}" = 1 ] || rm -f "$ARTIFACT"
  touch "$PROGRAM/.ok"
fi

HEAP=${HEAP:-512m}
mkdir -p "$RUN"/{data,tmp}
unset JAVA_TOOL_OPTIONS
# It starts often and lives briefly: what it costs to start counts.
export JAVA_HOME=$JDK JAVA_OPTS_KC_HEAP="-Xms128m -Xmx$HEAP" JAVA_OPTS_APPEND="-XX:TieredStopAtLevel=1 -Djava.io.tmpdir=$RUN/tmp"
export KC_BOOTSTRAP_ADMIN_USERNAME=${ADMIN:-admin} KC_BOOTSTRAP_ADMIN_PASSWORD=${ADMIN_PASSWORD:-admin}
cd "$RUN"
# The data of each run lies in its folder; the program is shared.
start_in_background bash "$PROGRAM/bin/kc.sh" start-dev --http-host=127.0.0.1 "--http-port=$PORT" \
  "--http-management-port=$MANAGEMENT_PORT" --health-enabled=true --cache=local \
  "--db-url=jdbc:h2:file:$RUN/data/keycloak;NON_KEYWORDS=VALUE;DB_CLOSE_ON_EXIT=FALSE"
wait_until_it_answers "$URL" curl -sf "$URL/realms/master/.well-known/openid-configuration"
