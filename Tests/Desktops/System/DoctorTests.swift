import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestKit
import STTestSupport
import Testing

/// `screentime doctor` without services, which then examines the system itself.
@Suite("Doctor without a running system", .serialized)
struct DoctorTests {
    /// Twice the limit for a hanging display, two displays and the buses, on a loaded machine.
    private static let patienceMs: Int64 = 40_000

    private func doctor(_ environment: [String: String], _ arguments: String...) throws -> CommandRun {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        return try CommandRun(
            ["doctor"] + arguments,
            environment: environment,
            directories: scratch.directories
        )
    }

    private func report(_ environment: [String: String], code: Int32) throws -> DesktopDoctor.Reply {
        let run = try doctor(environment, "--json")
        #expect(run.code == code)
        let value = try run.json()
        #expect(value["asked"] == "probe")
        #expect(value["running"] == .bool(false))
        return try DesktopDoctor.Reply.decodedBody((value["report"] ?? .null).text)
    }

    private func text(_ report: DesktopDoctor.Reply, _ topic: DoctorTopic) -> String {
        report.findings.filter { $0.topic == topic }.map { "\($0.state) \($0.text.english)" }.joined(
            separator: "\n"
        )
    }

    @Test("On X11 with a window manager, the doctor names it and lists what Screen Time observes")
    func x11() throws {
        let scratch = try ScratchDirectory()
        let display = try XDisplay(scratch)
        defer { display.stop() }

        let said = try doctor(display.environment)
        #expect(said.code == 0)
        #expect(said.firstLine == "Screen Time sees this desktop through X11.")
        #expect(said.flat.contains("desktop-agent is not running"))
        #expect(said.flat.contains("Screen Time is not running"))

        let report = try report(display.environment, code: 0)
        #expect(report.adapter == .x11)
        #expect(!report.isBlind)
        #expect(report.reason.english.contains("Openbox"))
        #expect(text(report, .sight).contains("fine Screen Time sees the foreground app"))
        #expect(text(report, .shields).contains("fine A shield covers exactly"))
        #expect(text(report, .presence).contains("limited Screen Time does not see gamepads"))
        #expect(text(report, .pausing).contains("pause them"))
        #expect(text(report, .never).contains("Terminals"))
        // There is no session bus, and the doctor does not start one.
        #expect(text(report, .notifications).contains("limited Screen Time does not count notifications"))
        #expect(text(report, .presence).contains("limited The session bus does not answer"))
    }

    @Test("On X11 without a window manager, the doctor chooses X11 and names the missing manager")
    func bareX11() throws {
        let scratch = try ScratchDirectory()
        let display = try XDisplay(scratch, hasWindowManager: false)
        defer { display.stop() }

        let report = try report(display.environment, code: 0)
        #expect(report.adapter == .x11)
        #expect(report.reason.english.contains("no window manager"))
    }

    @Test("On sway the doctor chooses the compositor instead of its XWayland")
    func sway() throws {
        let sway = try Sway { $0.hasXWayland = true }
        defer { sway.end() }

        let said = try doctor(sway.environment)
        #expect(said.code == 0)
        #expect(said.firstLine == "Screen Time sees this desktop through Wayland (wlroots).")

        let report = try report(sway.environment, code: 0)
        #expect(report.adapter == .wlroots)
        #expect(report.reason.english.contains("sway"))
        #expect(text(report, .shields).contains("fine A shield covers exactly"))

        // Another compositor of this kind reports neither frames nor processes.
        let other = try self.report(sway.environment.filter { $0.key != "SWAYSOCK" }, code: 0)
        #expect(text(other, .shields).contains("limited The display does not report where windows are"))
        #expect(text(other, .sight).contains("covers apps without pausing them"))
    }

    @Test(
        "If only XWayland is reachable, the doctor reports that nothing is observed and what to do",
        arguments: ["wayland", nil]
    )
    func xwayland(session: String?) throws {
        let sway = try Sway { $0.hasXWayland = true }
        defer { sway.end() }
        // Otherwise it admits only its own user.
        if geteuid() == 0 { try sway.output("/usr/bin/xhost", ["+si:localuser:root"]) }
        var environment = sway.environment
        environment["WAYLAND_DISPLAY"] = nil
        environment["SWAYSOCK"] = nil
        environment["XDG_SESSION_TYPE"] = session

        let said = try doctor(environment)
        #expect(said.code == 1)
        #expect(said.firstLine.hasPrefix("Screen Time cannot see anything on this screen."))

        let report = try report(environment, code: 1)
        #expect(report.adapter == .none)
        #expect(report.isBlind)
        #expect(report.reason.english.contains("belongs to XWayland"))
        #expect(report.wayOut?.english.contains("import-environment") == true)
        #expect(report.wayOut?.english.contains("WAYLAND_DISPLAY") == true)
        #expect(text(report, .shields).contains("missing"))
    }

    @Test("Without any display, the doctor reports that WAYLAND_DISPLAY and DISPLAY are missing")
    func nothing() throws {
        let said = try doctor([:])
        #expect(said.code == 1)
        #expect(said.firstLine.hasPrefix("Screen Time cannot see anything on this screen."))
        #expect(said.flat.contains("neither WAYLAND_DISPLAY nor DISPLAY is set"))
        #expect(said.flat.contains("Log in to a desktop"))
        #expect(try report([:], code: 1).adapter == .none)
    }

    @Test("The doctor names each configured display that has no listener")
    func gone() throws {
        let scratch = try ScratchDirectory()
        let environment = [
            "DISPLAY": ":31999", "WAYLAND_DISPLAY": "wayland-9", "XDG_RUNTIME_DIR": scratch.path,
        ]

        let report = try report(environment, code: 1)
        #expect(report.isBlind)
        #expect(report.reason.english.contains("/wayland-9"))
        #expect(report.reason.english.contains("DISPLAY :31999"))
    }

    @Test("The doctor ends within 40 s if the displays never answer")
    func mute() throws {
        let scratch = try ScratchDirectory()
        let display = try XDisplay(scratch, hasWindowManager: false)
        defer { display.stop() }
        let weston = try MuteSocket(scratch.file("wayland-8"))
        defer { weston.close() }
        display.pauseServer()
        var environment = display.environment
        environment["WAYLAND_DISPLAY"] = "wayland-8"

        let said = try doctor(environment)
        #expect(said.code == 1)
        #expect(said.firstLine.hasPrefix("Screen Time cannot see anything on this screen."))
        #expect(said.tookMs < Self.patienceMs)
    }

    @Test(
        "With a compositor that hides windows, the doctor reports what would help",
        arguments: [
            ("ubuntu:GNOME", "screentime desktop enable gnome"), ("KDE", "“Plasma (X11)”"),
            ("", "a wlroots compositor such as sway"),
        ]
    )
    func mutter(desktop: String, way: String) throws {
        let weston = try Weston()
        defer { weston.end() }
        var environment = weston.environment
        environment["XDG_CURRENT_DESKTOP"] = desktop

        let said = try doctor(environment)
        #expect(said.code == 1)
        #expect(said.firstLine.hasPrefix("Screen Time cannot see anything on this screen."))
        #expect(said.flat.contains("zwlr_foreign_toplevel_manager_v1"))
        #expect(said.flat.contains(way))
        #expect(try report(environment, code: 1).wayOut?.english.contains(way) == true)
    }

    @Test("If the adapter setting does not fit the display, the doctor shows the line to write")
    func wrongSetting() throws {
        let scratch = try ScratchDirectory()
        let display = try XDisplay(scratch, hasWindowManager: false)
        defer { display.stop() }
        var environment = display.environment
        environment["SCREENTIME_DESKTOP_AGENT_ADAPTER"] = "wlroots"

        let report = try report(environment, code: 1)
        #expect(report.wayOut?.english == "Write adapter = auto under [desktop-agent].")
    }

    @Test("The doctor reports the configured escalation and the apps that are never paused")
    func settings() throws {
        let scratch = try ScratchDirectory()
        let display = try XDisplay(scratch, hasWindowManager: false)
        defer { display.stop() }
        var environment = display.environment
        environment["SCREENTIME_DESKTOP_AGENT_ESCALATION"] = "close"
        environment["SCREENTIME_DESKTOP_AGENT_NEVER_PAUSE"] = "gimp, org.inkscape.Inkscape"

        let report = try report(environment, code: 0)
        #expect(text(report, .pausing).contains("after 1 min ask them to close"))
        #expect(text(report, .never).contains("gimp, org.inkscape.Inkscape"))
    }
}

/// A socket at which the kernel accepts connections, and nothing ever replies.
final class MuteSocket {
    private let descriptor: OwnedDescriptor
    private let path: String

    init(_ path: String) throws {
        self.path = path
        descriptor = OwnedDescriptor(
            socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        )
        guard descriptor.number >= 0 else { throw SystemError.last("socket") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, listen(descriptor.number, 16) == 0 else { throw SystemError.last("bind") }
    }

    func close() { unlink(path) }
}
