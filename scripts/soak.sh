#!/usr/bin/env bash
# The long tests: the whole system and the simulation at their full figures, with each check printed as it is made.
# Further arguments go to `swift test`.
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
cd "${root}"

scripts/setup.sh --test
swift build --build-tests --explicit-target-dependency-import-check error --quiet
export SCREENTIME_SOAK=1
# What tests write down is nothing for the journal of this machine.
export SCREENTIME_JOURNAL=0
# Random events on real displays.
export SCREENTIME_EVENTS="${SCREENTIME_EVENTS:-10000}"
# One after the other, so that the figures are those of an otherwise idle machine.
swift test --skip-build --no-parallel --skip ClockHistoryTests --filter '^(SimulationTests|ReportTests|ProcessTests|SimulateTests|ScreenTests|DesktopTests|DesktopSystemTests)\.' "$@"

# Whole computers: every way of a child, GNOME on a protected one, a thousand logins, switches and kills; one with a kernel of its own,
# which sleeps.
scripts/package.sh
SCREENTIME_PACKAGE=1 swift test --skip-build --no-parallel --filter 'PackageTests|ProtectTests|ComputerAccountTests|WaysTests|SittingTests|OwnKernelTests|PupilsTests'

scripts/walk.sh

# Ten thousand histories of a clock are a night's work for programs that are not optimised.
SCREENTIME_ONLY=SimulateTests swift test --configuration release -Xswiftc -enable-testing -debug-info-format none \
    --scratch-path .build/soak --no-parallel --filter ClockHistoryTests
