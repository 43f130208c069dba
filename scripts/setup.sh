#!/usr/bin/env bash
# Checks what building and running needs. Debian packages that are missing are installed when this user may, otherwise
# the one command to run is shown. With --test also what the tests need. Does nothing when all is there.
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

build_packages=(
    "libzmq3-dev|ZeroMQ, over which the services talk"
    "libsqlite3-dev|SQLite, in which each service keeps its state"
    "libsystemd-dev|readiness, watchdog and journal"
    "libsodium-dev|passcodes, tokens and the chain of the ledger"
    "liboath-dev|codes from a guardian's phone, as every authenticator app makes them"
    "libqrencode-dev|the picture that such an app scans"
    "libcairo2-dev|draws shields"
    "libpango1.0-dev|lays out their words, in every script"
    "libjpeg62-turbo-dev|reads icons that are JPEGs"
    "libstdc++-12-dev|what Swift's linker needs of the C and C++ runtime"
    "binutils|the linker"
    "git|Swift's package manager asks it for versions"
    "tzdata|time zones, for days that begin at the right moment"
)
test_packages=(
    "systemd|systemd-analyze checks the units, systemd-notify stands in for services"
    "shellcheck|checks the scripts"
    "oathtool|makes codes for an independent opinion on ours"
    "fonts-nanum|a Korean font: tests look for tofu; good to have on any desktop without one"
    "pkg-config|where pango's own headers are, which ours are compared with"
    "dbus|a session bus for notifications"
    "dunst|a real program that shows notifications"
    "xvfb|a screen that nobody sees, for it"
    "xdotool|presses buttons on it"
    "imagemagick|looks at it"
    "python3|clients in another language"
    "python3-zmq|ZeroMQ for them"
    "python3-html5lib|reads reports as strictly as HTML can be read"
    "python3-pip|fetches axe-core"
    "chromium|shows reports to axe-core, which looks at them for people who listen"
)

packages=("${build_packages[@]}")
case "${1:-}" in
    "") ;;
    --test) packages+=("${test_packages[@]}") ;;
    --help) sed --quiet '2,3s/^# //p' "$0" && exit 0 ;;
    *) echo "setup.sh: $1 is not known; there is --test and --help." >&2 && exit 2 ;;
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
        echo "This is not Debian; nobody checks the packages here. Needed, by their Debian names: ${names[*]}" >&2
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
    "${prefix[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet=2 update >/dev/null
    "${prefix[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet=2 --yes --no-install-recommends \
        --option Dpkg::Use-Pty=0 install "${names[@]}" >/dev/null
}
missing=() && find_missing
if ((${#missing[@]} > 0)); then install_missing; fi
if [[ "${1:-}" == --test ]]; then "${root}/scripts/fetch-axe.sh"; fi
check_swift
