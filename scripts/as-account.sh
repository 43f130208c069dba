#!/usr/bin/env bash
# Runs a command in the source tree as the account screentime-test, and creates that account if necessary. Needs root.
#
#   scripts/as-account.sh COMMAND [ARGUMENT…]
#
# The account owns the build folder and can read the rest. If the account cannot enter a folder above the source tree, the
# permissions of that folder do not change. The command then runs in a private mount namespace with an accessible copy of the path.
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
if [[ "${1:-}" == --help ]]; then sed --quiet '2,/^set /s/^# \{0,1\}//p' "$0" && exit 0; fi
if [[ "$(id --user)" != 0 ]]; then echo "as-account.sh: only root can run a command as another account." >&2 && exit 2; fi

account=screentime-test
home="/var/lib/${account}"
getent passwd "${account}" >/dev/null ||
    useradd --user-group --create-home --home-dir "${home}" --shell /bin/bash --comment "Tests of Screen Time" "${account}"
uid="$(id --user "${account}")"
can() { setpriv --reuid "${account}" --regid "${account}" --init-groups --inh-caps=-all -- "$@" 2>/dev/null; }

# The root folders of other computers, which tests install there as root, stay root's. Programs that run meanwhile remove files
# that `find` has listed, which is no error.
find "${root}/.build" -path "${root}/.build/roots" -prune -o ! -user "${account}" \
    -exec chown --no-dereference "${account}:" {} + 2>/dev/null || true
# The folders for the sockets of the account's session and of X servers.
runtime="/run/user/${uid}"
install --directory --owner "${account}" --group "${account}" --mode 0700 "${runtime}"
install --directory --mode 1777 /tmp/.X11-unix /tmp/.ICE-unix

# What the account has to reach: this tree and the compiler.
places=("${root}" "$(dirname "$(dirname "$(dirname "$(realpath "$(command -v swift)")")")")")
closed=()
for place in "${places[@]}"; do
    folder=""
    while IFS= read -r -d / part; do
        folder+="${part:+/${part}}"
        if [[ -n "${folder}" ]] && ! can test -x "${folder}"; then closed+=("${folder}") && break; fi
    done <<<"${place}/"
done
if [[ ${#closed[@]} == 0 ]] && ! can test -r "${root}/Package.swift"; then
    echo "The files of this source tree are closed to other accounts. Run: chmod --recursive go+rX ${root}" >&2
    exit 1
fi

# shellcheck disable=SC2016  # expanded by the inner shell
inside='
    set -eu
    stage="$(mktemp --directory --tmpdir=/run)"
    index=0
    for place in $PLACES; do
        mkdir "$stage/$index" && mount --bind "$place" "$stage/$index" && index=$((index + 1))
    done
    for folder in $CLOSED; do mount -t tmpfs -o mode=0755 tests "$folder"; done
    index=0
    for place in $PLACES; do
        mkdir --parents "$place" && mount --bind "$stage/$index" "$place" && umount "$stage/$index" && index=$((index + 1))
    done
    rm --recursive "$stage"
    exec "$@"
'
launcher=()
if ((${#closed[@]} > 0)); then
    launcher=(env "PLACES=${places[*]}" "CLOSED=${closed[*]}" unshare --mount --propagation private sh -c "${inside}" sh)
fi
cd /
exec "${launcher[@]}" setpriv --reuid "${account}" --regid "${account}" --init-groups --inh-caps=-all -- \
    env --chdir="${root}" HOME="${home}" USER="${account}" LOGNAME="${account}" SHELL=/bin/bash XDG_RUNTIME_DIR="${runtime}" \
    GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory "GIT_CONFIG_VALUE_0=${root}" "$@"
