#!/usr/bin/env bash
# One OpenSearch node from the jars on Maven Central. env: PORT (9200), TPORT (PORT+100), HEAP (1g), TEST_JAVA (a JDK of 21 or newer).
set -euo pipefail
NAME=opensearch
PORT=${PORT:-9200}
TPORT=${TPORT:-$((PORT + 100))}
# shellcheck source-path=SCRIPTDIR source=server-process.sh
. "${BASH_SOURCE[0]%/*}/server-process.sh"
SOURCE=$(cd "${BASH_SOURCE[0]%/*}/opensearch" && pwd)
URL=http://127.0.0.1:$PORT
prepare_folders
exit_when_up "$URL"
need curl 'Install it (Debian: apt-get install curl).'
# The node's main class is compiled when it starts, so a runtime without compiler is not enough.
find_java 21 99 javac

if [ ! -f "$DIR/lib/.ok" ]; then
  need mvn 'Install Maven (Debian: apt-get install maven); the server comes from Maven Central.'
  mvn -q -B -f "$SOURCE/pom.xml" -Dmaven.repo.local="${MAVEN_REPOSITORY:-$HOME/.m2/repository}" \
    dependency:copy-dependencies "-DoutputDirectory=$DIR/lib" -DincludeScope=runtime </dev/null ||
    fail 'Maven could not fetch OpenSearch from Maven Central. The first start needs the network.'
  rm -f "$DIR"/lib/netty-codec-native-quic-*-{osx,windows,linux-aarch}*.jar
  touch "$DIR/lib/.ok"
fi

HEAP=${HEAP:-1g}
mkdir -p "$RUN/repo"
unset JAVA_TOOL_OPTIONS
cd "$RUN"
start_in_background "$JDK/bin/java" "-Xms$HEAP" "-Xmx$HEAP" -XX:+UseSerialGC \
  --add-modules=jdk.incubator.vector --enable-native-access=ALL-UNNAMED -Djava.awt.headless=true \
  -cp "$DIR/lib/*" "$SOURCE/OpenSearchNode.java" "$RUN" "$PORT" "$TPORT"
wait_until_it_answers "$URL" curl -sf "$URL/_cluster/health?wait_for_status=yellow&timeout=1s"
