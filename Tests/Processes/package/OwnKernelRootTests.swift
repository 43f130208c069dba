import Glibc
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

/// Functions that need a separate kernel: consoles, sleep, a clock that can be set, and namespaces for bubblewrap.
@Suite(
    "A protected computer with its own kernel",
    .serialized,
    .enabled(if: Machine.isWanted && TestScale.isSoak, "needs root: starts a virtual machine")
)
struct OwnKernelRootTests {
    @Test(
        "A child's limit holds through sleep, power-off, clock changes and Flatpak, and use of a console is seen"
    )
    func whole() async throws {
        try await Machine.runVirtual { machine, ground in
            try await ProtectRootTests.ready(machine)
            try machine.run(
                """
                mkdir -p /etc/lightdm/lightdm.conf.d
                printf '[Seat:*]\nautologin-user=ben\nautologin-session=openbox\n' > /etc/lightdm/lightdm.conf.d/ben.conf
                systemctl restart lightdm
                """
            )
            try await machine.follow("ben", on: .openbox(0))
            try await ProtectRootTests.isSeen(machine)
            try machine.run("screentime limit add mousepad 3s --member ben --then shield", as: "mum")
            try PackageRootTests.edit(machine, as: "ben")
            try await PackageRootTests.isHeld(machine, as: "ben")
            try machine.keepPicture("virtual-shield")

            // First, because the emulator no longer turns off after a sleep.
            try await Self.hibernate(machine, ground)
            try Self.setClock(machine)
            try await Self.flatpak(machine)
            try await Self.console(machine, ground)
            try await Self.sleep(machine, ground)
            try machine.run("screentime data verify")
        }
    }

    /// Returns the child's usage so far, and its unobserved part. Eight hours of sleep may end tomorrow.
    private static func used(_ machine: Machine) throws -> (ms: Int64, unseenMs: Int64) {
        let days = try ["yesterday", "today"].map {
            try machine.run("screentime report --member ben --day \($0) --json", as: "mum")
        }
        func sum(_ name: String) -> Int64 { days.map { SittingRootTests.sum(name, $0) }.reduce(0, +) }
        return (sum("used_ms"), sum("unobserved_ms"))
    }

    /// Checks that of the time of `body`, only the time counts in which the computer was awake.
    private static func slept(
        _ name: String,
        machine: Machine,
        atLeast sleepMs: Int64,
        body: () async throws -> Void
    ) async throws {
        let (before, startMs) = (try used(machine), Stopwatch.milliseconds())
        try await body()
        try await ProtectRootTests.isSeen(machine)
        try await PackageRootTests.isHeld(machine, as: "ben")
        let (after, tookMs) = (try used(machine), Stopwatch.milliseconds() - startMs)
        let awakeMs = max(0, tookMs - sleepMs)
        print(
            "\(name): \(after.ms - before.ms) ms counted, \(after.unseenMs - before.unseenMs) of them not seen, "
                + "in \(tookMs) ms here"
        )
        #expect(after.ms - before.ms <= awakeMs + 5_000, "\(name)")
    }

    /// Suspends the computer, as by closing a laptop. A child may do this at its own screen.
    private static func sleep(_ machine: Machine, _ ground: VirtualGround) async throws {
        let sleepMs: Int64 = 90_000
        try await slept("suspended", machine: machine, atLeast: sleepMs) {
            try machine.run("systemctl suspend")
            try await ground.waitForSleep()
            try await Task.sleep(for: .milliseconds(sleepMs))
            try ground.command("system_wakeup")
            try await machine.isUp()
        }
        #expect(try machine.run("journalctl --no-pager --boot").contains("PM: suspend exit"))
    }

    private static func hibernate(_ machine: Machine, _ ground: VirtualGround) async throws {
        let boot = try machine.run("cat /proc/sys/kernel/random/boot_id")
        try await slept("hibernated for eight hours", machine: machine, atLeast: 0) {
            try machine.run("systemctl hibernate")
            try await ground.waitForEnd()
            try ground.start(hoursLater: 8)
            try await machine.isUp()
        }
        #expect(try machine.run("cat /proc/sys/kernel/random/boot_id") == boot, "it went on")
    }

    /// Sets the clock as an administrator. A child may not set it, though this kernel would permit it.
    private static func setClock(_ machine: Machine) throws {
        let refused = try machine.attempt(
            "timedatectl --no-ask-password set-time '2030-01-01 12:00'",
            as: "ben"
        )
        #expect(!refused.status.isSuccess, "\(refused.output)")
        let before = try used(machine).ms
        for hours in ["+2 hours", "-2 hours"] {
            try machine.run("date --set '\(hours)'; sleep 5")
        }
        let counted = try used(machine).ms - before
        print("the clock set forward and back: \(counted) ms counted")
        #expect(counted < 60_000)
        let history = try machine.run("screentime history", as: "mum")
        #expect(history.contains("A person set the clock"), "\(history)")
    }

    /// Builds and runs a Flatpak with the libraries of this Debian.
    private static func flatpak(_ machine: Machine) async throws {
        try machine.run(
            #"""
            set -e
            mkdir -p /srv/flat; cd /srv/flat
            libraries=platform/usr/lib/x86_64-linux-gnu
            mkdir -p $libraries platform/files platform/usr/lib64 clock/files/bin clock/export/share/applications
            cp $(ldd /usr/bin/xclock | grep -o '/[^ ]*') $libraries/
            cp /lib64/ld-linux-x86-64.so.2 platform/usr/lib64/
            printf '[Runtime]\nname=org.example.Platform\nruntime=org.example.Platform/x86_64/1\nsdk=org.example.Platform/x86_64/1\n' \
                > platform/metadata
            cp /usr/bin/xclock clock/files/bin/
            printf '[Application]\nname=org.example.Clock\nruntime=org.example.Platform/x86_64/1\ncommand=xclock\n[Context]\nshared=ipc;\nsockets=x11;\n' \
                > clock/metadata
            printf '[Desktop Entry]\nType=Application\nName=Wall Clock\nExec=xclock\n' \
                > clock/export/share/applications/org.example.Clock.desktop
            flatpak build-export --runtime repo platform 1
            flatpak build-export repo clock 1
            flatpak remote-add --no-gpg-verify here file:///srv/flat/repo
            flatpak install --noninteractive here org.example.Clock
            """#,
            within: .seconds(300)
        )
        try machine.run("screentime limit add org.example.Clock 3s --member ben --then shield", as: "mum")
        try machine.run(
            "systemd-run --user --quiet --collect --setenv DISPLAY=$DISPLAY flatpak run org.example.Clock",
            as: "ben"
        )
        try await PackageRootTests.isHeld(machine, as: "ben", program: "xclock")
        try machine.keepPicture("virtual-flatpak")
    }

    /// Logs in on a text console with the keyboard.
    private static func console(_ machine: Machine, _ ground: VirtualGround) async throws {
        try machine.run("echo ben:pass | chpasswd; systemctl start getty@tty3")
        try await show("tty3", by: "ctrl-alt-f3", machine: machine, ground: ground)
        for key in ["b", "e", "n", "ret", "", "", "", "", "", "p", "a", "s", "s", "ret"] {
            if !key.isEmpty { try ground.command("sendkey \(key)") }
            try await Task.sleep(for: .seconds(1))
        }
        try await eventually(within: .seconds(240), "the history reports it to the guardian") {
            let history = try machine.run("screentime history", as: "mum")
            guard history.contains("where Screen Time cannot observe it") else {
                throw NotYet(history + (try machine.run("loginctl list-sessions")))
            }
        }
        try machine.keepPicture("virtual-console")
        try await show("tty7", by: "ctrl-alt-f7", machine: machine, ground: ground)
        try await ProtectRootTests.isSeen(machine)
    }

    private static func show(_ console: String, by keys: String, machine: Machine, ground: VirtualGround)
        async throws
    {
        try await eventually("\(console) is in front") {
            try ground.command("sendkey \(keys)")
            let now = try machine.run("sleep 1; cat /sys/class/tty/tty0/active")
            guard now.contains(console) else { throw NotYet(now) }
        }
    }
}
