import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

/// The package of `scripts/package.sh`, on computers without Swift.
@Suite(
    "Debian package",
    .serialized,
    .enabled(if: Machine.isWanted, "needs root: starts a Debian with systemd in namespaces")
)
struct PackageRootTests {
    private static let folder = BuiltTree.source(".build/package")
    private static let version = Version.text
    /// The dependencies and recommendations of the package, a desktop, and an app.
    static let desktop = [
        "libzmq5", "libmicrohttpd12", "libsqlite3-0", "libsodium23", "liboath0", "libqrencode4", "libpsl5",
        "libpq5",
        "libyaml-0-2",
        "publicsuffix",
        "libpangocairo-1.0-0",
        "libjpeg62-turbo", "librsvg2-2", "libxcb-randr0", "libxcb-res0", "libxcb-sync1",
        "libxcb-screensaver0",
        "libxcb-shape0", "libxcb-xkb1", "libxcb-xtest0", "libxkbcommon-x11-0", "libwayland-client0", "tzdata",
        "debconf",
        "fonts-dejavu-core", "fonts-noto-color-emoji", "pinentry-gtk2", "xdg-utils", "xterm", "xvfb",
        "xdotool", "openbox", "dunst", "lightdm", "lightdm-gtk-greeter", "pamtester", "python3-xdg", "sway",
        "mousepad", "openssh-server", "cron", "at", "xserver-xephyr", "bubblewrap", "python3-dbus",
        "sudo", "x11-utils", "xwayland",
    ]
    static let gnome = [
        "gnome-shell", "dconf-cli", "dconf-gsettings-backend", "adwaita-icon-theme", "librsvg2-common",
        "libgl1-mesa-dri",
    ]
    static let kwin = ["kwin-wayland", "xwayland", "kwin-style-breeze", "qtwayland5", "libgl1-mesa-dri"]
    static let installing =
        "DEBIAN_FRONTEND=noninteractive apt-get --quiet=2 --yes --option Dpkg::Use-Pty=0"

    static func package(_ version: String = version) throws -> String {
        let path = "\(folder)/screentime_\(version)_amd64.deb"
        guard access(path, R_OK) == 0 else { throw NotYet("\(path) is missing; scripts/package.sh makes it") }
        return path
    }

    /// Returns the same package with a later version, so that it is an upgrade.
    private static func later(_ scratch: ScratchDirectory, _ fields: String) throws -> String {
        let path = scratch.file("later.deb")
        let script = """
            set -e
            dpkg-deb --raw-extract "$1" "$2/later"
            sed --in-place "$3" "$2/later/DEBIAN/control"
            dpkg-deb --build -Zgzip --root-owner-group "$2/later" "$2/later.deb"
            rm -rf "$2/later"
            """
        let run = try ProgramRun.run(
            "/bin/bash",
            ["-c", script, "bash", try package(), scratch.path, fields],
            environment: ["PATH": "/usr/bin:/bin"],
            timeout: .seconds(600)
        )
        guard run.status.isSuccess else { throw NotYet(run.output) }
        return path
    }

    /// Copies a file into the machine, as a download.
    static func copy(_ path: String, to name: String, _ machine: Machine) throws {
        let run = try ProgramRun.run(
            "/bin/bash",
            ["-c", "exec \"$@\" < \"$0\"", path] + machine.words("cat > \(name)"),
            environment: ["PATH": "/usr/bin:/bin"],
            timeout: .seconds(60)
        )
        guard run.status.isSuccess else { throw NotYet(run.output) }
    }

    @Test(
        "A person installs the package and reaches a limit, and upgrade, restart and removal lose no data"
    )
    func person() async throws {
        try await Machine.run(Self.desktop) { machine in
            try machine.run("useradd --create-home --shell /bin/bash kim")
            try await machine.logIn("kim")
            try Self.copy(try Self.package(), to: "/root/screentime.deb", machine)
            let startMs = Stopwatch.milliseconds()
            try machine.run("\(Self.installing) install /root/screentime.deb")
            print("the package was installed in \(Stopwatch.milliseconds() - startMs) ms")
            #expect(
                try machine.attempt("pgrep -f /usr/lib/screentime/bin").output == "",
                "nothing starts by itself"
            )

            try await Self.setUp(machine)
            print(
                "the first limit was there \(Stopwatch.milliseconds() - startMs) ms after the installation began"
            )
            try Self.edit(machine)
            try await Self.isHeld(machine)
            try machine.keepPicture("package-shield")
            try Self.openPage(machine)

            try await Self.upgrade(machine)
            try Self.openPage(machine)
            try machine.keepPicture("package-upgraded")
            try await Self.comeBack(machine)
            try await Self.remove(machine)
        }
    }

    @Test("Two people at one computer have separate usage, and the one who is switched away has none")
    func two() async throws {
        try await Machine.run(Self.desktop) { machine in
            try Self.copy(try Self.package(), to: "/root/screentime.deb", machine)
            try machine.run("\(Self.installing) install /root/screentime.deb")
            for (account, screen) in [("kim", 9), ("lee", 8)] {
                try machine.run("useradd --create-home --shell /bin/bash \(account)")
                try await machine.logIn(account, to: .openbox(screen))
                try machine.run("screentime system enable", as: account)
                try Self.edit(machine, as: account)
            }
            for (front, other) in [("kim", "lee"), ("lee", "kim"), ("kim", "lee")] {
                try machine.run(
                    "loginctl activate $(loginctl --no-legend | awk '$3 == \"\(front)\" && $4 == \"seat0\" { print $1 }')"
                )
                try await Self.reaches("active", account: front, machine: machine)
                try await Self.reaches("away", account: other, machine: machine)
            }
            let stranger = try machine.attempt(
                "SCREENTIME_RUN=/run/user/1000/screentime screentime status",
                as: "lee"
            )
            #expect(!stranger.status.isSuccess && !stranger.output.contains("kim"), "\(stranger.output)")
            for account in ["kim", "lee"] {
                let counted = try Self.counted(machine, as: account)
                #expect(
                    !counted.isEmpty && counted.allSatisfy { $0.contains("\"member\":\"\(account)\"") },
                    "\(counted)"
                )
            }
        }
    }

    @Test("On sway the desktop is observed when Screen Time is enabled and after each login")
    func sway() async throws {
        try await Machine.run(Self.desktop) { machine in
            try machine.run("useradd --create-home --shell /bin/bash kim")
            try Self.copy(try Self.package(), to: "/root/screentime.deb", machine)
            try machine.run("\(Self.installing) install /root/screentime.deb")
            try await machine.logIn("kim", to: .sway)
            try machine.run("screentime system enable", as: "kim")
            try await Self.sees("wlroots", machine)
            try machine.run("screentime limit add mousepad 3s --then shield", as: "kim")
            try Self.edit(machine)
            try await Self.isHeld(machine)
            try await machine.restart()
            try await machine.logIn("kim", to: .sway)
            try await Self.sees("wlroots", machine)
            #expect(try machine.run("screentime rule list", as: "kim").contains("Mousepad"))
        }
    }

    private static func sees(_ adapter: String, _ machine: Machine) async throws {
        try await eventually(within: .seconds(60), "the agent observes the desktop") {
            let status = try machine.run("screentime status", as: "kim")
            guard status.contains("Observed by: \(adapter)") else { throw NotYet(status) }
        }
    }

    private static func reaches(_ presence: String, account: String, machine: Machine) async throws {
        try await eventually(within: .seconds(60), "\(account) is \(presence)") {
            let status = try machine.run(
                "screentime bus call desktop.status '{}' --to desktop-agent",
                as: account
            )
            guard status.contains("\"\(presence)\"") else { throw NotYet(status) }
        }
    }

    /// Runs the setup with keys, in a terminal of the desktop.
    private static func setUp(_ machine: Machine) async throws {
        let terminal = try PseudoTerminal()
        let words = machine.words("screentime setup", "kim")
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: "/usr/bin/setsid",
                arguments: ["--ctty", "--wait"] + words,
                environment: ["TERM": "xterm"],
                standardOutput: terminal.number,
                standardError: terminal.number,
                descriptors: [0: terminal.number]
            )
        )
        try await terminal.answer("Start Screen Time at every login?", "")
        try await terminal.answer("1, 2 or 3 [1]:", "")
        for amount in ["[45m]:", "[1h]:", "[23:00-06:30]:"] { try await terminal.answer(amount, "no") }
        #expect(process.wait(deadlineMs: 60_000) == .exited(0), "\(terminal.screen)")
        #expect(
            terminal.screen.contains("Screen Time sees this screen, and counts its usage for kim"),
            "\(terminal.screen)"
        )
        #expect(try machine.run("screentime system enable", as: "kim").contains("/usr/lib/systemd/user"))
        try machine.run("screentime limit add mousepad 3s --then shield --say 'You promised'", as: "kim")
    }

    /// Starts an app as a desktop does: as a unit of the account's own systemd, with its own cgroup.
    static func edit(_ machine: Machine, as account: String = "kim") throws {
        try touch(machine, as: account)
        try machine.run(
            "systemd-run --user --quiet --collect --unit app-mousepad --setenv DISPLAY=$DISPLAY "
                + "--setenv WAYLAND_DISPLAY=$WAYLAND_DISPLAY --setenv GDK_BACKEND=${GDK_BACKEND:-x11} mousepad",
            as: account
        )
    }

    /// Moves the pointer. After some minutes without input, the person counts as idle since the last input. Their usage is then
    /// given back, and the shield is removed.
    private static func touch(_ machine: Machine, as account: String) throws {
        try machine.run(
            "[ -n \"$WAYLAND_DISPLAY\" ] || xdotool mousemove_relative -- 3 3 mousemove_relative -- -3 -3",
            as: account
        )
    }

    static func isHeld(_ machine: Machine, as account: String = "kim", program: String = "mousepad")
        async throws
    {
        try await eventually(within: .seconds(60), "the editor is paused behind its shield") {
            let frozen = try machine.run(
                "cat /sys/fs/cgroup$(sed -n s/^0:://p /proc/$(pgrep -x \(program))/cgroup)/cgroup.events"
            )
            guard try frozen.contains("frozen 1") || machine.run("ps -o stat= -C \(program)").hasPrefix("T")
            else {
                let words =
                    "screentime bus call desktop.windows '{}'; screentime status; screentime why mousepad; screentime rule list"
                throw NotYet(try machine.run("\(words); screentime app deliveries", as: account))
            }
        }
        // A person who sees a shield moves the mouse.
        try touch(machine, as: account)
    }

    /// Returns the exported usage, a line for each interval.
    private static func counted(_ machine: Machine, as account: String = "kim") throws -> Set<Substring> {
        let lines = try machine.run("screentime data export -", as: account).split(separator: "\n")
        return Set(lines.filter { $0.hasPrefix("{\"usage\"") })
    }

    private static func upgrade(_ machine: Machine) async throws {
        let before = try machine.run("pgrep -x activity-center")
        let counted = try await eventually(
            // It is recorded after the next input.
            within: .seconds(60),
            "the usage before the shield is in the records"
        ) {
            let counted = try Self.counted(machine)
            guard !counted.isEmpty else { throw NotYet(try machine.run("screentime status", as: "kim")) }
            return counted
        }
        try copy(
            try later(machine.scratch, "s/^Version: .*/Version: \(version)+1/"),
            to: "/root/later.deb",
            machine
        )
        try machine.run("\(installing) install /root/later.deb")
        try await eventually("the new programs run") {
            let now = try machine.run("pgrep -x activity-center")
            guard now != before else { throw NotYet(now) }
            try machine.run("screentime data verify", as: "kim")
        }
        try await isHeld(machine)
        #expect(try counted.isSubset(of: Self.counted(machine)), "the upgrade lost nothing")
        // A second time makes no difference.
        try machine.run("\(installing) install --reinstall /root/later.deb")
        try await isHeld(machine)
    }

    /// Opens the page from the menu. The browser keeps its content.
    private static func openPage(_ machine: Machine) throws {
        let browser = """
            #!/bin/bash
            set -eu
            place=${1#http://} path=/${1#http://*/} host=${place%%/*}
            ask() {
                exec 3<>"/dev/tcp/${host%:*}/${host#*:}"
                printf 'GET %s HTTP/1.1\\r\\nHost: %s\\r\\nCookie: %s\\r\\nConnection: close\\r\\n\\r\\n' "$1" "$host" "$2" >&3
                cat <&3
            }
            cookie=$(ask "$path" "" | sed -n 's/^Set-Cookie: \\([^;]*\\);.*/\\1/p')
            ask '/ask?request=%7B%22command%22:%22%22,%22subjects%22:%5B%5D,%22options%22:%7B%7D%7D' "$cookie" > /tmp/page
            """
        let lines = browser.split(separator: "\n").map { "'" + $0.replacing("'", with: "'\\''") + "'" }
        try machine.run(
            "printf '%s\\n' \(lines.joined(separator: " ")) > /usr/local/bin/browser; chmod 755 /usr/local/bin/browser"
        )
        try machine.run("rm -f /tmp/page; BROWSER=/usr/local/bin/browser /usr/lib/screentime/menu", as: "kim")
        #expect(try machine.run("cat /tmp/page").contains("Mousepad"))
    }

    /// Restarts the machine, as after a power cut.
    private static func comeBack(_ machine: Machine) async throws {
        try await machine.restart()
        try await machine.logIn("kim")
        try await sees("x11", machine)
        try machine.run("screentime data verify", as: "kim")
        #expect(try machine.run("screentime rule list", as: "kim").contains("Mousepad"))
        try edit(machine)
        try await isHeld(machine)
    }

    private static func remove(_ machine: Machine) async throws {
        try machine.run("\(installing) remove screentime")
        #expect(try machine.attempt("pgrep -f /usr/lib/screentime").output == "")
        #expect(try !machine.run("ps -o stat= -C mousepad").hasPrefix("T"), "the editor goes on")
        #expect(try machine.attempt("ls /usr/lib/screentime /usr/bin/screentime").status.isSuccess == false)
        try machine.run("test -d /home/kim/.local/state/screentime")
        try machine.run("echo screentime screentime/delete-records boolean true | debconf-set-selections")
        try machine.run("\(installing) purge screentime")
        let left = try machine.run("find / -xdev -name '*screentime*' -not -path '/root/*'")
        #expect(left == "")
    }

    @Test(
        "The package installs on a Debian without systemd, and reports why it cannot be installed",
        arguments: !TestScale.isSoak
            ? ["bookworm"] : ["bookworm", "trixie"]
    )
    func bare(suite: String) async throws {
        try await Machine.run(of: suite) { machine in
            try machine.run("useradd --create-home --shell /bin/bash kim")
            try Self.copy(try Self.package(), to: "/root/screentime.deb", machine)
            try Self.copy(try Self.later(machine.scratch, "s/amd64/arm64/"), to: "/root/other.deb", machine)
            let other = try machine.attempt("dpkg --install /root/other.deb")
            #expect(
                !other.status.isSuccess && other.output.contains("does not match system"),
                "\(other.output)"
            )

            try machine.run("apt-get --quiet=2 update", within: .seconds(300))
            try machine.run(
                "mkdir -p /usr/lib/screentime; mount -t tmpfs -o size=8m tmpfs /usr/lib/screentime"
            )
            let full = try machine.attempt(
                "\(Self.installing) --no-install-recommends install /root/screentime.deb",
                within: .seconds(600)
            )
            #expect(!full.status.isSuccess && full.output.contains("No space left"), "\(full.output)")
            try machine.run("umount /usr/lib/screentime")
            let startMs = Stopwatch.milliseconds()
            try machine.run("\(Self.installing) --no-install-recommends install /root/screentime.deb")
            print(
                "on \(suite) it was installed with its dependencies in \(Stopwatch.milliseconds() - startMs) ms"
            )

            let status = try machine.attempt("screentime status", as: "kim")
            #expect(
                status.status == .exited(3) && status.output.contains("screentime system up"),
                "\(status.output)"
            )
            let enabled = try machine.attempt("screentime system enable", as: "kim")
            #expect(
                !enabled.status.isSuccess && enabled.output.contains("screentime system up --detach"),
                "\(enabled.output)"
            )
            try machine.run("mkdir -p -m 700 /run/user/1000; chown kim: /run/user/1000")
            try machine.run("screentime system up --detach", as: "kim")
            #expect(try machine.run("pgrep -f /usr/lib/screentime/bin").split(separator: "\n").count > 7)

            // Half of a removal, as after a power cut.
            try machine.run("dpkg --unpack /root/screentime.deb")
            try machine.run("rm /usr/lib/screentime/everywhere /usr/bin/screentime")
            try machine.run("dpkg --install /root/screentime.deb")
            #expect(try machine.run("screentime status", as: "kim").contains("activity-center"))
            try machine.run("\(Self.installing) purge screentime")
            #expect(try machine.attempt("pgrep -f /usr/lib/screentime").output == "")
            try machine.run("test -d /home/kim/.local/state/screentime")
        }
    }

    @Test("The developer package is a Swift package with the frameworks")
    func developer() throws {
        let scratch = try ScratchDirectory()
        let script = """
            set -e
            for package in screentime screentime-developer; do
                dpkg-deb --extract "$1/${package}_$3_amd64.deb" "$2"
            done
            cd "$2/usr/share/screentime/package"
            swift package --scratch-path "$2/build" dump-package
            "$2/usr/lib/screentime/bin/screentime-lab" simulate --schema
            """
        let run = try ProgramRun.run(
            "/bin/bash",
            ["-c", script, "bash", Self.folder, scratch.path, Self.version],
            environment: ProcessEnvironment.current(),
            timeout: .seconds(600)
        )
        #expect(run.status.isSuccess, "\(run.output)")
        for name in ["FamilyControls", "DeviceActivity", "ManagedSettingsUI", "ScreenTimeSimulation"] {
            #expect(run.output.contains("\"\(name)\""))
        }
        #expect(run.output.contains("A scenario for screentime simulate"))
    }
}
