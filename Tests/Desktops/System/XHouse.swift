import Glibc
import STContracts
import STDesktop
import STDesktopKit
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ

/// Real services beside a real X display with its window manager, buses, logind as a mock, and windows to drive.
final class XHouse {
    static let services: [ServiceName] = [
        .auth, .activity, .monitor, .shield, .report, .notifier, .desktop,
    ]
    /// Windows of these classes belong to apps of the same names in small letters.
    static let classes = ["Alpha", "Beta", "Gamma"]

    let system: TestSystem
    let display: XDisplay
    let buses: DBusPair
    let logind: LogindMock

    /// As logind calls it.
    static let session = "c7"

    private init(_ system: TestSystem, _ display: XDisplay, _ buses: DBusPair, _ logind: LogindMock) {
        self.system = system
        self.display = display
        self.buses = buses
        self.logind = logind
    }

    /// `settings` are those of desktop-agent, such as `idle_ms`.
    static func run(
        settings: [String: String] = [:],
        environment further: [String: String] = [:],
        width: Int = 1280,
        height: Int = 800,
        dpi: Int = 96,
        services: [ServiceName] = XHouse.services,
        monitors: [ScreenRect] = [],
        classes: [String] = XHouse.classes,
        _ body: (XHouse) async throws -> Void
    ) async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let buses = try DBusPair(scratch)
        defer { buses.stop() }
        let logind = try await LogindMock(buses.system, scratch)
        defer { logind.kill() }
        try await logind.addSession(session, uid: getuid())
        let display = try XDisplay(scratch, width: width, height: height, monitors: monitors, dpi: dpi)
        defer { display.stop() }
        var environment = display.environment.merging(buses.environment) { $1 }
        environment["SCREENTIME_DESKTOP_AGENT_ADAPTER"] = "auto"
        environment["XDG_SESSION_ID"] = session
        environment["SCREENTIME_ACTIVITY_CENTER_DESKTOP_FOLDERS"] = try Self.entries(scratch, classes)
        for (name, value) in settings {
            environment["SCREENTIME_DESKTOP_AGENT_" + name.uppercased()] = value
        }
        environment.merge(further) { $1 }
        try await TestSystem.run(services: services, options: TestSystemOptions(environment: environment)) {
            system in
            let house = XHouse(system, display, buses, logind)
            try await house.waitUntilSeen()
            try await body(house)
        }
    }

    private static func entries(_ scratch: ScratchDirectory, _ classes: [String]) throws -> String {
        let folder = scratch.file("applications")
        guard mkdir(folder, 0o700) == 0 else { throw SystemError.last("mkdir") }
        let program = try LineProgram.built("screentime-x11-window")
        for name in classes {
            try scratch.write(
                """
                [Desktop Entry]
                Type=Application
                Name=\(name)
                Name[ko]=\(name) 앱
                Exec=\(program)
                StartupWMClass=\(name)
                """,
                to: "applications/\(name.lowercased()).desktop"
            )
        }
        // The real ones too: they go before those of a home folder.
        return "\(folder):/usr/share/applications"
    }

    private func waitUntilSeen() async throws {
        try await eventually(within: .seconds(30), "the agent sees the display") {
            let status = try await ask(DesktopStatus.self, Empty())
            guard status.source == "x11", status.isBlind != true, status.member != nil else {
                throw NotYet("\(status)")
            }
        }
    }

    func ask<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply {
        try await system.client.call(route, request)
    }

    // MARK: - Windows

    func program() throws -> LineProgram {
        try LineProgram(display, LineProgram.built("screentime-x11-window"))
    }

    /// A new window, in front when this returns.
    func window(
        _ program: LineProgram,
        _ name: String,
        x: Int = 100,
        y: Int = 100,
        width: Int = 500,
        height: Int = 400
    )
        async throws -> Int
    {
        let answer = try program.ask("map \(name) \(name) \(x) \(y) \(width) \(height)")
        let words = answer.split(separator: " ")
        guard let number = words.first.flatMap({ Int($0) }), words.count == 2 else { throw NotYet(answer) }
        try await inFront(name.lowercased())
        return number
    }

    /// Waits until the agent knows that the app is in front.
    func inFront(_ app: String) async throws {
        try await eventually(within: .seconds(60), "\(app) is in front") {
            let status = try await ask(DesktopStatus.self, Empty())
            guard status.app == app else { throw NotYet("\(status)") }
        }
    }

    /// Every row of the ledger, the open ones last.
    func ledger() async throws -> [Segment] {
        var rows: [Segment] = []
        var next: String?
        repeat {
            let page = try await ask(UsageList.self, .init(next: next))
            rows += page.rows
            next = page.next
        } while next != nil
        return rows + (try await ask(UsageNow.self, Empty()).open)
    }
}
