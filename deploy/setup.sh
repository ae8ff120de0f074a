# Sets a Debian machine up for building and running Kembara; read by quickstart.sh and test.sh.
# Wants a Rust toolchain, installs the rest where it is missing, and touches nothing that is there.

say() { printf '%s\n' "$*" >&2; }

give_up() {
    say "error: $*"
    exit 1
}

find_cargo() {
    command -v cargo >/dev/null && return
    PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
    command -v cargo >/dev/null || give_up "no Rust toolchain: install one from https://rustup.rs, then run this again"
}

has_compiler() {
    printf '#include <stdio.h>\nint main(void) { return 0; }\n' | cc -x c -o /dev/null - 2>/dev/null
}

has_postgres() {
    local folder
    for folder in "$(pg_config --bindir 2>/dev/null)" /usr/lib/postgresql/*/bin /usr/pgsql-*/bin \
        /usr/local/pgsql/bin /opt/homebrew/opt/postgresql*/bin /usr/local/opt/postgresql*/bin \
        "$(dirname "$(command -v initdb || echo /none/initdb)")"; do
        [ -x "$folder/initdb" ] && [ -x "$folder/postgres" ] && return
    done
    return 1
}

install_packages() {
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || give_up "missing: $*; ask an administrator for: apt-get install $*"
        as_root=(sudo)
    fi
    command -v apt-get >/dev/null ||
        give_up "missing: $* (these are Debian's names): install them, or what your system calls them, and run this again"
    say "installing: $*"
    local get=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y
        -o Dpkg::Options::=--force-confold --no-install-recommends)
    "${get[@]}" update >&2 || give_up "apt-get update failed; see above"
    # Debian starts a database of its own with the package. Nobody asked for that one.
    local settings=/etc/postgresql-common/createcluster.conf
    if [[ " $* " == *" postgresql "* ]] && [ ! -e "$settings" ]; then
        "${get[@]}" install postgresql-common >&2 || give_up "apt-get install postgresql-common failed; see above"
        "${as_root[@]}" sed -i 's/^#\?create_main_cluster.*/create_main_cluster = false/' "$settings"
    fi
    "${get[@]}" install "$@" >&2 || give_up "apt-get install $* failed; see above"
}

set_up() {
    find_cargo
    local missing=()
    has_compiler || missing+=(gcc libc6-dev)
    has_postgres || missing+=(postgresql)
    # The tests end processes with kill, and cargo fetches crates over TLS.
    command -v kill >/dev/null && [ -x "$(type -P kill)" ] || missing+=(procps)
    [ -e /etc/ssl/certs/ca-certificates.crt ] || [ ! -e /etc/debian_version ] || missing+=(ca-certificates)
    [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
}
