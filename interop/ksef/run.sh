#!/bin/sh
# The laboratory's KSeF, driven by a client of somebody else, and every call and answer held against
# the published description where it is at hand.
set -eu
cd "$(dirname "$0")"
programs=${CARGO_TARGET_DIR:-$(cd ../../target && pwd)}/debug
python=${PYTHON:-../.venv/bin/python}
shared=${QUOIN_SHARED:-$(cd ../../.. && pwd)/shared}
work=$(mktemp -d)
mkfifo "$work/stop"
port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$programs/examples/ksef" "$work" "$port" "http://ksef.quoin.example:$port" < "$work/stop" > /dev/null &
lab=$!
exec 3> "$work/stop"
trap 'exec 3>&-; wait "$lab" || true; rm -rf "$work"' EXIT
for _ in $(seq 100); do [ -e "$work/ksef.json" ] && break; sleep 0.1; done
timeout 300 "$python" client.py "$work" invoice.xml
exec 3>&-
wait "$lab"
trap 'rm -rf "$work"' EXIT
if [ -d "$shared/ksef-data" ]; then
  # With QUOIN_KSEF_EXCHANGES also the calls of the service, as its stories write them there:
  # QUOIN_KSEF_EXCHANGES=FILE cargo test -p quoin --test it ksef::kill
  "$python" schema.py "$shared/ksef-data/openapi/open-api-2.6.0.json" "$work/exchanges.jsonl" \
    ${QUOIN_KSEF_EXCHANGES:+"$QUOIN_KSEF_EXCHANGES"}
else
  echo "skipped: the description of KSeF: no official artefacts at $shared"
fi
