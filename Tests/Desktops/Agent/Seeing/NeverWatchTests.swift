import STDBus
import STDesktopKit
import STPausing
import STPlatform
import STScreen
import STTestSupport
import Testing

@testable import desktop_agent

@Suite("Processes of the desktop itself")
struct NeverWatchTests {
    private func name(_ pid: Int32?) -> String? {
        pid.map { ScratchDirectory.text("/proc/\($0)/comm").filter { $0 != "\n" } }
    }

    @Test("The processes of the display, the window manager and the session bus are identified")
    func desktop() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let bus = try SessionBus(scratch)
        defer { bus.stop() }
        let display = try XDisplay(scratch)
        defer { display.stop() }
        let watch = PauseExemptionWatch(
            Directories(
                run: scratch.file("run"),
                state: scratch.file("state"),
                config: scratch.file("config")
            ),
            apps: ["org.example.kept"],
            environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]
        )
        try await eventually(within: .seconds(30), "the window manager is detected") {
            watch.apply(ScreenProbeResult.probe(display.environment))
            guard watch.facts.windowManagerPid != nil else { throw NotYet("not yet") }
        }
        let facts = watch.facts
        #expect(name(facts.compositorPid) == "Xvfb")
        #expect(name(facts.windowManagerPid) == "openbox")
        #expect(name(facts.sessionBusPid) == "dbus-daemon")
        #expect(facts.apps == ["org.example.kept"])
    }

    @Test("A D-Bus address that is invalid or has no listener identifies no process")
    func noListener() throws {
        let long = String(repeating: "x", count: 300)
        for address in [
            "", "unix:path=/nowhere/bus", "unix:path=%zz", "tcp:host=localhost", "unix:abstract=\(long)",
        ] {
            #expect(DBusAddress.listener(address) == nil, "\(address)")
        }
    }
}
