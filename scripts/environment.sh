# Read by the other scripts: where the source tree is, a home that can be written, and the release build.
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

# build_release SET: the release build of one set of targets (see `wanted` in Package.swift), with one line of progress.
# When it fails, it shows the compiler's errors and returns 1; warnings are for those who work on the sources.
build_release() {
    local log="${root}/.build/release-build.log" started="${SECONDS}" build status=0
    mkdir --parents "${root}/.build"
    # Not every Swift comes with libraries to link into a program.
    if [[ -f "$(swiftc -static-stdlib -print-target-info | sed --quiet 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/linux/libswiftCore.a" ]]; then
        export SCREENTIME_STATIC=1
    fi
    SCREENTIME_ONLY="$1" swift build --package-path "${root}" --configuration release -debug-info-format none \
        --explicit-target-dependency-import-check error >"${log}" 2>&1 &
    build="$!"
    # ctrl-C ends the build too; without this it would go on in the background.
    trap 'kill "${build}" 2>/dev/null || true; exit 130' INT TERM
    show_build "${build}" "${log}" "${started}"
    wait "${build}" || status="$?"
    trap - INT TERM
    if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
    if ((status != 0)); then
        echo "Screen Time could not be built:" >&2
        grep --extended-regexp '(^|[^[:alnum:]])error:' "${log}" | sort --unique >&2 || tail --lines=20 "${log}" >&2
        echo "The whole log is ${log}." >&2
        return 1
    fi
    echo "Built Screen Time in $((SECONDS - started)) s." >&2
}

# show_build PID LOG STARTED: until that process ends, says how far it is; on a terminal in one line, elsewhere now and then.
show_build() {
    local counts shown="${SECONDS}" text
    while kill -0 "$1" 2>/dev/null; do
        sleep 0.5
        counts="$(tail --bytes=4096 "$2" | tr '\r' '\n' | sed --quiet 's/^\[\([0-9]*\)\/\([0-9]*\)\].*/\1 of \2 parts/p' | tail --lines=1)"
        text="Building Screen Time: ${counts:-preparing}, $((SECONDS - $3)) s"
        if [[ -t 2 ]]; then
            printf '\r\033[K%s' "${text}" >&2
        elif ((SECONDS - shown >= 15)); then
            shown="${SECONDS}"
            echo "${text}" >&2
        fi
    done
}
