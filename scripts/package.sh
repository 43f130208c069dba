#!/usr/bin/env bash
# Builds Debian's packages screentime and screentime-developer into .build/package with debhelper, and checks them with lintian.
#
#   --no-lint       without lintian
#   --development   from the development build, for tests: not optimised, larger, without lintian
set -euo pipefail
# shellcheck source=scripts/building.sh
source "$(dirname "${BASH_SOURCE[0]}")/building.sh"
cd "${root}"

lint=yes
configuration=release
case "${1:-}" in
    "") ;;
    --no-lint) lint=no ;;
    --development) lint=no configuration=debug && export SCREENTIME_FAST_DEB=1 ;;
    --help) sed --quiet '2,/^set /s/^# \{0,1\}//p' "$0" && exit 0 ;;
    *) echo "package.sh: $1 is not known; the options are --no-lint and --development." >&2 && exit 2 ;;
esac

scripts/setup.sh --package
if [[ "${configuration}" == release ]]; then build_release programs; else build_development programs; fi

built="${root}/.build/${configuration}"
work="${root}/.build/package"
version="$(sed --quiet 's/.*package static let text = "\(.*\)"/\1/p' Shared/Wire/Frames/BusNames.swift)"
# Of the last change to the sources, so that the same sources make the same package.
date="@$(git log -1 --format=%ct 2>/dev/null || date +%s)"
rm --recursive --force "${work}"
mkdir --parents "${work}/source"
cp --recursive deploy deploy/debian README.md SECURITY.md "${work}/source"
cd "${work}/source"
sed --in-place "s/@VERSION@/${version}/; s/@DATE@/$(date --utc --date="${date}" +%F)/" deploy/desktop/*.xml
cat >debian/changelog <<TEXT
screentime (${version}) bookworm; urgency=medium

  * /usr/share/doc/screentime/NEWS.gz says what is new.

 -- Screen Time for Linux <package@screentime.dev>  $(date --utc --rfc-email --date="${date}")
TEXT

# libraries FOLDER: copies the Swift libraries that the files in FOLDER load to FOLDER/lib. All these files then search for
# libraries in FOLDER/lib.
libraries() {
    local file library
    for file in "$1"/bin/* "$1"/lib/*; do
        if [[ ! -e "${file}" ]]; then continue; fi
        ldd "${file}" | sed --quiet 's/.*=> \(.*\/swift\/linux\/.*\.so\) .*/\1/p' | while read -r library; do
            if [[ -e "core/lib/${library##*/}" ]]; then continue; fi
            install -D --mode 644 "${library}" "$1/lib/${library##*/}"
            # shellcheck disable=SC2016  # the loader expands $ORIGIN
            patchelf --set-rpath '$ORIGIN' "$1/lib/${library##*/}"
        done
        # shellcheck disable=SC2016
        patchelf --set-rpath '$ORIGIN/../lib' "${file}"
    done
}

"${root}/scripts/share.sh" "${configuration}" core auth-service activity-center monitor-runner shield-service report-service notifier \
    desktop-agent household-service link-service browser-host console account-door screentime-draw
install "${built}/screentime" core/bin/
libraries core
install --directory developer/bin
install "${built}"/{screentime-lab,simulator,simulated-monitor} developer/bin/
libraries developer
install --mode 644 "${built}/libscreentime-clock.so" developer/bin/
patchelf --remove-rpath developer/bin/libscreentime-clock.so
mkdir package
(cd "${root}" && git ls-files -z Package.swift LICENSE Shared Services/developer-kit/{README.md,Frameworks,examples,simulator/Wire} Tests/Scenarios |
    tar --create --null --files-from=- --mode=u=rwX,go=rX) | tar --extract --directory package

# made NAME: where standard input becomes a file of the package.
made() { install -D --mode 644 /dev/stdin "made/usr/$1"; }
command="${built}/screentime"
export LC_ALL=C.UTF-8
made share/icons/hicolor/scalable/apps/dev.screentime.ScreenTime.svg <"${root}/Shared/Runtime/Pages/Page/icon.svg"
gzip --best --no-name --stdout "${root}/CHANGELOG.md" | made share/doc/screentime/NEWS.gz
"${command}" help --man | made share/man/man1/screentime.1
"${command}" help --completion bash | made share/bash-completion/completions/screentime
"${command}" help --completion zsh | made share/zsh/vendor-completions/_screentime
"${command}" help --completion fish | made share/fish/vendor_completions.d/screentime.fish
# Each unit begins with a line that says where it goes.
mkdir --parents made/usr/lib/systemd/user/default.target.wants made/usr/lib/systemd/system
"${command}" system enable --print --packaged |
    awk '/^# \/usr\/lib\/systemd\// { file = "made" $2; next } { print > file }'
# It looks by itself whether the computer is protected.
ln --symbolic ../screentime-agent.service made/usr/lib/systemd/user/default.target.wants/
made lib/sysusers.d/screentime.conf <deploy/systemd/sysusers.conf
made share/polkit-1/rules.d/60-screentime.rules <deploy/systemd/polkit.rules
made share/pam-configs/screentime <deploy/pam/screentime

dpkg-buildpackage --build=binary --no-sign >../build.log 2>&1 || { tail --lines=40 ../build.log >&2; exit 1; }
cd ..
if [[ "${lint}" == yes ]]; then lintian --fail-on error --allow-root ./*.changes; fi
for package in *.deb; do
    printf '%s: %d MB to download, %d MB installed\n' "${work}/${package}" "$(($(stat --format=%s "${package}") / 1000000))" \
        "$(($(dpkg-deb --field "${package}" Installed-Size) * 1024 / 1000000))"
done
