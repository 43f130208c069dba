#!/usr/bin/env bash
# Measures, prints a table, and exits 1 when a bar is missed, or 3 when something could not be measured.
#
#   scripts/bench.sh [NAME…]     request, events, ingest, crossings, simulate, policy, decisions, report, coder, idle, commands, data, machines, desktop;
#                                all when none is named
#     --aged                     on a household of four with five weeks and on the same with three years behind it, which it makes
#                                once in .build/aged (about a quarter of an hour); with --short 30 days
#     --short                    fewer rounds: a minute instead of several
#     --peer                     `report` also puts its year to ActivityWatch's server, which it installs in .build/peer, and brings it in from there
#     --no-bars                  exit 0 also when a bar is missed: for machines that are busy with other things
#     --json FILE                where the figures go as JSON (default: .build/bench.json)
#
# `crossings` is about moments and not speed: where it runs beside other things, put `chrt -r 10` in front (as root).
#
# Every speed is measured together with its baseline in the same run: plain libzmq in C with the same bytes over the
# same transport. Run it while nothing else runs, or the figures are those of the other programs.
set -euo pipefail
# shellcheck source=scripts/building.sh
source "$(dirname "${BASH_SOURCE[0]}")/building.sh"
cd "${root}"
# What benches write down is nothing for the journal of this machine.
export SCREENTIME_JOURNAL=0

bars=yes
json="${root}/.build/bench.json"
peer=no
arguments=()
while (($# > 0)); do
    case "$1" in
        --help) sed --quiet '2,/^set /s/^# \{0,1\}//p' "$0" && exit 0 ;;
        --no-bars) bars=no ;;
        --peer) peer=yes ;;
        --aged) arguments+=(--aged "${root}/.build/aged") ;;
        --json) json="$(realpath --canonicalize-missing -- "${2:?--json wants a file}")" && shift ;;
        *) arguments+=("$1") ;;
    esac
    shift
done

scripts/setup.sh
if [[ "${peer}" == yes ]]; then
    # These versions go together; the newest ones, which the server would choose, do not.
    [[ -x .build/peer/bin/aw-server ]] || {
        python3 -m venv .build/peer
        .build/peer/bin/pip install --quiet 'aw-server==0.12.0' 'peewee<4' 'flask==2.2.5'
    }
    export SCREENTIME_BENCH_PYTHON="${root}/.build/peer/bin/python"
    export SCREENTIME_BENCH_PEER="${root}/Tests/Bench/Peer/activitywatch.py"
fi
build_release bench
status=0
.build/release/screentime-bench "${arguments[@]}" --json "${json}" || status=$?
# 1 is a missed bar; anything else means that it could not measure at all.
if [[ "${bars}" == no && "${status}" == 1 ]]; then status=0; fi
exit "${status}"
