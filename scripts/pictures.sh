#!/usr/bin/env bash
# Makes the pictures of the README again: a shield, a report and the page of the demonstration, into deploy/pictures.
set -euo pipefail
# shellcheck source=scripts/building.sh
source "$(dirname "${BASH_SOURCE[0]}")/building.sh"

build_development programs
scratch="$(mktemp --directory)"
export SCREENTIME_RUN="${scratch}/run" SCREENTIME_STATE="${scratch}/state" SCREENTIME_CONFIG="${scratch}/config" LANG=C.UTF-8
command="${root}/.build/debug/screentime"
trap '"${command}" system down --demo >/dev/null || true; rm --recursive --force "${scratch}"' EXIT

# Where it is evening now, most of the made-up day is today.
export TZ
TZ="Etc/GMT$(printf '%+d' "$((($(date --utc +%-H) + 16) % 24 - 12))")"
"${command}" system up --demo --detach >/dev/null
mkdir --parents "${root}/deploy/pictures"
"${command}" limit add firefox 2h --member teen >/dev/null
"${command}" limit add steam 1h --member teen >/dev/null
chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="${scratch}/browser" --window-size=1280,1086 \
    --virtual-time-budget=8000 --screenshot="${root}/deploy/pictures/page.png" "$("${command}" console --print)" 2>/dev/null
"${command}" downtime add 00:00-23:59 --member teen --say "Enough for today. You promised." >/dev/null
# The rule becomes a shield a moment after the command has ended.
for _ in {1..50}; do
    "${command}" shield preview firefox --member teen --png "${root}/deploy/pictures/shield.png" | grep --quiet "You promised" && break
    sleep 0.2
done
"${command}" report --png "${root}/deploy/pictures/report.png" >/dev/null
chmod 644 "${root}"/deploy/pictures/*.png
ls -l "${root}/deploy/pictures"
