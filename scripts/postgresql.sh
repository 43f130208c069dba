#!/usr/bin/env bash
# A PostgreSQL of one's own, for tests and trials: in one folder, for one account, without root and without a change to this computer.
#
#   scripts/postgresql.sh start FOLDER [--port PORT]   starts it and prints its address, which `store` in the settings of
#                                                      household-service takes. With a port it listens on 127.0.0.1 too, over TLS and
#                                                      with a password; otherwise it has a socket in FOLDER alone
#   scripts/postgresql.sh stop FOLDER                  ends it; what it keeps stays in FOLDER, and the next start goes on with it
#
# It takes the PostgreSQL that is installed. Without one it fetches Debian's package (about 20 MB) into .build/postgresql.
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

fail() { echo "postgresql.sh: $*" >&2 && exit 1; }

# PostgreSQL refuses root. In a space of its own root is another account, to which root's folders still belong.
alone() {
    if [[ "$(id --user)" == 0 ]]; then set -- unshare --user --map-user=1000 --map-group=1000 "$@"; fi
    "$@"
}

# make_ground FOLDER: the empty database.
make_ground() {
    local word && word="$(head --bytes=24 /dev/urandom | base64 | tr --delete '+/=\n')"
    (umask 077 && echo "${word}" >"$1/password" && echo "*:*:*:screentime:${word}" >"$1/pgpass")
    rm --recursive --force --one-file-system "$1/new"
    alone "${programs}/initdb" --pgdata "$1/new" --auth-host scram-sha-256 --username screentime --pwfile "$1/password" --encoding UTF8 --locale C.UTF-8 \
        >"$1/initdb.log" 2>&1 || fail "the database could not be made; see $1/initdb.log."
    # Whoever may look into the folder is its owner.
    printf 'local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n' >"$1/new/pg_hba.conf"
    mv "$1/new" "$1/data"
}

# make_certificate DATA: for its port.
make_certificate() {
    openssl req -new -x509 -days 3650 -nodes -subj /CN=127.0.0.1 -addext 'subjectAltName = IP:127.0.0.1' \
        -keyout "$1/server.key" -out "$1/server.crt" 2>/dev/null || fail "openssl made no certificate; is it installed?"
    chmod 0600 "$1/server.key"
}

# forget_dead DATA: removes what a server has left that was killed, and that no program has buried yet: its successor takes it for alive.
forget_dead() {
    local pid
    pid="$(head --lines=1 "$1/postmaster.pid" 2>/dev/null)" || return 0
    if [[ ! -d "/proc/${pid}" || "$(cut --delimiter=' ' --fields=3 "/proc/${pid}/stat" 2>/dev/null)" == Z ]]; then
        rm --force "$1/postmaster.pid"
    fi
}

start() {
    local port="${2:-}" listen="" tls=off asked
    mkdir --parents "${folder}"
    chmod 0700 "${folder}"
    [[ -f "${folder}/data/PG_VERSION" ]] || make_ground "${folder}"
    if [[ -n "${port}" ]]; then
        listen=127.0.0.1 tls=on
        [[ -f "${folder}/data/server.crt" && -f "${folder}/data/server.key" ]] || make_certificate "${folder}/data"
    fi
    asked=(--host "${folder}" --port "${port:-5432}" --username screentime --dbname postgres)
    # Programs of one that was killed end a moment after it, and hold its memory until then.
    for _ in {1..20}; do
        if alone "${programs}/pg_isready" --quiet "${asked[@]}"; then break; fi
        forget_dead "${folder}/data"
        alone "${programs}/pg_ctl" --pgdata "${folder}/data" --log "${folder}/log" --wait --timeout 60 --silent --options \
            "-c listen_addresses='${listen}' -c port=${port:-5432} -c unix_socket_directories='${folder}' -c ssl=${tls} ${POSTGRESQL_OPTIONS:-}" \
            start >"${folder}/start.log" 2>&1 </dev/null || sleep 0.3
    done
    if ! alone "${programs}/psql" "${asked[@]}" --tuples-only --no-align --command "SELECT datname FROM pg_database" \
        | grep --quiet --line-regexp screentime; then
        alone "${programs}/psql" --quiet "${asked[@]}" --command "CREATE DATABASE screentime" || fail "it did not start; see ${folder}/log."
    fi
    if [[ -z "${port}" ]]; then
        echo "postgresql://screentime@/screentime?host=${folder}"
    else
        echo "postgresql://screentime@127.0.0.1:${port}/screentime?sslmode=verify-full&sslrootcert=${folder}/data/server.crt&passfile=${folder}/pgpass"
    fi
}

stop() {
    forget_dead "${folder}/data"
    [[ -f "${folder}/data/postmaster.pid" ]] || return 0
    alone "${programs}/pg_ctl" --pgdata "${folder}/data" --wait --timeout 30 --silent --mode fast stop
}

case "${1:-} ${3:-}" in
    "start " | "start --port" | "stop ") ;;
    --help*) sed --quiet '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "$0" && exit 0 ;;
    *) fail "it takes start FOLDER [--port PORT] or stop FOLDER; --help says more." ;;
esac
folder="$(realpath --canonicalize-missing -- "${2:?a folder is missing}")"
# A socket's path has at most 107 bytes.
((${#folder} <= 85)) || fail "the path of ${folder} is too long for a socket; take a shorter one."
programs="$("${root}/scripts/fetch-postgresql.sh")"
# Those that are not installed have their libraries beside them.
if [[ "${programs}" == "${root}"* ]]; then
    LD_LIBRARY_PATH="$(realpath "${programs}/../../..")/$(uname --machine)-linux-gnu"
    export LD_LIBRARY_PATH
fi
"$1" "${folder}" "${4:-}"
