#!/usr/bin/env bash
# Sets the machine up and checks everything: formatting, lints, documentation, tests.
#
#   deploy/test.sh                       all of it
#   deploy/test.sh fmt clippy            some of: fmt clippy doc test
#   deploy/test.sh test -p kembara       one crate's; what follows a dash goes to cargo
#
# The last line counts tests, with every other check as one. A test whose data is not there says
# SKIPPED: and is counted as such; with CI=true that fails.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. deploy/setup.sh

steps=()
while [ $# -gt 0 ] && [[ $1 != -* ]]; do
    case $1 in
    fmt | clippy | doc | test) steps+=("$1") ;;
    *) give_up "unknown check $1: choose from fmt, clippy, doc, test" ;;
    esac
    shift
done
if [[ ${1-} = --help || ${1-} = -h ]]; then
    sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' deploy/test.sh
    exit
fi
[ ${#steps[@]} -gt 0 ] || steps=(fmt clippy doc test)
packages=("$@")
[ ${#packages[@]} -gt 0 ] || packages=(--workspace)

set_up
# Some tests play whole games against another Othello program; without it they are skipped.
if [[ " ${steps[*]} " == *" test "* ]] && ! [ -x "$(PATH=$PATH:/usr/games type -P gtp-rhino)" ]; then
    (install_packages grhino) || say "going on without rhino"
fi
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-auto}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0 failed=0 skipped=0

check() {
    say "== $*"
    if "$@" </dev/null; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

run_tests() {
    # --show-output: a skipped test says so on its output, which is hidden otherwise.
    say "== cargo test ${packages[*]}"
    cargo test --locked --no-fail-fast "${packages[@]}" -- --show-output </dev/null 2>&1 | tee "$log"
    local status=${PIPESTATUS[0]} good bad
    good=$(sed -n 's/^test result: .* \([0-9]*\) passed;.*/\1/p' "$log" | awk '{n += $1} END {print n + 0}')
    bad=$(sed -n 's/^test result: .* \([0-9]*\) failed;.*/\1/p' "$log" | awk '{n += $1} END {print n + 0}')
    skipped=$(grep -c '^SKIPPED:' "$log")
    # Whatever stopped cargo without failing a test has failed too, such as code that does not compile.
    [ "$status" = 0 ] || [ "$bad" -gt 0 ] || bad=1
    passed=$((passed + good - skipped)) failed=$((failed + bad))
    grep '^SKIPPED:' "$log" | sort
    grep -E '^test .* \.\.\. FAILED$' "$log" | sort -u
}

for step in "${steps[@]}"; do
    case $step in
    fmt) check cargo fmt --all --check ;;
    clippy) check cargo clippy --locked "${packages[@]}" --all-targets --quiet -- -D warnings ;;
    doc) check env RUSTDOCFLAGS='-D warnings' cargo doc --locked "${packages[@]}" --no-deps --quiet ;;
    test) run_tests ;;
    esac
done

if [ "${CI-}" = true ] && [ "$skipped" -gt 0 ]; then
    say "error: with CI=true nothing may be skipped"
    outcome=1
else
    outcome=$((failed > 0))
fi
echo "$passed passed, $failed failed, $skipped skipped"
exit "$outcome"
