#!/usr/bin/env bash
# Checks everything: format, scripts, build without warnings, tests, short benches. One that fails does not keep the next
# from running. With --quick: the rules of all modules and services, the golden messages, and the story from the desktop to
# an extension with real processes, without benches. Further arguments go to `swift test`, such as `--filter StoreTests`.
# The last lines are the test runner's own.
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
cd "${root}"

quick=no
if [[ "${1:-}" == --quick ]]; then
    quick=yes
    shift
    units=Tidy,Platform,Crypto,Store,Domain,Contracts,Runtime,Simulation,Rendering,Auth,Activity,Monitor,Shield,Report,Notifier
    # A tenth of the simulated world's seeds.
    export SCREENTIME_SEEDS=50
    set -- --filter "^(${units//,/|})Tests\\." --filter 'ThresholdStoryTests' "$@"
fi
failed=()
say() { echo "== $*" >&2; }

scripts/setup.sh --test

say "format"
swift format lint --strict --parallel --configuration .swift-format --recursive Package.swift Services Shared Tests \
    || failed+=(format)

say "scripts"
shellcheck --external-sources scripts/*.sh scripts/screentime .ci/run || failed+=(scripts)

say "build"
mkdir --parents .build
log=.build/test-build.log
if ! swift build --build-tests --explicit-target-dependency-import-check error >"${log}" 2>&1; then
    grep --text --extended-regexp 'error:|warning:' "${log}" >&2 || cat "${log}" >&2
    exit 1
fi
# Apps' sources, of which there are samples, have `@unknown default`: it is a warning on Linux, where modules do not evolve.
warnings="$(grep --text --extended-regexp "^${root}/(Services|Shared|Tests|Package).*warning:" "${log}" |
    grep --invert-match --extended-regexp 'Tests/Samples/Sources.*: switch must be exhaustive' | sort --unique || true)"
if [[ -n "${warnings}" ]]; then
    # What was compiled is not compiled again, so without this the next run would not see the warnings.
    cut --delimiter=: --fields=1 <<<"${warnings}" | sort --unique | xargs --delimiter='\n' touch --no-create
    failed+=(warnings)
fi

say "tests"
log=.build/test-run.log
: >"${log}"
export SCREENTIME_SCRATCH_MARK="$$"
# What tests write down is nothing for the journal of this machine.
export SCREENTIME_JOURNAL=0
# Tests read English, also where the person who runs them does not.
unset LC_ALL LC_MESSAGES
export LANG=C.UTF-8
if [[ "${quick}" == no ]]; then
    # By themselves: whole computers beside the other tests would make all of them slow.
    say "package"
    {
        scripts/package.sh &&
            SCREENTIME_PACKAGE=1 swift test --skip-build \
                --filter 'PackageTests|ProtectTests|ComputerAccountTests|WaysTests|SittingTests|PupilsTests'
    } 2>&1 | tee --append "${log}" || failed+=(package)
    say "page"
    SCREENTIME_CONSOLE=1 swift test --skip-build --filter ConsolePageTests 2>&1 | tee --append "${log}" || failed+=(page)
    say "walk: types what README says"
    scripts/walk.sh 2>&1 | tee --append "${log}" || failed+=(walk)
    say "lab: compiles the frameworks as an app's package does"
    SCREENTIME_LAB=1 swift test --skip-build --filter LabBuildTests 2>&1 | tee --append "${log}" || failed+=(lab)
fi
# A few at a time: many of them start whole systems, and all at once would only wait for each other.
swift test --skip-build --parallel --experimental-maximum-parallelization-width 4 "$@" 2>&1 |
    tee --append "${log}" || failed+=(tests)

left="$(find /tmp /dev/shm -maxdepth 1 -name "st-$$-*")"
if [[ -n "${left}" ]]; then
    echo "tests have left behind: ${left}" >&2
    failed+=(leftovers)
fi

if [[ "${quick}" == no ]]; then
    # That they can be measured is checked; whether the bars are met depends on what else this machine does.
    say "benchmarks"
    scripts/bench.sh --short --no-bars || failed+=(benchmarks)
fi
if ((${#failed[@]} > 0)); then
    # What failed stands far above by now, and some readers see nothing but the end.
    grep --text --extended-regexp --after-context=3 '(✘|error:)' "${log}" | tail --lines=80 >&2 || true
    echo "${warnings}" >&2
    say "failed: ${failed[*]}"
    tail --lines=3 "${log}"
    exit 1
fi
tail --lines=3 "${log}"
