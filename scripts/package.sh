#!/usr/bin/env bash
# Builds Debian's packages screentime and screentime-developer into .build/package, with debhelper, and has lintian read them.
# With --no-lint lintian does not.
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
cd "${root}"

lint=yes
case "${1:-}" in
    "") ;;
    --no-lint) lint=no ;;
    --help) sed --quiet '2,3s/^# //p' "$0" && exit 0 ;;
    *) echo "package.sh: $1 is not known; the option is --no-lint." >&2 && exit 2 ;;
esac

scripts/setup.sh --package
build_release programs

built="${root}/.build/release"
work="${root}/.build/package"
version="$(sed --quiet 's/.*package static let text = "\(.*\)"/\1/p' Shared/Wire/Frames/BusNames.swift)"
# Of the last change to the sources, so that the same sources make the same package.
date="@$(git log -1 --format=%ct 2>/dev/null || date +%s)"
rm --recursive --force "${work}"
mkdir --parents "${work}/source"
cp --recursive deploy/debian "${work}/source/debian"
cd "${work}/source"
cat >debian/changelog <<TEXT
screentime (${version}) bookworm; urgency=medium

  * /usr/share/doc/screentime/NEWS.gz says what is new.

 -- Screen Time for Linux <package@screentime.dev>  $(date --utc --rfc-email --date="${date}")
TEXT

core=tree/screentime/usr
developer=tree/screentime-developer/usr

# program FOLDER NAME…: with the libraries of Swift that they load, which they look for beside them.
program() {
    local folder="$1/lib/screentime" name library
    shift
    install --directory "${folder}/bin" "${folder}/lib"
    for name in "$@"; do
        install "${built}/${name}" "${folder}/bin/${name}"
        # shellcheck disable=SC2016  # the loader's own word
        patchelf --set-rpath '$ORIGIN/../lib' "${folder}/bin/${name}"
        ldd "${built}/${name}" | sed --quiet 's/.*=> \(.*\/swift\/linux\/.*\.so\) .*/\1/p' | while read -r library; do
            name="$(basename "${library}")"
            if [[ -e "${core}/lib/screentime/lib/${name}" ]]; then continue; fi
            install --mode 644 "${library}" "${folder}/lib/${name}"
            # shellcheck disable=SC2016
            patchelf --set-rpath '$ORIGIN' "${folder}/lib/${name}"
        done
    done
    rmdir --ignore-fail-on-non-empty "${folder}/lib"
}

# put FOLDER FILE…: as files that are read.
put() {
    local folder="$1"
    shift
    install --directory "${folder}"
    install --mode 644 "$@" "${folder}/"
}

program "${core}" screentime auth-service activity-center monitor-runner shield-service report-service notifier \
    desktop-agent browser-host screentime-draw
install --directory "${core}/bin"
ln --symbolic ../lib/screentime/bin/screentime "${core}/bin/screentime"
install "${root}/deploy/debian/everywhere" "${root}/deploy/desktop/menu" "${root}/deploy/desktop/session" "${core}/lib/screentime/"
# Where `system enable` looks for a system with folders of its own; the usual one has the units below.
put "${core}/lib/screentime/share/screentime/systemd" "${root}"/deploy/systemd/*.in
put "${core}/share/applications" "${root}/deploy/desktop/dev.screentime.ScreenTime.desktop"
put "${core}/share/icons/hicolor/scalable/apps" "${root}/deploy/desktop/dev.screentime.ScreenTime.svg"
put "${core}/share/metainfo" "${root}/deploy/desktop/dev.screentime.ScreenTime.metainfo.xml"
sed --in-place "s/@VERSION@/${version}/; s/@DATE@/$(date --utc --date="${date}" +%F)/" "${core}"/share/metainfo/*.xml
put tree/screentime/etc/xdg/autostart "${root}/deploy/desktop/dev.screentime.Session.desktop"
put tree/screentime/etc/sway/config.d "${root}/deploy/desktop/60-screentime.conf"
put "${core}/share/doc/screentime" "${root}/README.md" "${root}/SECURITY.md"
gzip --best --no-name --stdout "${root}/CHANGELOG.md" >"${core}/share/doc/screentime/NEWS.gz"

command="${built}/screentime"
export LC_ALL=C.UTF-8
install --directory "${core}/share/man/man1" "${core}/share/bash-completion/completions" \
    "${core}/share/zsh/vendor-completions" "${core}/share/fish/vendor_completions.d" "${core}/lib/systemd/user"
"${command}" help --man >"${core}/share/man/man1/screentime.1"
"${command}" help --completion bash >"${core}/share/bash-completion/completions/screentime"
"${command}" help --completion zsh >"${core}/share/zsh/vendor-completions/_screentime"
"${command}" help --completion fish >"${core}/share/fish/vendor_completions.d/screentime.fish"
# Each unit begins with a line that says where it goes.
"${command}" system enable --print --packaged |
    awk -v folder="${core}/lib/systemd/user/" '/^# \/usr\/lib\/systemd\/user\// { sub(/.*\//, ""); file = folder $0; next } { print > file }'

program "${developer}" simulator simulated-monitor
put "${developer}/lib/screentime/bin" "${built}/libscreentime-clock.so"
patchelf --remove-rpath "${developer}/lib/screentime/bin/libscreentime-clock.so"
install --directory "${developer}/share/screentime/package"
(cd "${root}" && git ls-files -z Package.swift LICENSE Shared Services/extensions Tests/Scenarios |
    tar --create --null --files-from=- --mode=u=rwX,go=rX) | tar --extract --directory "${developer}/share/screentime/package"

dpkg-buildpackage --build=binary --no-sign >../build.log 2>&1 || { tail --lines=40 ../build.log >&2; exit 1; }
cd ..
if [[ "${lint}" == yes ]]; then
    lintian --fail-on error --allow-root ./*.changes
fi
for package in *.deb; do
    printf '%s: %d MB to download, %d MB installed\n' "${work}/${package}" "$(($(stat --format=%s "${package}") / 1000000))" \
        "$(($(dpkg-deb --field "${package}" Installed-Size) * 1024 / 1000000))"
done
