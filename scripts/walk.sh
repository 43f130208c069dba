#!/usr/bin/env bash
# Types the lines of README.md, of two parts of deploy/guide/family.md and of CONTRIBUTING.md on a headless desktop, and fails if what
# happens differs from the page. Pictures of what was seen are in .build/walk.
#
#   --all    also what takes long: the builds, tests and benches that the pages name (hours)
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
if [[ "${1:-}" == --help ]]; then sed --quiet '2,/^set /s/^# \{0,1\}//p' "$0" && exit 0; fi
"${root}/scripts/setup.sh" --test
exec python3 "${root}/scripts/walk.py" "$@"
