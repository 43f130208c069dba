# Read by setup.sh: the Debian packages, each with what it is good for, as "package|reason".
# shellcheck shell=bash
# shellcheck disable=SC2034  # the scripts that read this use the lists
set -euo pipefail

# What building and running needs.
build_packages=(
    "libzmq3-dev|ZeroMQ, over which the services talk"
    "libsqlite3-dev|SQLite, in which each service keeps its state"
    "libsystemd-dev|readiness, watchdog and journal"
    "libsodium-dev|passcodes, tokens and the chain of the ledger"
    "liboath-dev|codes from a guardian's phone, as every authenticator app makes them"
    "libqrencode-dev|the picture that such an app scans"
    "libpsl-dev|which part of a site's name is whose, such as example.co.uk"
    "libcairo2-dev|draws shields"
    "libpango1.0-dev|lays out their words, in every script"
    "libjpeg62-turbo-dev|reads icons that are JPEGs"
    "librsvg2-2|reads icons that are SVGs"
    "libxcb1-dev|the desktop of an X server"
    "libxcb-randr0-dev|its monitors"
    "libxcb-res0-dev|the processes behind its windows"
    "libxcb-sync-dev|when a person touched it last"
    "libxcb-screensaver0-dev|the same, where the server counts no idle time"
    "libxcb-xkb-dev|its keyboard"
    "libxcb-xtest0-dev|closes menus that lie over a shield"
    "libxkbcommon-dev|what its keys mean"
    "libxkbcommon-x11-dev|the same, as the server has them"
    "libxcb-shm0-dev|tests look at single pixels with it"
    "libxcb-damage0-dev|lets tests know when something is drawn"
    "libwayland-dev|looks at wlroots desktops and puts shields on them"
    "libstdc++-12-dev|what Swift's linker needs of the C and C++ runtime"
    "binutils|the linker"
    "git|Swift's package manager asks it for versions"
    "tzdata|time zones, for days that begin at the right moment"
)

# What the tests need besides.
test_packages=(
    "systemd|systemd-analyze checks the units, systemd-notify stands in for services"
    "shellcheck|checks the scripts"
    "oathtool|makes codes for an independent opinion on ours"
    "fonts-nanum|a Korean font: tests look for tofu; good to have on any desktop without one"
    "pkg-config|where pango's own headers are, which ours are compared with"
    "dbus|a session bus for notifications"
    "mmdebstrap|makes the folder in which a whole GNOME Shell is installed"
    "dunst|a real program that shows notifications"
    "pinentry-gtk2|a real window for passcodes"
    "xvfb|a screen without a monitor, for it"
    "xdotool|presses buttons on it"
    "imagemagick|looks at it"
    "openbox|a window manager for it"
    "xterm|an app for it, in a terminal"
    "mousepad|an app for it, with a text that must not be lost"
    "x11-utils|asks it for the properties of windows"
    "x11-xserver-utils|splits it into monitors"
    "xwayland|an X server that is no desktop"
    "libwayland-bin|wayland-scanner, to make the protocols' code anew and compare"
    "sway|a Wayland desktop without a screen"
    "weston|a Wayland desktop that does not say which window is in front, like GNOME and KDE"
    "foot|a real terminal on it"
    "grim|takes its picture"
    "wtype|types into it"
    "util-linux|setpriv, because sway refuses root"
    "pulseaudio|a real sound server, to see who records"
    "pulseaudio-utils|asks it, and records"
    "python3|clients in another language"
    "python3-zmq|ZeroMQ for them"
    "python3-dbusmock|plays logind and media players on buses of the tests"
    "cmus|a small real media player that needs no screen"
    "gir1.2-atspi-2.0|reads our windows as assistive technology does"
    "at-spi2-core|the bus that it reads them from"
    "python3-html5lib|reads reports as strictly as HTML can be read"
    "python3-pip|fetches axe-core"
    "chromium|shows reports to axe-core, which looks at them for people who listen"
)

# What making packages needs besides.
package_packages=(
    "debhelper|puts a package together as Debian does"
    "po-debconf|its question at a purge, in Korean too"
    "patchelf|has programs look for Swift's libraries beside them"
    "lintian|reads the package for mistakes"
)
