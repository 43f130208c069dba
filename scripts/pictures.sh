#!/usr/bin/env bash
# Makes the pictures of the README again: a shield and a report of the demonstration, into deploy/pictures.
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

build_release programs
scratch="$(mktemp --directory)"
export SCREENTIME_RUN="${scratch}/run" SCREENTIME_STATE="${scratch}/state" SCREENTIME_CONFIG="${scratch}/config" LANG=C.UTF-8
command="${root}/.build/release/screentime"
trap '"${command}" system down --demo >/dev/null || true; rm --recursive --force "${scratch}"' EXIT

"${command}" system up --demo --detach >/dev/null
mkdir --parents "${root}/deploy/pictures"
"${command}" report --png "${root}/deploy/pictures/report.png" >/dev/null
"${command}" downtime add 00:00-23:59 --member teen --say "Enough for today. You promised." >/dev/null
# The rule becomes a shield a moment after the command has ended.
for _ in {1..50}; do
    "${command}" shield preview firefox --member teen --png "${root}/deploy/pictures/shield.png" | grep --quiet "You promised" && break
    sleep 0.2
done
chmod 644 "${root}"/deploy/pictures/*.png
ls -l "${root}/deploy/pictures"
