#!/usr/bin/env bash
# Builds Screen Time and runs all its services.
#
#   scripts/run-all.sh             build, start, show what the services say; ctrl-C stops them
#     --demo                       a made-up household, separate from your own data
#     --detach                     continue in the background once all services are ready
#     --only a,b                   only these services
#     --fresh                      first delete everything that was recorded (asks first; with --yes it does not)
#     --run-dir DIR                where the sockets are, instead of $XDG_RUNTIME_DIR/screentime
#     --state-dir DIR              where the databases are, instead of ~/.local/state/screentime
#   scripts/run-all.sh --status    how the services are; builds nothing
#   scripts/run-all.sh --stop      stop what runs in the background; builds nothing
set -euo pipefail
# shellcheck source=scripts/building.sh
source "$(dirname "${BASH_SOURCE[0]}")/building.sh"

# How the command is typed from where the person is, for the texts that say what to type next.
command="${root}/scripts/screentime"
if [[ "${PWD}" == "${root}" ]]; then command="scripts/screentime"; fi
export SCREENTIME_COMMAND="${command}"

action=up
is_demo=no
arguments=()

need_value() {
    if (($2 < 2)); then echo "run-all.sh: $1 needs a value; see --help." >&2 && exit 2; fi
}

absolute() { realpath --canonicalize-missing --no-symlinks -- "$1"; }

while (($# > 0)); do
    case "$1" in
        --status) action=status ;;
        --stop) action=down ;;
        --demo) is_demo=yes ;;
        --detach | --fresh | --yes) arguments+=("$1") ;;
        --only) need_value "$1" $# && arguments+=("$1" "$2") && shift ;;
        --run-dir) need_value "$1" $# && SCREENTIME_RUN="$(absolute "$2")" && export SCREENTIME_RUN && shift ;;
        --state-dir) need_value "$1" $# && SCREENTIME_STATE="$(absolute "$2")" && export SCREENTIME_STATE && shift ;;
        --help) sed --quiet '2,/^set /s/^# \{0,1\}//p' "$0" && exit 0 ;;
        *) echo "run-all.sh: $1 is not known; see --help." >&2 && exit 2 ;;
    esac
    shift
done

case "${action}" in
    status)
        if [[ "${is_demo}" == yes && -z "${SCREENTIME_RUN:-}" ]]; then
            # Where `system up --demo` puts its sockets.
            SCREENTIME_RUN="${XDG_RUNTIME_DIR:+${XDG_RUNTIME_DIR}/screentime}"
            export SCREENTIME_RUN="${SCREENTIME_RUN:-/tmp/screentime-$(id --user)}-demo"
        fi
        exec "${root}/scripts/screentime" status
        ;;
    down)
        if [[ "${is_demo}" == yes ]]; then arguments=(--demo); else arguments=(); fi
        exec "${root}/scripts/screentime" system down "${arguments[@]}"
        ;;
esac

"${root}/scripts/setup.sh"
if [[ ! -x "${root}/.build/debug/screentime" ]]; then
    echo "The first build of Screen Time takes one to five minutes on two cores. Later builds take seconds." >&2
fi
# Also rebuild programs that the command has built on first use, or they would be older than the services.
set=start
for name in household-service link-service console browser-host; do
    if [[ -x "${root}/.build/debug/${name}" ]]; then set+=",${name}"; fi
done
if [[ -x "${root}/.build/debug/simulator" ]]; then set+=",developer"; fi
build_development "${set}"

if [[ "${is_demo}" == yes ]]; then arguments+=(--demo); fi
exec "${root}/.build/debug/screentime" system up "${arguments[@]}"
