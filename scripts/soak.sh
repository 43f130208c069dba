#!/usr/bin/env bash
# The long tests, a night: the whole system and the simulation at their full figures, every desktop, the optimised package on whole
# computers, the benchmarks, and the walk through the documents. Further arguments go to the first `swift test`.
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
cd "${root}"

scripts/setup.sh --test
account=()
if [[ "$(id --user)" == 0 ]]; then account=(scripts/as-account.sh); fi
"${account[@]}" scripts/build.sh
export SCREENTIME_SCALE=soak
# Tests must not write into the journal of this machine.
export SCREENTIME_JOURNAL=0
# One after the other, so that the figures are those of an otherwise idle machine.
"${account[@]}" swift test --skip-build --no-parallel --skip 'ClockHistoryTests|RootTests' \
    --filter '^(SimulationTests|ReportTests|ProcessTests|SimulateTests|LabTests|ScreenTests|DesktopTests|DesktopSystemTests)\.' "$@"

# Whole computers: every way of a child, GNOME on a protected one, a thousand logins, switches and kills; one with a kernel of its own,
# which sleeps.
"${account[@]}" scripts/package.sh
if [[ "$(id --user)" == 0 ]]; then swift test --skip-build --no-parallel --filter RootTests; fi
scripts/desks.sh

"${account[@]}" scripts/walk.sh
"${account[@]}" scripts/bench.sh

# Ten thousand histories of a clock are a night's work for programs that are not optimised.
SCREENTIME_ONLY=SimulateTests "${account[@]}" swift test --configuration release -Xswiftc -enable-testing \
    -debug-info-format none --scratch-path .build/soak --no-parallel --filter ClockHistoryTests

# Run the short check of Screen Time without the developer kit.
rm --recursive --force .build/without-kit
git clone --quiet --shared . .build/without-kit
rm --recursive .build/without-kit/Services/developer-kit .build/without-kit/Tests/DeveloperKit
SCREENTIME_SCALE=fast .build/without-kit/scripts/test.sh
