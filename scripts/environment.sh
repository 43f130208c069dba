# Read by the other scripts: where the source tree is, and a home that can be written.
# shellcheck shell=bash

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

# A container may start us without a home or with one that belongs to another account, and both Swift and the state of
# the services need one.
if [[ -z "${HOME:-}" || ! -w "${HOME}" ]]; then
    HOME="$(getent passwd "$(id --user)" | cut --delimiter=: --fields=6 || true)"
    if [[ -z "${HOME}" || ! -w "${HOME}" ]]; then
        HOME="${root}/.build/home"
        mkdir --parents "${HOME}"
    fi
    export HOME
fi

# Swift leaves folders behind wherever temporary files go; in the build folder they are in no one's way.
export TMPDIR="${root}/.build/tmp"
mkdir --parents "${TMPDIR}"
