#!/usr/bin/env bash
# The first walk through the API, with nothing but curl and Node: bash scripts/walk.sh you@example.org 'your password'
: "${2:?Usage: bash scripts/walk.sh EMAIL PASSWORD}"
cd "$(dirname "$0")/.."
set -euo pipefail
base=${KENNING_URL:-http://127.0.0.1:8484}
json='content-type: application/json'
# Prints the answer; of a refusal the error, and the walk stops.
call() { local body; body=$(curl -sS --fail-with-body "$@") || { echo "$body" >&2; return 1; }; echo "$body"; }
field() { node -pe "JSON.parse(fs.readFileSync(0)).$1" 2>/dev/null; }
jar=$(mktemp) && trap 'rm -f "$jar"' EXIT

# Sign in, and fetch a token for programs: it lasts 15 minutes, the cookie fetches the next one.
node -p 'JSON.stringify({ email: process.argv[1], password: process.argv[2] })' "$1" "$2" |
  call -c "$jar" -H "$json" -d @- "$base/session" >/dev/null
token=$(call -b "$jar" -X POST -H "origin: $base" "$base/session/token" | field access_token)
auth="authorization: Bearer $token"

# A workspace, a file, and its job until it is done: each file says done, or failed and why.
id=$(call -H "$auth" -H "$json" -d '{"name":"Contracts"}' "$base/v1/workspaces" | field id)
job=$(call -H "$auth" -F files=@examples/lease-ropewalk-yard.pdf "$base/v1/workspaces/$id/files" | field id)
until status=$(call -H "$auth" "$base/v1/jobs/$job" | field status) || exit; [ "$status" = done ]; do sleep 1; done
call -H "$auth" "$base/v1/jobs/$job"
# Its text is found from now on; when the workspace is ready, also what it means, and its names are in the graph.
until ready=$(call -H "$auth" "$base/v1/workspaces/$id" | field ready) || exit; [ "$ready" = true ]; do sleep 1; done

# Search, and ask.
call -H "$auth" -H "$json" -d '{"query":"written notice","limit":1}' "$base/v1/workspaces/$id/search"
call -H "$auth" -H "$json" -d '{"question":"How many months’ written notice end the lease?"}' \
  "$base/v1/workspaces/$id/ask" | field answer
