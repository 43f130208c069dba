import Glibc
import STDesktopKit
import STPlatform
import STTestSupport

@testable import STCommandCore

/// A separate computer: Debian with systemd as its first process, without a network. Or a bare Debian without systemd, with this
/// computer's network.
final class Machine {
    static let isWanted = DebianRoot.isPossible
    private static let path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"

    enum Desktop: Equatable {
        /// On the X server with that number.
        case openbox(Int)
        case sway
        case gnome
        case kwin

        /// The settings of its session, and the command that starts it.
        var start: (words: String, command: String) {
            switch self {
            case .openbox(let screen):
                (
                    "--setenv XDG_SESSION_TYPE=x11 --setenv XDG_CURRENT_DESKTOP=openbox --setenv DISPLAY=:\(screen)",
                    "Xvfb :\(screen) -screen 0 1280x800x24 -nolisten tcp & "
                        + "until xdotool getdisplaygeometry; do sleep 0.1; done; exec openbox-session"
                )
            case .sway:
                (
                    "--setenv XDG_SESSION_TYPE=wayland --setenv XDG_CURRENT_DESKTOP=sway --setenv WLR_BACKENDS=headless "
                        + "--setenv WLR_RENDERER=pixman --setenv WLR_LIBINPUT_NO_DEVICES=1",
                    "exec sway"
                )
            case .gnome:
                // GNOME's session manager would start the autostart programs, but it is not installed.
                (
                    "--setenv XDG_SESSION_TYPE=wayland --setenv XDG_CURRENT_DESKTOP=GNOME --setenv LIBGL_ALWAYS_SOFTWARE=1",
                    "gnome-shell --headless --wayland --wayland-display wayland-1 --virtual-monitor 1280x800 & "
                        + "until \(Self.answers); do sleep 0.3; done; WAYLAND_DISPLAY=wayland-1 /usr/lib/screentime/session; wait"
                )
            case .kwin:
                (
                    "--setenv XDG_SESSION_TYPE=wayland --setenv XDG_CURRENT_DESKTOP=KDE --setenv LIBGL_ALWAYS_SOFTWARE=1",
                    "Xvfb :12 -screen 0 1280x800x24 -nolisten tcp & until DISPLAY=:12 xdotool getdisplaygeometry; do sleep 0.1; done; "
                        // The packaged program has a capability, so the loader would ignore its environment. A copy has none.
                        + "cp /usr/bin/kwin_wayland .; ./kwin_wayland --x11-display :12 --width 1280 --height 800 "
                        + "--socket wayland-1 --no-lockscreen --xwayland & "
                        + "until \(Self.hasKwin); do sleep 0.3; done; WAYLAND_DISPLAY=wayland-1 /usr/lib/screentime/session; wait"
                )
            }
        }

        /// The environment of a terminal in it. Ends with a failure until the desktop exists.
        var environment: String {
            switch self {
            case .openbox(let screen):
                """
                export DISPLAY=:\(screen) XDG_SESSION_TYPE=x11
                pgrep -u $USER -x openbox > /dev/null
                """
            case .sway:
                """
                export WAYLAND_DISPLAY=wayland-1 XDG_SESSION_TYPE=wayland GDK_BACKEND=wayland
                export SWAYSOCK=$(echo $XDG_RUNTIME_DIR/sway-ipc.*.sock)
                swaymsg --type get_outputs > /dev/null
                """
            case .gnome:
                """
                export WAYLAND_DISPLAY=wayland-1 XDG_SESSION_TYPE=wayland GDK_BACKEND=wayland
                \(Self.answers)
                """
            case .kwin:
                """
                export WAYLAND_DISPLAY=wayland-1 XDG_SESSION_TYPE=wayland GDK_BACKEND=wayland
                \(Self.hasKwin)
                """
            }
        }

        private static let hasKwin = "busctl --user status org.kde.KWin > /dev/null"

        /// Succeeds once the Shell answers, and closes the overview with which a session begins.
        private static let answers =
            "busctl --user set-property org.gnome.Shell /org/gnome/Shell org.gnome.Shell OverviewActive b false"
    }

    /// The packages that make Debian a computer.
    static let base = [
        "systemd-sysv", "dbus-user-session", "libpam-systemd", "polkitd", "procps", "iproute2",
    ]

    let scratch: ScratchDirectory
    private let ground: any MachineGround
    private let hasSystemd: Bool
    /// The desktops of the accounts that have logged in.
    private var desktops: [String: Desktop] = [:]

    private init(_ ground: any MachineGround, _ scratch: ScratchDirectory, hasSystemd: Bool) async throws {
        self.ground = ground
        self.scratch = scratch
        self.hasSystemd = hasSystemd
        try await start()
    }

    /// Runs with Debian's `packages`. If there are none, it is a bare Debian without systemd.
    static func run(
        _ packages: [String] = [],
        of suite: String = "bookworm",
        named name: String = "machine",
        _ body: (Machine) async throws -> Void
    ) async throws {
        let hasSystemd = !packages.isEmpty
        let root = try await DebianRoot.installed(
            hasSystemd ? name : "bare",
            suite: suite,
            packages: hasSystemd ? base + packages : ["procps"],
            size: hasSystemd
                ? "up to 400 MB to download, 1.3 GB there" : "60 MB to download, 400 MB there"
        )
        let scratch = try ScratchDirectory()
        let ground = try NamespaceGround(root, scratch, hasSystemd: hasSystemd)
        try await run(try await Machine(ground, scratch, hasSystemd: hasSystemd), body)
    }

    /// Runs with a virtual machine that has its own kernel.
    static func runVirtual(_ body: (Machine, VirtualGround) async throws -> Void) async throws {
        let scratch = try ScratchDirectory()
        let ground = try await VirtualGround(scratch)
        try await run(try await Machine(ground, scratch, hasSystemd: true)) { try await body($0, ground) }
    }

    private static func run(_ machine: Machine, _ body: (Machine) async throws -> Void) async throws {
        do { try await body(machine) } catch {
            machine.stop()
            throw error
        }
        machine.stop()
    }

    private func start() async throws {
        do {
            try ground.start()
            try await isUp()
        } catch {
            stop()
            throw error
        }
    }

    /// Waits until the machine is up.
    func isUp() async throws {
        try await eventually(within: .seconds(180), "the machine is up") {
            guard try ground.isReady else { throw NotYet("it starts") }
            let state = try attempt(hasSystemd ? "systemctl is-system-running" : "cat /proc/1/comm").output
            guard ["running", "degraded", "sleep"].contains(where: state.hasPrefix) else {
                throw NotYet(state)
            }
        }
    }

    /// Stops the machine, as a power cut does. Its files stay.
    func stop() { ground.stop() }

    func restart() async throws {
        stop()
        try await start()
    }

    /// Connects both machines by a cable. This one has `10.77.NUMBER.1`, the other one `10.77.NUMBER.2`.
    func connect(to other: Machine, number: Int) throws {
        guard let here = ground.process, let there = other.ground.process else {
            throw NotYet("only machines in namespaces have cables")
        }
        let cable = "link add cable\(number) netns \(here) type veth peer name cable\(number) netns \(there)"
        let run = try ProgramRun.run(
            "/usr/sbin/ip",
            cable.split(separator: " ").map(String.init),
            environment: [:],
            timeout: .seconds(10)
        )
        guard run.status.isSuccess else { throw NotYet(run.output) }
        for (machine, end) in [(self, 1), (other, 2)] {
            let address = "10.77.\(number).\(end)/24"
            try machine.run("ip address add \(address) dev cable\(number) && ip link set cable\(number) up")
        }
    }

    /// Runs a script and returns its output. Throws if it fails.
    @discardableResult
    func run(_ script: String, as account: String? = nil, within limit: Duration = .seconds(600)) throws
        -> String
    {
        let run = try attempt(script, as: account, within: limit)
        guard run.status.isSuccess else { throw NotYet("\(script): \(run.status) \(run.output)") }
        return run.output
    }

    func attempt(_ script: String, as account: String? = nil, within limit: Duration = .seconds(600)) throws
        -> ProgramRun
    {
        let words = words(script, account)
        return try ProgramRun.run(
            words[0],
            Array(words.dropFirst()),
            environment: [:],
            timeout: limit
        )
    }

    /// Returns a command that runs a shell in the machine. An account's shell is that of a terminal in its desktop.
    func words(_ script: String, _ account: String? = nil) -> [String] {
        let environment = ["/usr/bin/env", "-i", Self.path, "LANG=C.UTF-8", "HOME=/root"]
        guard let account else { return ground.enter(environment + ["/bin/bash", "-c", script]) }
        let desktop = """
            set -e
            export HOME=/home/\(account) USER=\(account) XDG_RUNTIME_DIR=/run/user/$(id -u)
            export DBUS_SESSION_BUS_ADDRESS=unix:path=$XDG_RUNTIME_DIR/bus
            cd
            \(desktops[account]?.environment ?? "")
            set +e
            """
        return ground.enter(
            environment + [
                "/usr/sbin/runuser", "-u", account, "--", "/bin/bash", "-c", "\(desktop)\n\(script)",
            ]
        )
    }

    /// Starts a desktop of an account, as a login does: a session of logind, and its autostart programs.
    func logIn(_ account: String, to desktop: Desktop = .openbox(9)) async throws {
        let start = desktop.start
        try run(
            """
            systemd-run --quiet --collect --unit desktop-\(account) --uid \(account) --property PAMName=login \
                --setenv XDG_SEAT=seat0 --setenv XDG_SESSION_CLASS=user \(start.words) bash -c 'cd; \(start.command)'
            """
        )
        try await follow(account, on: desktop)
    }

    func logOut(_ account: String) throws {
        desktops[account] = nil
        try run("systemctl stop desktop-\(account).service")
    }

    /// Uses the desktop that a display manager has started for an account.
    func follow(_ account: String, on desktop: Desktop) async throws {
        desktops[account] = desktop
        _ = try await eventually(within: .seconds(60), "the desktop is there") {
            try run("true", as: account)
        }
    }

    /// Keeps a picture of the screen in the folder of `SCREENTIME_PICTURES`.
    func keepPicture(_ name: String, of screen: Int = 9) throws {
        guard let folder = ProcessEnvironment.current()["SCREENTIME_PICTURES"] else { return }
        // A shield is drawn a moment after its cover.
        try run("sleep 2")
        try ground.keepPicture(at: "\(folder)/\(name).png", of: screen)
    }
}

/// The basis of a machine: namespaces or an emulator.
protocol MachineGround {
    func start() throws
    /// True once a shell can be started. Throws if it never can.
    var isReady: Bool { get throws }
    /// Returns a command that runs these words in the machine, as root.
    func enter(_ words: [String]) -> [String]
    func stop()
    func keepPicture(at path: String, of screen: Int) throws
    /// The process id of its first process, if it runs on this computer's kernel.
    var process: Int32? { get }
}

extension MachineGround {
    var process: Int32? { nil }
}

/// Namespaces on this computer's kernel.
///
/// Changes are written over the machine's folder below `.build`, which stays unchanged.
final class NamespaceGround: MachineGround {
    /// `$1` is Debian, `$2` the folder for changes, `$3` its cgroup. It drops the capabilities for the clock, modules and logs,
    /// which concern the whole computer.
    private static let boot = #"""
        set -eu
        echo $$ > "$3/cgroup.procs"
        if [ "$4" = systemd ]; then network=--net; else network=; fi
        exec unshare --pid --mount --uts --ipc $network --cgroup --fork --kill-child=KILL bash -c '
            set -eu
            mount --make-rprivate /
            mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/changes,workdir=$2/work" "$2/root"
            cd "$2/root"
            mount -t proc proc proc
            mount -t sysfs sysfs sys
            mount -o remount,ro,bind sys
            mount --bind proc/sys proc/sys
            mount -o remount,ro,bind proc/sys
            for folder in run tmp; do mount -t tmpfs tmpfs $folder; done
            mount -t tmpfs -o mode=755 tmpfs dev
            for device in null zero full random urandom tty; do touch dev/$device; mount --bind /dev/$device dev/$device; done
            mkdir dev/pts dev/shm
            mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts dev/pts
            mount -t tmpfs tmpfs dev/shm
            ln -s pts/ptmx dev/ptmx
            ln -s /proc/self/fd dev/fd
            for number in 0 1 2; do ln -s fd/$number dev/$(echo stdin stdout stderr | cut -d" " -f$((number + 1))); done
            mount -t cgroup2 cgroup2 sys/fs/cgroup
            pivot_root . mnt
            umount -l /mnt
            if [ "$3" != systemd ]; then exec sleep infinity; fi
            ip link set lo up
            exec setpriv --bounding-set -sys_time,-sys_module,-syslog --inh-caps -sys_time,-sys_module,-syslog \
                env -i container=chroot PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system \
                --unit=multi-user.target --log-target=console --show-status=0 systemd.unified_cgroup_hierarchy=1
        ' boot "$1" "$2" "$4"
        """#

    private let root: DebianRoot
    private let scratch: ScratchDirectory
    private let hasSystemd: Bool
    private var ground: FreezerGround?
    private var starter: SpawnedProcess?
    private var first: Int32 = 0
    var process: Int32? { first }

    init(_ root: DebianRoot, _ scratch: ScratchDirectory, hasSystemd: Bool) throws {
        self.root = root
        self.scratch = scratch
        self.hasSystemd = hasSystemd
        for name in ["changes", "work", "root"] { try Directories.prepare(scratch.file(name)) }
        chmod(scratch.file("changes"), 0o755)
    }

    func start() throws {
        let ground = try FreezerGround()
        self.ground = ground
        let log = open(scratch.file("boot.log"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard log >= 0 else { throw SystemError.last("open") }
        let output = OwnedDescriptor(log)
        starter = try SpawnedProcess(
            SpawnPlan(
                executable: "/bin/bash",
                arguments: [
                    "-c", Self.boot, "boot", root.path, scratch.path, ground.path,
                    hasSystemd ? "systemd" : "none",
                ],
                environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
                standardOutput: output.number,
                standardError: output.number
            )
        )
    }

    var isReady: Bool {
        get throws {
            guard let starter, starter.reap() == nil else {
                throw NotYet(ScratchDirectory.text(scratch.file("boot.log")))
            }
            first = ProcessTable.children(of: starter.pid).first ?? 0
            return first > 0
        }
    }

    func enter(_ words: [String]) -> [String] {
        ["/usr/bin/nsenter", "--target", "\(first)", "--all", "--"] + words
    }

    func stop() {
        ground?.remove()
        _ = starter?.wait(deadlineMs: 10_000)
        ground = nil
    }

    /// The screen's abstract socket is reached from outside, in the network namespace.
    func keepPicture(at path: String, of screen: Int) throws {
        _ = try ProgramRun.run(
            "/usr/bin/nsenter",
            [
                "--target", "\(first)", "--net", "--", "/usr/bin/import", "-window", "root", path,
            ],
            environment: [
                "PATH": "/usr/bin:/bin", "DISPLAY": ":\(screen)", "HOME": scratch.path,
                "XAUTHORITY": "/proc/\(first)/root/run/lightdm/root/:\(screen)",
            ],
            timeout: .seconds(30)
        )
    }
}
