#!/usr/bin/env bash
# Runs the tests. A stage that fails does not stop the others.
#
#   scripts/test.sh           format, scripts, warnings, units, golden files, real processes, a story on X11 and one on sway
#   scripts/test.sh --all     also GNOME and KWin, browsers, the package on whole computers, networks, the lab, short fault loops
#   scripts/test.sh NAME…     builds and runs only these test targets, such as ActivityTests
#
# Started as root, it runs the tests as the account screentime-test. Suites that need root run apart from the others, with --all.
# The time of each stage is in .build/stages.tsv, that of each test in .build/durations.tsv.
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
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
    as_root=(sudo --non-interactive --preserve-env)
fi

logs="${root}/.build/test-logs"
stages="${root}/.build/stages.tsv"
rm --recursive --force "${logs}" "${stages}"
mkdir --parents "${logs}"
say() { echo "== $*" >&2; }

# cpu_seconds: of all that this shell has started and waited for.
cpu_seconds() {
    local file="${logs}/times.${BASHPID}"
    times >"${file}"
    awk -F '[ms ]+' 'NR == 2 { printf "%.0f", $1 * 60 + $2 + $3 * 60 + $4 }' "${file}"
    rm "${file}"
}

# stage NAME COMMAND…: runs it with its output in a log, and writes down how it ended, its time and its CPU.
stage() {
    local name="$1" started="${SECONDS}" before status=0
    shift
    say "${name}"
    before="$(cpu_seconds)"
    "$@" >"${logs}/${name}.log" 2>&1 || status="$?"
    printf '%s\t%s\t%s\t%s\n' "${name}" "$((SECONDS - started))" "$(($(cpu_seconds) - before))" "${status}" >>"${stages}"
    if ((status != 0)); then
        say "${name} failed; ${logs}/${name}.log ends with:"
        grep --text --extended-regexp --after-context=3 '(✘|error:|warning:)' "${logs}/${name}.log" | tail --lines=80 >&2 ||
            tail --lines=30 "${logs}/${name}.log" >&2
    fi
    return 0
}

# tests WIDTH ARGUMENT…: the test program without SwiftPM, which lets only one of itself run at a time.
tests() {
    .build/debug/screentimePackageTests.xctest --testing-library swift-testing --parallel \
        --experimental-maximum-parallelization-width "$@"
}

check_format() {
    swift format lint --strict --parallel --configuration .swift-format --recursive Package.swift Services Shared Tests
}

check_scripts() { shellcheck --external-sources scripts/*.sh scripts/screentime .ci/run; }

# A file with a warning is compiled again by the next build, or that build would not show the warning.
check_warnings() {
    local warnings
    # Samples of apps' sources have `@unknown default`, which is a warning on Linux, where modules do not evolve.
    warnings="$(grep --text --extended-regexp "^${root}/(Services|Shared|Tests|Package).*warning:" .build/build.log |
        grep --invert-match --extended-regexp 'Tests/Samples/Sources.*: switch must be exhaustive' | sort --unique || true)"
    if [[ -z "${warnings}" ]]; then return; fi
    echo "${warnings}"
    cut --delimiter=: --fields=1 <<<"${warnings}" | sort --unique | xargs --delimiter='\n' touch --no-create
    return 1
}

check_leftovers() {
    local left
    left="$(find /tmp /dev/shm -maxdepth 1 -name "st-${SCREENTIME_SCRATCH_MARK}-*")"
    if [[ -z "${left}" ]]; then return; fi
    echo "error: tests have left behind: ${left}"
    return 1
}

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

# Whole computers, other desktops and browsers are left out of the short form, and so is what repeats for long.
heavy='RootTests|ConsolePageTests|LabBuildTests'
if ((${#targets[@]} > 0)); then
    stage tests "${account[@]}" bash -c "$(declare -f tests); tests 4 --skip RootTests"
elif [[ "${all}" == no ]]; then
    stage tests "${account[@]}" bash -c "$(declare -f tests); tests 4 --skip '${heavy}'"
else
    stage package "${account[@]}" scripts/package.sh --development
    # Whole computers wait most of the time.
    {
        stage root "${as_root[@]}" bash -c "$(declare -f tests); tests 2 --filter RootTests"
        stage desktops env SCREENTIME_DESKS=gnome43,kwin5 "${as_root[@]}" \
            bash -c "$(declare -f tests); tests 2 --filter '^DesktopSystemTests\\.(Desk|WaylandSites)'"
    } &
    stage tests "${account[@]}" bash -c "$(declare -f tests); tests 4 --skip '${heavy}'"
    stage page "${account[@]}" bash -c "$(declare -f tests); tests 1 --filter ConsolePageTests"
    stage lab "${account[@]}" bash -c "$(declare -f tests); tests 1 --filter LabBuildTests"
    wait
fi
stage leftovers check_leftovers
whole="${SECONDS}"$'\t'"$(cpu_seconds)"

sed --quiet --regexp-extended 's/^✔ (Test|Suite) (.*) (with .* )?passed after ([0-9.]+) seconds\.$/\4\t\1\t\2/p' "${logs}"/*.log |
    sort --numeric-sort --reverse >.build/durations.tsv
echo "The twenty slowest tests, in seconds:"
grep --text "$(printf '\tTest\t')" .build/durations.tsv | head --lines=20 || true
column --table --separator "$(printf '\t')" --table-columns STAGE,SECONDS,CPU,STATUS "${stages}"
grep --text --no-filename 'Test run with' "${logs}"/*.log || true
printf 'whole\t%s\t0\n' "${whole}" >>"${stages}"
awk -F '\t' '$1 == "whole" { next } $4 == 0 { passed++ } $4 != 0 { failed++; names = names " " $1 }
    END { if (failed) print "Failed:" names; printf "stages: %d passed, %d failed\n", passed, failed; exit failed > 0 }' "${stages}"
