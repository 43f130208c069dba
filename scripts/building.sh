# Sourced by the scripts that build: the development build and the optimised build, each with a line of progress.
# shellcheck shell=bash
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

# The compiler's module cache stores absolute paths, so a build folder works only where it was made.
discard_moved_build() {
    local mark="${root}/.build/made-in"
    if [[ -f "${mark}" && "$(cat "${mark}")" != "${root}" ]]; then
        echo "This source tree was moved or copied, so its build starts from the beginning." >&2
        find "${root}/.build" -mindepth 1 -maxdepth 1 ! -name tmp -exec rm --recursive --force {} +
    fi
    printf '%s' "${root}" >"${mark}"
}

# build_development SET [OPTION…]: the build for trying out and for tests, in .build/debug. SET is a list of target names or a set of
# Package.swift; an empty SET is everything. All development builds use these options: with others the compiler would
# compile every module again. Debug information takes a seventh of the CPU, Swift's usual linker a tenth, the compiler's index a
# twelfth (Tests/LinuxMain.swift), and a second process for each module a tenth, because each process reads the whole module.
build_development() {
    run_build "$1" "${root}/.build/build.log" --configuration debug -debug-info-format none --disable-index-store \
        -Xswiftc -use-ld=lld -Xswiftc -driver-batch-count -Xswiftc 1 "${@:2}"
}

# build_release SET: the optimised build, in .build/release, for packages and benchmarks.
build_release() {
    # Some Swift toolchains have no static standard library.
    if [[ -f "$(swiftc -static-stdlib -print-target-info | sed --quiet 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/linux/libswiftCore.a" ]]; then
        export SCREENTIME_STATIC=1
    fi
    run_build "$1" "${root}/.build/release-build.log" --configuration release -debug-info-format none
}

# run_build SET LOG OPTION…: builds with one line of progress. If the build fails, prints the compiler's errors and returns 1.
run_build() {
    local only="$1" log="$2" started="${SECONDS}" build status=0 errors
    shift 2
    discard_moved_build
    SCREENTIME_ONLY="${only}" swift build --package-path "${root}" --explicit-target-dependency-import-check error "$@" \
        >"${log}" 2>&1 &
    build="$!"
    # Without this, ctrl-C would leave the compiler running.
    trap 'kill "${build}" 2>/dev/null || true; exit 130' INT TERM
    show_build "${build}" "${log}" "${started}"
    wait "${build}" || status="$?"
    trap - INT TERM
    if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
    if ((status != 0)); then
        errors="$(grep --text --extended-regexp '(^|[^[:alnum:]])error:' "${log}" | sort --unique)"
        if grep --quiet --text --ignore-case 'no space left on device' "${log}"; then
            echo "The disk is full: $(df --output=target,avail --human-readable "${root}" | tail --lines=1)." \
                "Free about 3 GB there and run this again." >&2
        else
            echo "Screen Time could not be built:" >&2
            if [[ -n "${errors}" ]]; then echo "${errors}" >&2; else tail --lines=20 "${log}" >&2; fi
        fi
        echo "The whole log is ${log}." >&2
        return 1
    fi
    echo "Built Screen Time in $((SECONDS - started)) s." >&2
}

# show_build PID LOG STARTED: while that process runs, shows the share of files that are compiled: on a terminal in one line,
# elsewhere every 15 seconds. Only a first build has a known amount of work; others show their time.
show_build() {
    local shown="${SECONDS}" is_first=yes total=0 share="" text
    if (($(count_objects) > 0)); then is_first=no; fi
    while kill -0 "$1" 2>/dev/null; do
        sleep 0.5
        if [[ "${is_first}" == yes && "${total}" == 0 && "${root}/.build/debug.yaml" -nt "${root}/.build/made-in" ]]; then
            total="$(grep --only-matching '/[^/"]*\.build/[^/"]*\.swift\.o"' "${root}/.build/debug.yaml" | sort --unique | wc --lines)"
        fi
        if ((total > 0)); then share="$((100 * $(count_objects) / total)) %, "; fi
        text="Building Screen Time: ${share}$((SECONDS - $3)) s"
        if [[ -t 2 ]]; then
            printf '\r\033[K%s' "${text}" >&2
        elif ((SECONDS - shown >= 15)); then
            shown="${SECONDS}"
            echo "${text}" >&2
        fi
    done
}

# count_objects: how many files of the development build are compiled. Swift's own link .build/debug comes with the end of a build.
count_objects() {
    { find "${root}/.build/$(uname --machine)-unknown-linux-gnu/debug" -mindepth 2 -maxdepth 2 -name '*.swift.o' || true; } 2>/dev/null | wc --lines
}
