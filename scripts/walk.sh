#!/usr/bin/env bash
# A first tour of the API with curl and Node: bash scripts/walk.sh you@example.org 'your password'
: "${2:?Usage: bash scripts/walk.sh EMAIL PASSWORD}"
cd "$(dirname "$0")/.."
set -euo pipefail
base=${KENNING_URL:-http://127.0.0.1:8484}
json='content-type: application/json'
# Prints the response; on an error prints that and stops the script.
call() { local body; body=$(curl -sS --fail-with-body "$@") || { echo "$body" >&2; return 1; }; echo "$body"; }
field() { node -pe "JSON.parse(fs.readFileSync(0)).$1" 2>/dev/null; }
jar=$(mktemp) && trap 'rm -f "$jar"' EXIT

# Sign in and get an access token. It lasts 15 minutes; the session cookie can get the next one.
node -p 'JSON.stringify({ email: process.argv[1], password: process.argv[2] })' "$1" "$2" |
  call -c "$jar" -H "$json" -d @- "$base/session" >/dev/null
token=$(call -b "$jar" -X POST -H "origin: $base" "$base/session/token" | field access_token)
auth="authorization: Bearer $token"

# Create a workspace, upload a file, and wait for its job. The result says for each file: done, or failed and why.
id=$(call -H "$auth" -H "$json" -d '{"name":"Contracts"}' "$base/v1/workspaces" | field id)
job=$(call -H "$auth" -F files=@examples/lease-ropewalk-yard.pdf "$base/v1/workspaces/$id/files" | field id)
until status=$(call -H "$auth" "$base/v1/jobs/$job" | field status) || exit; [ "$status" = done ]; do sleep 1; done
call -H "$auth" "$base/v1/jobs/$job"
# The text can be searched now. Once the workspace is ready, so can its meaning and the knowledge graph.
until ready=$(call -H "$auth" "$base/v1/workspaces/$id" | field ready) || exit; [ "$ready" = true ]; do sleep 1; done

# Search, and ask.
call -H "$auth" -H "$json" -d '{"query":"written notice","limit":1}' "$base/v1/workspaces/$id/search"
call -H "$auth" -H "$json" -d '{"question":"How many months’ written notice end the lease?"}' \
  "$base/v1/workspaces/$id/ask" | field answer
