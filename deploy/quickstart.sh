#!/usr/bin/env bash
# From a fresh clone to bred Othello players: sets the machine up, builds, and runs the first steps
# with a database, a coordinator and a worker of their own. Running it again shows the report.
# Arguments go to `kembara up`, for example: deploy/quickstart.sh --generations 5
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. deploy/setup.sh

set_up
say "building (some minutes the first time)"
cargo build --release --locked --quiet -p kembara
exec cargo run --release --locked --quiet -p kembara -- up specs/first-steps.toml "$@"
