import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

/// Attempts of a child's account to avoid a limit, each in the session of a real account with a shielded app.
@Suite(
    "A child's bypass attempts",
    .serialized,
    .enabled(if: Machine.isWanted, "needs root: starts a Debian with systemd in namespaces")
)
struct WaysRootTests {
    @Test("Each bypass attempt fails, is reported, or is listed as out of reach")
    func all() async throws {
        try await Machine.run(PackageRootTests.desktop) { machine in
            // A small disk for both the account and the records.
            try machine.run(
                """
                mkdir -p /srv/small /var/lib/screentime; mount -t tmpfs -o size=64m tmpfs /srv/small
                mkdir -m 1777 /srv/small/shared; mkdir /srv/small/records; mount --bind /srv/small/records /var/lib/screentime
                """
            )
            try await ProtectRootTests.ready(machine)
            try await machine.logIn("ben")
            try await ProtectRootTests.isSeen(machine)
            try PackageRootTests.edit(machine, as: "ben")
            try machine.run("screentime limit add mousepad 3s --member ben --then shield", as: "mum")
            try await PackageRootTests.isHeld(machine, as: "ben")
            // `SCREENTIME_WAY=ssh` runs only those whose name contains it.
            let wanted = ProcessEnvironment.current()["SCREENTIME_WAY"]
            for way in Self.ways where wanted.map(way.name.contains) ?? true {
                if let test = way.elsewhere {
                    print("\(way.outcome.rawValue): \(way.name) (\(test))")
                    continue
                }
                if way.isLong, !TestScale.isSoak {
                    print("\(way.outcome.rawValue): \(way.name) (scripts/soak.sh does it)")
                    continue
                }
                let startMs = Stopwatch.milliseconds()
                do {
                    try await way.attempt(machine)
                    print("\(way.outcome.rawValue): \(way.name), \(Stopwatch.milliseconds() - startMs) ms")
                } catch {
                    Issue.record("\(way.name): \(error)")
                }
            }
        }
    }

    @Test("SECURITY.md lists every bypass attempt with its outcome")
    func list() {
        let text = ScratchDirectory.text(BuiltTree.source("SECURITY.md"))
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
        let missing = Self.ways.map { "| \($0.name) | \($0.outcome.rawValue) |" }.filter { row in
            !rows.contains { $0.hasPrefix(row) }
        }
        #expect(missing.isEmpty, "\(missing.joined(separator: "\n"))")
        let table = rows.filter { row in
            ["held", "seen", "out of reach"].contains { row.contains(" | \($0) | ") }
        }
        #expect(table.count == Self.ways.count, "a row has no way any more")
    }

    // MARK: - What comes of it

    /// Expects that the script fails. `words` is a part of the message.
    private static func refused(_ script: String, saying words: String = "") -> (Machine) async throws -> Void
    {
        { machine in
            let run = try machine.attempt(script, as: "ben")
            guard !run.status.isSuccess, words.isEmpty || run.output.contains(words) else {
                throw NotYet("it was not refused: \(run.output)")
            }
        }
    }

    /// Expects that the app stays paused and the screen observed.
    private static func changesNothing(_ script: String) -> (Machine) async throws -> Void {
        { machine in
            // Wait, so that an earlier pause is not mistaken for a later one.
            try machine.run("\(script)\nsleep 2", as: "ben")
            try await ProtectRootTests.isSeen(machine)
            try await PackageRootTests.isHeld(machine, as: "ben")
        }
    }

    /// Restarts the app in another way, and expects that it is paused anyway.
    private static func startsAnew(_ script: String, program: String = "mousepad")
        -> (Machine) async throws -> Void
    {
        { machine in
            try machine.run("pkill -KILL -u ben -x mousepad || true; sleep 0.5")
            try machine.run(script, as: "ben")
            try await eventually("it runs") { _ = try machine.run("pgrep -u ben -x \(program)") }
            try await PackageRootTests.isHeld(machine, as: "ben", program: program)
            if program != "mousepad" { try machine.run("pkill -KILL -u ben -x \(program)") }
        }
    }

    /// Expects that a guardian is notified of unobserved usage.
    private static func isReported(_ script: String, then end: String)
        -> (Machine) async throws -> Void
    {
        { machine in
            func count() throws -> Int {
                try machine.run("screentime history", as: "mum").matches(of: /Screen Time cannot observe/)
                    .count
            }
            let before = try count()
            try machine.run(script)
            defer { _ = try? machine.run(end) }
            try await eventually(within: .seconds(150), "the history reports it to the guardian") {
                guard try count() > before else {
                    throw NotYet(try machine.run("loginctl list-sessions; screentime history", as: "mum"))
                }
            }
        }
    }

    /// A changed copy of a program counts as unknown, guardians are notified, and a guardian can accept it.
    private static func unknownProgram(_ machine: Machine) async throws {
        try machine.run("pkill -KILL -u ben -x mousepad || true; sleep 0.5")
        try machine.run("cp /usr/bin/mousepad ~/game; echo >> ~/game; \(start) ~/game", as: "ben")
        func isApp(_ id: String) async throws {
            try await eventually(within: .seconds(30), "the program counts as \(id)") {
                let windows = try machine.run("screentime bus call desktop.windows '{}'", as: "ben")
                guard windows.contains("\"app\": \"\(id)\"") else { throw NotYet(windows) }
            }
        }
        try await isApp(UsageObserve.unknownProgram)
        try await eventually(within: .seconds(120), "the guardian is notified") {
            let list = try machine.run("screentime notification list", as: "mum")
            guard list.contains("A child uses an unknown program") else { throw NotYet(list) }
        }
        try machine.run("screentime protect accept /home/ben/game")
        try await isApp("game")
        try machine.run("screentime protect accept /home/ben/game --undo; pkill -KILL -u ben -x game")
    }

    private static let start =
        "systemd-run --user --quiet --collect --setenv DISPLAY=$DISPLAY --setenv GDK_BACKEND=x11"
    /// A program that takes the given bus names, also from their owners.
    private static let owner =
        "\(start) python3 -c 'import dbus, sys, time; bus = dbus.SessionBus(); "
        + "[bus.request_name(name, 7) for name in sys.argv[1:]]; time.sleep(20)'"
    private static let agent = "$(pgrep -u ben -x desktop-agent)"
    private static let cgroup = "/sys/fs/cgroup$(sed -n s/^0:://p /proc/$(pgrep -u ben -x mousepad)/cgroup)"
    /// Subscribes to 3,000 topics without a pause, then to several hundred per second, with ZeroMQ's wire protocol.
    private static let topics = #"""
        import socket, struct, sys, time
        s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); got = b""
        s.sendall(b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32))
        ready = b"\x05READY\x0bSocket-Type" + struct.pack(">I", 3) + b"SUB"; s.sendall(b"\x04" + bytes([len(ready)]) + ready)
        while len(got) < 66: got += s.recv(999)
        for number in range(10**9):
            topic = b"\x01~sync.%08d" % number
            s.sendall(b"\x00" + bytes([len(topic)]) + topic)
            if number > 3000: time.sleep(0.002)
            try: s.recv(65536, socket.MSG_DONTWAIT)
            except BlockingIOError: pass
        """#

    // MARK: - The ways

    static var ways: [Way] {
        onTheAgent + otherScreens + otherStarts + onTheServices + onTheDesktop + onTheComputer
    }

    private static var onTheAgent: [Way] {
        [
            Way(
                "kill the agent",
                outcome: .held,
                attempt: changesNothing("pkill -KILL -x desktop-agent; sleep 2")
            ),
            Way(
                "stop the agent (SIGSTOP)",
                outcome: .held,
                isLong: true,
                attempt: changesNothing("pkill -STOP -x desktop-agent; sleep 90")
            ),
            Way(
                "trace the agent (ptrace)",
                outcome: .held,
                attempt: refused(
                    "python3 -c 'import ctypes, sys; sys.exit(ctypes.CDLL(None).ptrace(16, \(agent), 0, 0) != 0)'"
                )
            ),
            Way("load a library into it (LD_PRELOAD)", outcome: .held) { machine in
                try machine.run(
                    """
                    cp /lib/x86_64-linux-gnu/libpsl.so.5 /tmp/none.so
                    systemctl --user set-environment LD_PRELOAD=/tmp/none.so
                    systemctl --user restart screentime-agent.service
                    """,
                    as: "ben"
                )
                try await ProtectRootTests.isSeen(machine)
                #expect(try !machine.run("cat /proc/\(agent)/maps").contains("none.so"))
                try machine.run("systemctl --user unset-environment LD_PRELOAD", as: "ben")
            },
            Way(
                "change the agent's environment",
                outcome: .held,
                attempt: changesNothing(
                    """
                    systemctl --user set-environment SCREENTIME_DESKTOP_AGENT_ADAPTER=none SCREENTIME_STATE=/tmp/mine
                    systemctl --user restart screentime-agent.service
                    systemctl --user unset-environment SCREENTIME_DESKTOP_AGENT_ADAPTER SCREENTIME_STATE
                    """
                )
            ),
            Way(
                "take its descriptors away (prlimit)",
                outcome: .held,
                attempt: refused("prlimit --pid \(agent) --nofile=3")
            ),
            Way("starve it by a drop-in of its unit (ulimit)", outcome: .seen, isLong: true) { machine in
                let folder = "~/.config/systemd/user/screentime-agent.service.d"
                try machine.run(
                    """
                    mkdir -p \(folder); printf '[Service]\nLimitNOFILE=3\n' > \(folder)/limit.conf
                    systemctl --user daemon-reload; systemctl --user restart screentime-agent.service || true
                    """,
                    as: "ben"
                )
                try await isReported("true", then: "true")(machine)
                try await PackageRootTests.isHeld(machine, as: "ben")
                try machine.run(
                    """
                    rm -r \(folder); systemctl --user daemon-reload
                    systemctl --user reset-failed screentime-agent.service || true
                    systemctl --user restart screentime-agent.service
                    """,
                    as: "ben"
                )
                try await ProtectRootTests.isSeen(machine)
            },
            Way(
                "make it slow (nice, SCHED_IDLE)",
                outcome: .held,
                attempt: changesNothing("chrt --idle --pid 0 \(agent); renice --priority 19 \(agent)")
            ),
            Way(
                "answer it as a logind of one's own",
                outcome: .held,
                attempt: changesNothing(
                    """
                    systemctl --user set-environment DBUS_SYSTEM_BUS_ADDRESS=unix:path=/tmp/none XDG_SESSION_ID=c99
                    systemctl --user restart screentime-agent.service
                    systemctl --user unset-environment DBUS_SYSTEM_BUS_ADDRESS XDG_SESSION_ID
                    """
                )
            ),
        ]
    }

    private static var otherScreens: [Way] {
        [
            Way("show the agent another display", outcome: .seen, elsewhere: "greeter"),
            Way(
                "switch the part of GNOME off (dconf)",
                outcome: .held,
                elsewhere: "wayland, in the long form"
            ),
            Way("stop the agent's unit", outcome: .seen, elsewhere: "whole"),
            Way("use a text console", outcome: .seen, elsewhere: "whole"),
            // It counts as the nested server, which can have a limit. A limit for everything applies.
            Way("use the app within a nested X server (Xephyr)", outcome: .seen) { machine in
                try machine.run(
                    """
                    pkill -KILL -u ben -x mousepad || true
                    \(start) --unit nested Xephyr :7 -screen 640x480 -nolisten tcp
                    until DISPLAY=:7 xdotool getdisplaygeometry; do sleep 0.1; done
                    DISPLAY=:7; \(start) mousepad
                    """,
                    as: "ben"
                )
                try await eventually("the report names it") {
                    let report = try machine.run("screentime report --member ben", as: "mum")
                    guard report.contains("Xephyr") else { throw NotYet(report) }
                }
                try machine.run("systemctl --user stop nested", as: "ben")
                try await startsAnew("\(start) mousepad")(machine)
            },
            Way("begin a second session", outcome: .seen, isLong: true) { machine in
                try await isReported(
                    """
                    systemd-run --quiet --collect --unit second --uid ben --property PAMName=login --setenv XDG_SEAT=seat0 \
                        --setenv XDG_SESSION_CLASS=user --setenv XDG_SESSION_TYPE=x11 \
                        bash -c 'Xvfb :6 -screen 0 800x600x24 -nolisten tcp'
                    """,
                    then: """
                        systemctl stop second
                        loginctl activate $(loginctl show-user ben --property Display --value)
                        """
                )(machine)
                try await ProtectRootTests.isSeen(machine)
            },
            Way("come by ssh while no desktop of the account is in use", outcome: .seen, isLong: true) {
                machine in
                try machine.logOut("ben")
                try await isReported(
                    """
                    mkdir -p /run/sshd; ssh-keygen -q -t ed25519 -N '' -f /root/key
                    install -d -o ben -m 700 ~ben/.ssh; install -o ben -m 600 /root/key.pub ~ben/.ssh/authorized_keys
                    /usr/sbin/sshd
                    systemd-run --quiet --collect --unit visit ssh -o StrictHostKeyChecking=no -i /root/key -tt ben@127.0.0.1 sleep 300
                    """,
                    then: "systemctl stop visit"
                )(machine)
                try await machine.logIn("ben")
                try await ProtectRootTests.isSeen(machine)
                try await startsAnew("\(start) mousepad")(machine)
            },
        ]
    }

    private static var otherStarts: [Way] {
        [
            Way(
                "start the app by systemd-run",
                outcome: .held,
                attempt: startsAnew("\(start) --scope --slice app mousepad > /dev/null 2>&1 &")
            ),
            Way(
                "rename the program",
                outcome: .held,
                attempt: startsAnew("cp /usr/bin/mousepad ~/notes; \(start) ~/notes", program: "notes")
            ),
            Way(
                "copy the program",
                outcome: .held,
                attempt: startsAnew("mkdir -p ~/x; cp /usr/bin/mousepad ~/x; \(start) ~/x/mousepad")
            ),
            Way("change a copy of the program", outcome: .seen, attempt: unknownProgram),
            Way(
                "start it by at",
                outcome: .held,
                attempt: startsAnew("echo 'DISPLAY=:9 GDK_BACKEND=x11 mousepad' | at now")
            ),
            Way(
                "start it by cron",
                outcome: .held,
                attempt: startsAnew(
                    "echo '* * * * * DISPLAY=:9 GDK_BACKEND=x11 mousepad' | crontab -; sleep 61; crontab -r"
                )
            ),
            Way(
                "start it in a container",
                outcome: .held,
                attempt: startsAnew("\(start) bwrap --dev-bind / / --unshare-pid mousepad")
            ),
            Way(
                "start it from an unpacked AppImage",
                outcome: .held,
                attempt: startsAnew(
                    """
                    mkdir -p ~/squashfs-root/usr/bin; cp /usr/bin/mousepad ~/squashfs-root/usr/bin
                    printf '#!/bin/sh\nexec ~/squashfs-root/usr/bin/mousepad\n' > ~/squashfs-root/AppRun
                    chmod +x ~/squashfs-root/AppRun
                    \(start) --setenv APPIMAGE=$HOME/x.AppImage ~/squashfs-root/AppRun
                    """
                )
            ),
            // A Flatpak cannot run in this machine, whose /proc is incomplete.
            Way("start it as a Flatpak", outcome: .held, elsewhere: "OwnKernelRootTests, in the long form"),
            Way(
                "start it in namespaces (unshare)",
                outcome: .held,
                attempt: startsAnew("\(start) unshare --user --map-root-user --mount mousepad")
            ),
        ]
    }

    private static var onTheServices: [Way] {
        let forged = ##"'{"agent":"x","run":"x","observations":[{"member":"mum"}]}'"##
        return [
            Way(
                "forge an observation",
                outcome: .held,
                attempt: refused(
                    "screentime bus call usage.observe \(forged) --to activity-center",
                    saying: "access.agent_only"
                )
            ),
            Way("subscribe to thousands of topics", outcome: .held) { machine in
                try machine.run("cat > /tmp/topics.py <<'TEXT'\n\(topics)\nTEXT")
                try machine.run(
                    """
                    \(start) --unit topics python3 /tmp/topics.py /run/screentime/accounts/$(id -u)/shield-service/events
                    sleep 2 && systemctl --user is-active topics && systemctl --user restart screentime-agent.service
                    """,
                    as: "ben"
                )
                try await ProtectRootTests.isSeen(machine)
                try await PackageRootTests.isHeld(machine, as: "ben")
                try await ProtectRootTests.type("screentime rule remove Mousepad", machine, as: "mum")
                try await eventually(within: .seconds(25), "the editor runs again") {
                    let state = try machine.run("ps -o stat= -C mousepad; cat \(cgroup)/cgroup.events")
                    guard !state.hasPrefix("T"), state.contains("frozen 0") else { throw NotYet(state) }
                }
                try machine.run("systemctl --user stop topics", as: "ben")
                try machine.run("screentime limit add mousepad 3s --member ben --then shield", as: "mum")
                try await PackageRootTests.isHeld(machine, as: "ben")
            },
            Way("send a request for time again (replay)", outcome: .held) { machine in
                try machine.run("screentime request add mousepad 15m --because chess", as: "ben")
                try await ProtectRootTests.type("screentime request approve R1", machine, as: "mum")
                try machine.run("screentime request revoke R1", as: "mum")
                for words in ["request approve R1", "request add mousepad 15m --because again"] {
                    _ = try machine.attempt("screentime \(words)", as: "ben")
                }
                try await PackageRootTests.isHeld(machine, as: "ben")
                try machine.run("screentime request revoke R2", as: "ben")
            },
            Way(
                "read the memory of the services (/proc)",
                outcome: .held,
                attempt: refused(
                    "cat /proc/$(pgrep -x activity-center)/environ /proc/$(pgrep -x activity-center)/maps"
                )
            ),
            Way(
                "put links into the folders under /run",
                outcome: .held,
                attempt: refused(
                    "cd /run/screentime/accounts/$(id -u) && mv desktop-agent x && ln -s /var/lib/screentime desktop-agent"
                )
            ),
            Way(
                "remove what was recorded",
                outcome: .held,
                attempt: refused("rm -rf /var/lib/screentime/* /var/lib/screentime-agents/*")
            ),
            Way(
                "edit the configuration",
                outcome: .held,
                attempt: refused("echo '[activity-center]' >> /etc/screentime/config")
            ),
            Way("fill the disk that the records are on", outcome: .held) { machine in
                try machine.run("dd if=/dev/zero of=/srv/small/shared/fill bs=1M || true", as: "ben")
                try await startsAnew("sleep 3; \(start) mousepad")(machine)
                try machine.run("screentime report --member ben", as: "mum")
                try machine.run("rm /srv/small/shared/fill", as: "ben")
                _ = try await eventually("records are written again and are complete") {
                    try machine.run("screentime request add mousepad 5m", as: "ben")
                    try machine.run("screentime data verify")
                }
                try await ProtectRootTests.isSeen(machine)
            },
            Way("fill the memory under /run", outcome: .held) { machine in
                try machine.run("mount -o remount,size=32m /run/user/$(id -u ben)")
                try machine.run(
                    """
                    dd if=/dev/zero of=$XDG_RUNTIME_DIR/fill bs=1M || true
                    dd if=/dev/zero of=/run/screentime/accounts/$(id -u)/desktop-agent/fill bs=1M || true
                    """,
                    as: "ben"
                )
                try await startsAnew("\(start) mousepad")(machine)
                try machine.run("rm $XDG_RUNTIME_DIR/fill", as: "ben")
            },
        ]
    }

    private static var onTheDesktop: [Way] {
        [
            Way(
                "let the app go on (SIGCONT)",
                outcome: .held,
                attempt: changesNothing("for each in 1 2 3; do pkill -CONT -x mousepad; sleep 1; done")
            ),
            Way("move the app to another cgroup", outcome: .held) { machine in
                try machine.run(
                    """
                    systemd-run --user --quiet --collect --unit other sleep 60
                    for pid in $(pgrep -x mousepad); do
                        echo $pid > /sys/fs/cgroup$(systemctl --user show other --property ControlGroup --value)/cgroup.procs
                    done
                    """,
                    as: "ben"
                )
                try await PackageRootTests.isHeld(machine, as: "ben")
            },
            Way(
                "take names on the session's bus",
                outcome: .held,
                attempt: changesNothing(
                    """
                    \(owner) dev.screentime.DesktopAgent org.freedesktop.ScreenSaver org.gnome.ScreenSaver
                    until busctl --user status org.freedesktop.ScreenSaver > /dev/null; do sleep 0.1; done
                    systemctl --user restart screentime-agent.service
                    """
                )
            ),
            Way(
                "put another program in place of the one that shows notifications",
                outcome: .held,
                attempt: changesNothing(
                    """
                    pkill -KILL -u ben -x dunst || true
                    \(owner) org.freedesktop.Notifications
                    until busctl --user status org.freedesktop.Notifications > /dev/null; do sleep 0.1; done
                    """
                )
            ),
            Way("call the session locked or idle", outcome: .held) { machine in
                func hint(_ value: Bool) -> String {
                    """
                    session=$(busctl get-property org.freedesktop.login1 /org/freedesktop/login1/user/_$(id -u) \
                        org.freedesktop.login1.User Display | cut -d'"' -f4)
                    for hint in LockedHint IdleHint; do
                        busctl call org.freedesktop.login1 $session org.freedesktop.login1.Session Set$hint b \(value)
                    done
                    """
                }
                try machine.run("\(hint(true)); sleep 3", as: "ben")
                try await PackageRootTests.isHeld(machine, as: "ben")
                try await changesNothing(hint(false))(machine)
            },
            // Last of these, because it ends the session.
            Way("kill the desktop", outcome: .held) { machine in
                try machine.run("pkill -KILL -x openbox; sleep 2; loginctl list-sessions", as: "ben")
                let left = try machine.attempt("pgrep -u ben -x openbox").output
                guard left.isEmpty else { throw NotYet("a desktop is there: \(left)") }
                try machine.run("systemctl stop desktop-ben || true")
                try await machine.logIn("ben")
                try await ProtectRootTests.isSeen(machine)
                try await startsAnew("\(start) mousepad")(machine)
            },
        ]
    }

    private static var onTheComputer: [Way] {
        [
            Way(
                "set the clock (timedatectl)",
                outcome: .held,
                attempt: refused(
                    "timedatectl --no-ask-password set-time '2026-01-01 12:00'",
                    saying: "authentication required"
                )
            ),
            Way(
                "move to another time zone",
                outcome: .held,
                attempt: refused(
                    "timedatectl --no-ask-password set-timezone Asia/Tokyo",
                    saying: "authentication required"
                )
            ),
            Way("suspend or hibernate", outcome: .held) { machine in
                _ = try machine.attempt(
                    "for each in suspend hibernate; do systemctl --no-ask-password $each; done",
                    as: "ben"
                )
                try await PackageRootTests.isHeld(machine, as: "ben")
            },
            Way("log in as a guest", outcome: .seen) { machine in
                try machine.run("useradd --create-home guest")
                let status = try machine.run("screentime protect status")
                guard status.contains("guest") else { throw NotYet(status) }
            },
            Way(
                "become the administrator (sudo)",
                outcome: .held,
                attempt: refused("sudo -n true", saying: "password is required")
            ),
            Way("start the computer from another disk", outcome: .outOfReach, elsewhere: "no test"),
        ]
    }
}
