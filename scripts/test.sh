#!/usr/bin/env bash
# Runs the tests. A stage that fails does not stop the others.
#
#   scripts/test.sh           format, scripts, warnings, units, golden files, real processes, a story on X11 and one on sway
#   scripts/test.sh --all     also GNOME and KWin, browsers, the package on whole computers, networks, the lab, short fault loops
#   scripts/test.sh NAME…     builds and runs only these test targets, such as ActivityTests
#
# Started as root, it runs the tests as the account screentime-test. Suites that need root run apart from the others, with --all.
# .build/stages.tsv lists the time of each stage, and .build/durations.tsv the time of each test.
set -euo pipefail
# shellcheck source=scripts/stages.sh
source "$(dirname "${BASH_SOURCE[0]}")/stages.sh"
cd "${root}"

all=no
targets=()
while (($# > 0)); do
    case "$1" in
        --all) all=yes ;;
        --help) sed --quiet '2,/^set /s/^# \{0,1\}//p' "$0" && exit 0 ;;
        -*) echo "test.sh: $1 is not known; see --help." >&2 && exit 2 ;;
        *) targets+=("$1") ;;
    esac
    shift
done

account=()
as_root=()
if [[ "$(id --user)" == 0 ]]; then
    account=(scripts/as-account.sh)
elif [[ "${all}" == yes ]]; then
    if ! sudo --non-interactive true 2>/dev/null; then
        echo "test.sh --all starts whole computers and networks, which needs root. Run: sudo scripts/test.sh --all" >&2
        exit 2
    fi
    # shellcheck disable=SC2034  # run_as has it by its name
    as_root=(sudo --non-interactive --preserve-env)
fi

scripts/setup.sh --test

export SCREENTIME_SCRATCH_MARK="$$"
# Tests must not write into the journal of this machine.
export SCREENTIME_JOURNAL=0
# Tests read English, whatever the language of this account.
unset LC_ALL LC_MESSAGES
export LANG=C.UTF-8

stage format check_format
stage scripts check_scripts
stage build "${account[@]}" scripts/build.sh "${targets[@]}"
if [[ "$(tail --lines=1 "${stages}" | cut --fields=4)" != 0 ]]; then exit 1; fi
stage warnings check_warnings

# run_tests STAGE WIDTH ARGUMENT…: runs tests as the ordinary account. It starts the test program directly, because two
# `swift test` processes cannot use one build folder.
run_tests() { run_as account "$@"; }
run_root_tests() { run_as as_root "$@"; }
run_as() {
    local -n launcher="$1"
    stage "$2" "${launcher[@]}" .build/debug/screentimePackageTests.xctest --testing-library swift-testing --parallel \
        --experimental-maximum-parallelization-width "$3" --event-stream-output-path "${logs}/$2-$3.events" "${@:4}"
}

apart=(--skip RootTests --skip '^ProcessTests\.ConsolePageTests' --skip LabBuildTests)
if ((${#targets[@]} > 0)); then
    run_tests tests 4 --skip RootTests
elif [[ "${all}" == no ]]; then
    export SCREENTIME_SCALE="${SCREENTIME_SCALE:-fast}"
    run_tests tests 4 "${apart[@]}" --skip '^(ScreenTests|DesktopTests)\.' \
        --skip '^DesktopSystemTests\.(?!XStoryTests|SwayStoryTests)' \
        --skip '(HouseholdSuite|KillLoopTests|DamagesDownTests|ConnectionFloodTests)'
else
    stage package "${account[@]}" scripts/package.sh --development
    # Whole computers wait most of the time.
    run_root_tests root 2 --filter RootTests &
    run_tests tests 4 "${apart[@]}"
    wait "$!"
    SCREENTIME_DESKS=gnome43,kwin5 run_root_tests desktops 2 --filter '^DesktopSystemTests\.(Desk|WaylandSites)'
    # The browser of the page waits most of the time, and the lab compiles.
    run_tests page 1 --filter ConsolePageTests &
    run_tests lab 1 --filter LabBuildTests
    wait "$!"
fi
stage leftovers check_leftovers
measure_cpu
show_stages "${SECONDS}"$'\t'"${cpu}"
