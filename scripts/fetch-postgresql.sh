#!/usr/bin/env bash
# Prints where the programs of PostgreSQL are: those that are installed, or else Debian's, which it fetches into .build/postgresql. Installing the
# package would start a server of its own.
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

folder="${root}/.build/postgresql"

fetch() {
    local names file
    echo "Fetching Debian's PostgreSQL into .build/postgresql: about 20 MB, 80 MB unpacked." >&2
    rm --recursive --force --one-file-system "${folder}.new"
    mkdir --parents "${folder}.new"
    cd "${folder}.new"
    mapfile -t names < <(apt-get --simulate --no-install-recommends install postgresql-15 \
        | awk '$1 == "Inst" && $2 ~ /^(postgresql-15|postgresql-client-15|lib.*)$/ {print $2}')
    if ((${#names[@]} == 0)); then
        echo "apt knows no package postgresql-15. Try apt-get update." >&2
        return 1
    fi
    apt-get --quiet=2 download "${names[@]}"
    for file in *.deb; do dpkg-deb --extract "${file}" .; done
    rm --force -- *.deb
    rm --recursive --force --one-file-system "${folder}"
    mv "${folder}.new" "${folder}"
}

find_programs() {
    local found
    for found in /usr/lib/postgresql/*/bin "${folder}"/usr/lib/postgresql/*/bin; do
        if [[ -x "${found}/initdb" && -x "${found}/postgres" ]]; then programs="${found}"; fi
    done
}

programs=""
find_programs
if [[ -z "${programs}" ]]; then
    # Of two that begin at once one fetches.
    mkdir --parents "${root}/.build"
    exec {lock}>"${folder}.lock"
    flock "${lock}"
    find_programs
    if [[ -z "${programs}" ]]; then
        fetch
        find_programs
    fi
fi
[[ -n "${programs}" ]] || { echo "There is no PostgreSQL; see above." >&2 && exit 1; }
echo "${programs}"
