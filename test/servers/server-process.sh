# shellcheck shell=bash
# What the scripts of this folder share: sourced, never run. The caller has set NAME (its folder) and PORT.
# Everything fetched and everything running lies below SERVERS; RUN is the folder of one running server: configuration, data, log, pid.
SERVERS=${TEST_SERVERS:-/var/tmp/triad-servers}
DIR=$SERVERS/$NAME
RUN=${FOLDER:-$DIR/run-$PORT}
PID_FILE=$RUN/pid
# Filled by run_as_nobody.
AS_OTHER=()

fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

need() { # COMMAND WHAT-TO-DO
  command -v "$1" >/dev/null || fail "the command $1 is missing. $2"
}

# Starts that happen side by side neither fetch the same thing twice (lock 8, until the server is started) nor start the same
# server twice (lock 9, until it answers).
prepare_folders() {
  mkdir -p "$DIR" "$RUN" || fail "cannot write to $SERVERS. Choose another folder with TEST_SERVERS."
  need flock 'It belongs to util-linux.'
  exec 8>>"$DIR/lock" 9>>"$RUN/lock"
  flock 9
  flock 8
}

# A process id is used again by the system; the time of its start tells whether it is still the same process.
started_at() { # PID
  ps -o lstart= -p "$1" 2>/dev/null || true
}

is_up() {
  local pid
  [ -f "$PID_FILE" ] || return 1
  pid=$(cat "$PID_FILE")
  # A process that ended and that its parent has not waited for counts as gone.
  case $(ps -o stat= -p "$pid" 2>/dev/null) in '' | Z*) return 1 ;; esac
  [ ! -f "$RUN/started" ] || [ "$(cat "$RUN/started")" = "$(started_at "$pid")" ]
}

# Otherwise it is about to be started: with FRESH=1 on no data of earlier runs.
exit_when_up() { # URL
  if is_up; then
    printf 'already up pid=%s url=%s\n' "$(cat "$PID_FILE")" "$1"
    exit 0
  fi
  [ "${FRESH:-}" != 1 ] || find "$RUN" -mindepth 1 -maxdepth 1 ! -name lock -exec rm -rf {} +
}

# Of a Java home, without starting it: 17, 25 ...
java_major() { # HOME
  sed -n 's/^JAVA_VERSION="\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' "$1/release" 2>/dev/null
}

# Sets JDK to the first Java of a version from FIRST to LAST: $TEST_JAVA, then the one on PATH, $JAVA_HOME, /usr/lib/jvm.
find_java() { # FIRST LAST [FILE-THAT-IT-NEEDS-IN-BIN]
  local home major found='' on_path=''
  on_path=$(command -v java || true)
  [ -z "$on_path" ] || on_path=$(dirname "$(dirname "$(readlink -f "$on_path")")")
  for home in "${TEST_JAVA:-}" "$on_path" "${JAVA_HOME:-}" /usr/lib/jvm/*; do
    [ -n "$home" ] && [ -x "$home/bin/${3:-java}" ] || continue
    major=$(java_major "$home")
    [ -n "$major" ] || continue
    found="$found $major"
    if [ "$major" -ge "$1" ] && [ "$major" -le "$2" ]; then
      # shellcheck disable=SC2034  # the scripts of the servers read it
      JDK=$home
      return
    fi
  done
  fail "needs a JDK of version $1 to $2; found:${found:- none}. Install one, or name its folder in TEST_JAVA."
}

# Sets ARTIFACT to the file of a Maven artifact, fetched when the local repository lacks it.
fetch_artifact() { # GROUP NAME VERSION
  local repository=${MAVEN_REPOSITORY:-$HOME/.m2/repository}
  ARTIFACT=$repository/${1//.//}/$2/$3/$2-$3.zip
  [ -f "$ARTIFACT" ] && return
  need mvn 'Install Maven (Debian: apt-get install maven); the server comes from Maven Central.'
  mvn -q -B -Dmaven.repo.local="$repository" dependency:get -Dtransitive=false "-Dartifact=$1:$2:$3:zip" </dev/null ||
    fail "Maven could not fetch $1:$2:$3 from Maven Central. The first start needs the network."
}

# Some servers refuse to be run by root: then they are run by nobody, who gets the folder of the run.
run_as_nobody() {
  [ "$(id -u)" = 0 ] || return 0
  need setpriv 'It belongs to util-linux.'
  chown -R 65534:65534 "$RUN"
  AS_OTHER=(setpriv --reuid=65534 --regid=65534 --clear-groups)
}

# In a session of its own, so that the process group has the number of the process and can be ended as one.
start_in_background() { # COMMAND ...
  need setsid 'It belongs to util-linux.'
  setsid "${AS_OTHER[@]}" "$@" </dev/null >>"$RUN/stdout.log" 2>&1 8>&- 9>&- &
  printf '%s\n' "$!" >"$PID_FILE"
  started_at "$!" >"$RUN/started"
  flock -u 8
}

# Until the check succeeds. The server is ended when it does not answer in time.
wait_until_it_answers() { # URL CHECK ...
  local url=$1 began=$SECONDS
  shift
  while ! "$@" >/dev/null 2>&1; do
    if ! is_up; then
      tail -n 40 "$RUN/stdout.log" >&2
      fail "the server ended while it started. Its log is $RUN/stdout.log"
    fi
    if [ $((SECONDS - began)) -ge "${START_TIMEOUT:-180}" ]; then
      kill -KILL -- "-$(cat "$PID_FILE")" 2>/dev/null || true
      fail "no answer from $url within ${START_TIMEOUT:-180} s. Its log is $RUN/stdout.log"
    fi
    sleep 0.2
  done
  printf 'pid=%s url=%s seconds=%s\n' "$(cat "$PID_FILE")" "$url" "$((SECONDS - began))"
}
