#!/usr/bin/env bash
# Checks what building and running needs. Debian packages that are missing are installed when this user may, otherwise
# the one command to run is shown. With --test also what the tests need, with --package what making packages needs. Does nothing
# when all is there.
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

# shellcheck source=scripts/packages.sh
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

packages=("${build_packages[@]}")
case "${1:-}" in
    "") ;;
    --test) packages+=("${test_packages[@]}" "${package_packages[@]}") ;;
    --package) packages+=("${package_packages[@]}") ;;
    --help) sed --quiet '2,4s/^# //p' "$0" && exit 0 ;;
    *) echo "setup.sh: $1 is not known; the options are --test, --package and --help." >&2 && exit 2 ;;
esac

check_swift() {
    local version major minor
    if command -v swift >/dev/null; then
        version="$(swift --version 2>/dev/null | sed --quiet 's/.*Swift version \([0-9.]*\).*/\1/p' | head --lines=1)"
        IFS=. read -r major minor _ <<<"${version:-0.0}"
        if ((major > 6 || (major == 6 && ${minor:-0} >= 3))); then return 0; fi
        echo "Swift ${version:-of an unknown version} is too old: this needs Swift 6.3." >&2
    else
        echo "Swift is missing: this needs Swift 6.3." >&2
    fi
    cat >&2 <<'TEXT'
  Get the toolchain for Debian 12 from https://www.swift.org/install/linux/ (about 1 GB to fetch, 3.5 GB unpacked),
  unpack it, and put its usr/bin into PATH. It cannot be installed with apt-get.
TEXT
    return 1
}

find_missing() {
    local names=("${packages[@]%%|*}") installed entry
    if ! command -v dpkg-query >/dev/null; then
        echo "This is not Debian, so the packages cannot be checked here. Needed, by their Debian names: ${names[*]}" >&2
        return 0
    fi
    installed="$(dpkg-query --show --showformat='${Package}|${db:Status-Status}\n' "${names[@]}" 2>/dev/null || true)"
    for entry in "${packages[@]}"; do
        if ! grep --quiet --fixed-strings --line-regexp "${entry%%|*}|installed" <<<"${installed}"; then
            missing+=("${entry}")
        fi
    done
}

install_missing() {
    local names=("${missing[@]%%|*}") prefix=() entry
    if [[ "$(id --user)" != 0 ]]; then
        if ! command -v sudo >/dev/null || ! sudo --non-interactive true 2>/dev/null; then
            echo "Missing, and this user may not install packages. Run:" >&2
            echo "  sudo apt-get install ${names[*]}" >&2
            for entry in "${missing[@]}"; do printf '    %-18s %s\n' "${entry%%|*}" "${entry#*|}" >&2; done
            return 1
        fi
        prefix=(sudo --non-interactive)
    fi
    echo "Installing ${names[*]}" >&2
    prefix+=(env DEBIAN_FRONTEND=noninteractive apt-get --quiet=2)
    if ! "${prefix[@]}" update >/dev/null || ! "${prefix[@]}" --yes --no-install-recommends --option Dpkg::Use-Pty=0 \
        install "${names[@]}" >/dev/null; then
        echo "apt-get could not install them. Check the network and the free space, then run this again." >&2
        return 1
    fi
}
missing=() && find_missing
if ((${#missing[@]} > 0)); then install_missing; fi
if [[ "${1:-}" == --test ]]; then "${root}/scripts/fetch-axe.sh"; fi
check_swift
