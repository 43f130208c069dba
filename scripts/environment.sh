# Sourced by the other scripts: sets the path of the source tree and a writable home folder.
# shellcheck shell=bash
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

# A container may start us without a home or with a home of another user, and both Swift and the state of the services
# need one.
if [[ -z "${HOME:-}" || ! -w "${HOME}" ]]; then
    HOME="$(getent passwd "$(id --user)" | cut --delimiter=: --fields=6 || true)"
    if [[ -z "${HOME}" || ! -w "${HOME}" ]]; then
        HOME="${root}/.build/home"
        mkdir --parents "${HOME}"
    fi
    export HOME
fi

# Swift leaves folders behind where temporary files go; in the build folder they do no harm.
export TMPDIR="${root}/.build/tmp"
mkdir --parents "${TMPDIR}"
