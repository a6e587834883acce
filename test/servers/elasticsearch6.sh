#!/usr/bin/env bash
# Elasticsearch 6 on its usual test port: see elasticsearch.sh.
set -euo pipefail
exec bash "${BASH_SOURCE[0]%/*}/elasticsearch.sh" 6
