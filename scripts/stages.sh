# Sourced by test.sh: runs the stages of a check, and records the status and the cost of each.
# shellcheck shell=bash
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

logs="${root}/.build/test-logs"
stages="${root}/.build/stages.tsv"
rm --recursive --force "${logs}" "${stages}"
mkdir --parents "${logs}"
say() { echo "== $*" >&2; }

# measure_cpu: sets cpu to the CPU seconds of this shell's finished child processes. Do not call it in a subshell.
measure_cpu() {
    local file="${logs}/times.${BASHPID}"
    times >"${file}"
    cpu="$(awk -F '[ms ]+' 'NR == 2 { printf "%.0f", $1 * 60 + $2 + $3 * 60 + $4 }' "${file}")"
    rm "${file}"
}

# show_failures LOG COUNT: prints each failure, error and warning in LOG with the COUNT lines after it, at most 80 lines in all.
# Cuts lines after 500 characters, because a test prints its arguments. Returns 1 if it finds none.
show_failures() {
    local found kind
    # The C locale processes bytes, because program output can contain invalid UTF-8.
    found="$(for kind in '✘ .* recorded an issue|.*Fatal error:|error:|[^ ]+: error:' '[^ ]+: warning:'; do
        LC_ALL=C grep --text --extended-regexp --no-group-separator --after-context="$2" "^(${kind})" "$1" || true
    done | LC_ALL=C sed --quiet 's/^\(.\{500\}\).*/\1…/; 1,80p')"
    [[ -n "${found}" ]] && printf '%s\n' "${found}"
}

# stage NAME COMMAND…: runs the command with its output in a log, and records its status, time and CPU time.
stage() {
    local name="$1" started="${SECONDS}" before cpu status=0
    shift
    say "${name}"
    measure_cpu
    before="${cpu}"
    "$@" >"${logs}/${name}.log" 2>&1 || status="$?"
    measure_cpu
    printf '%s\t%s\t%s\t%s\n' "${name}" "$((SECONDS - started))" "$((cpu - before))" "${status}" >>"${stages}"
    if ((status != 0)); then
        say "${name} failed; ${logs}/${name}.log contains:"
        show_failures "${logs}/${name}.log" 3 >&2 || tail --lines=30 "${logs}/${name}.log" >&2
    fi
    return 0
}

check_format() {
    swift format lint --strict --parallel --configuration .swift-format --recursive Package.swift Services Shared Tests
}

check_scripts() { shellcheck --external-sources scripts/*.sh scripts/screentime .ci/run; }

# Touches each file with a warning, because only a build that compiles the file prints the warning.
check_warnings() {
    local warnings
    # Samples of apps' sources have `@unknown default`, which is a warning on Linux, where modules do not evolve.
    warnings="$(grep --text --extended-regexp "^${root}/(Services|Shared|Tests|Package).*warning:" .build/build.log |
        grep --invert-match --extended-regexp 'Tests/DeveloperKit/Samples/Sources.*: switch must be exhaustive' | sort --unique || true)"
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

# show_stages: the slowest tests, the time and failures of each stage, and how many passed. Returns 1 if one failed.
show_stages() {
    (cd "${logs}" && "${root}/scripts/durations.py" ./*.events) >.build/durations.tsv
    echo "The twenty slowest tests, in seconds:"
    grep --text --max-count=20 "$(printf '\ttest\t')" .build/durations.tsv || true
    awk -F '\t' 'BEGIN { print "stage         seconds      CPU  status" } { printf "%-12s %8d %8d %7d\n", $1, $2, $3, $4 }' "${stages}"
    grep --text --no-filename 'Test run with' "${logs}"/*.log || true
    printf "whole\t%s\t0\n" "$1" >>"${stages}"
    awk -F '\t' '$4 > 0 { print $1 }' "${stages}" | while read -r name; do
        show_failures "${logs}/${name}.log" 0 || true
    done
    awk -F '\t' '$1 == "whole" { next } $4 == 0 { passed++ } $4 != 0 { failed++; names = names " " $1 }
        END { if (failed) print "Failed:" names; printf "stages: %d passed, %d failed\n", passed, failed; exit failed > 0 }' "${stages}"
}
