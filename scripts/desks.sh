#!/usr/bin/env bash
# Runs the cases of all desktops in their long form, and prints them as a table, Tests/Desktops/DESKS.md: each case by each desktop.
# Desktops can be named, such as gnome43 kwin5; with --from LOG… the table is made of runs that there were.
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
cd "${root}"

logs=(.build/desks.log)
status=0
if [[ "${1:-}" == --help ]]; then
    sed --quiet '2,3s/^# //p' "$0"
    exit 0
elif [[ "${1:-}" == --from ]]; then
    logs=("${@:2}")
else
    scripts/setup.sh --test
    scripts/build.sh
    if (($# > 0)); then
        SCREENTIME_DESKS="$(IFS=,; echo "$*")"
        export SCREENTIME_DESKS
    fi
    SCREENTIME_SCALE=soak SCREENTIME_JOURNAL=0 LANG=C.UTF-8 swift test --skip-build --no-parallel \
        --filter '^DesktopSystemTests\.(Desk|WaylandSites)' >"${logs[0]}" 2>&1 || status="$?"
fi

# A case that began and of which no issue was recorded has passed.
awk '
    /Test case passing 1 argument kind → .* started\.$/ {
        desk = $0; sub(/.*kind → /, "", desk); title = desk; sub(/ to ".*/, "", desk)
        sub(/^[^"]*"/, "", title); sub(/" started\.$/, "", title)
        if (!(title in titles)) { titles[title]; order[++cases] = title }
        if (!(desk in desks)) { desks[desk]; names[++count] = desk }
        seen[title, desk] = "yes"
        # Of two runs the later one counts.
        delete failed[title, desk]
    }
    /recorded an issue with 1 argument kind → / {
        desk = $0; sub(/.*kind → /, "", desk); sub(/ at .*/, "", desk)
        title = $0; sub(/^[^"]*"/, "", title); sub(/" recorded an issue.*/, "", title)
        failed[title, desk]
    }
    END {
        printf "# What each desktop passes\n\n"
        printf "Made by `scripts/desks.sh`, with real desktops: X11 under openbox (x11), Xfce (xfwm) and MATE (marco), sway, GNOME Shell of\n"
        printf "Debian 12, 13 and its newest (gnome43, gnome48, gnomeNewest), KWin of the same three. Where nothing stands a case is not for that desktop.\n\n"
        printf "| |"; for (i = 1; i <= count; i++) printf " %s |", names[i]
        printf "\n|---|"; for (i = 1; i <= count; i++) printf "---|"
        for (c = 1; c <= cases; c++) {
            printf "\n| %s |", order[c]
            for (i = 1; i <= count; i++) {
                at = order[c] SUBSEP names[i]
                printf " %s |", (at in failed) ? "**no**" : (at in seen) ? "yes" : ""
            }
        }
        print ""
    }
' "${logs[@]}"
exit "${status}"
