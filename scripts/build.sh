#!/usr/bin/env bash
# Builds for development, in .build/debug: unoptimised, and after a change only what depends on it.
#
#   scripts/build.sh               everything, the tests too
#   scripts/build.sh NAME…         these targets and what they need: a program such as `console`, tests such as `ActivityTests`,
#                                  or a set of Package.swift (start, developer, programs)
set -euo pipefail
# shellcheck source=scripts/building.sh
source "$(dirname "${BASH_SOURCE[0]}")/building.sh"
if [[ "${1:-}" == --help ]]; then sed --quiet '2,/^set /s/^# \{0,1\}//p' "$0" && exit 0; fi

"${root}/scripts/setup.sh"
tests=()
if (($# == 0)) || [[ "$*" == *Tests* ]]; then tests=(--build-tests); fi
build_development "$(IFS=, && echo "$*")" "${tests[@]}"
