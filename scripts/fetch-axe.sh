#!/usr/bin/env bash
# Puts axe-core, which checks reports for people who use a screen reader, where its test finds it: a package of Python's
# index carries it as one script. Without it that one test is left out.
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

folder="${root}/.build/axe"
if [[ -s "${folder}/axe.min.js" ]]; then exit 0; fi
mkdir --parents "${folder}"
if python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --dest "${folder}" \
    axe-playwright-python==0.1.8; then
    python3 -m zipfile --extract "${folder}"/axe_playwright_python-*.whl "${folder}/wheel"
    mv "${folder}/wheel/axe_playwright_python/axe.min.js" "${folder}/"
else
    echo "axe-core could not be fetched: reports are not checked with it." >&2
fi
rm --recursive --force "${folder}/wheel" "${folder}"/*.whl
