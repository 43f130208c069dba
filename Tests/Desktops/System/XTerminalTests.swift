import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import STZeroMQ
import Testing

/// A shield for the terminal in which the whole system runs.
@Suite("The system in a terminal of a real X display", .serialized)
struct XTerminalTests {
    private static let xterm = "debian-xterm"

    @Test(
        "A terminal that runs the system is covered and not paused, and stopping the system lifts all shields"
    )
    func terminal() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let buses = try DBusPair(scratch)
        defer { buses.stop() }
        let display = try XDisplay(scratch)
        defer { display.stop() }
        let directories = scratch.directories
        let environment = buses.environment.merging([
            "SCREENTIME_RUN": directories.run, "SCREENTIME_STATE": directories.state,
            "SCREENTIME_CONFIG": directories.config, "GSETTINGS_BACKEND": "memory",
        ]) { $1 }
        let program = try LineProgram.built("screentime")
        let loop = try BusLoop(name: "terminal")
        let client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
        let terminal = try display.start(
            "xterm",
            "-geometry",
            "80x24+600+300",
            "-bg",
            "white",
            "-fg",
            "black",
            "-e",
            program,
            "system",
            "up",
            environment: environment
        )
        let house = Terminal(display: display, client: client)
        do {
            try await story(house, terminal: terminal, scratch: scratch, environment: environment)
        } catch {
            _ = try? stop(display, program: program, environment: environment)
            await client.close()
            loop.stop()
            throw error
        }
        #expect(try stop(display, program: program, environment: environment))
        // Nothing covers the editor, and it is not stopped.
        await client.close()
        loop.stop()
        #expect(terminal.wait(deadlineMs: 20_000) != nil)
        let editor = try #require(house.editor)
        try eventuallyBlocking(within: .seconds(20), "the editor runs") {
            let state = ProcessState.of(editor.pid)
            guard let state, "SRD".contains(state) else { throw NotYet("\(String(describing: state))") }
        }
        try display.xdotool("mousemove", "200", "200", "click", "1")
        try await eventually(within: .seconds(20), "the editor is typed into") {
            try display.xdotool("type", "--delay", "15", "x")
            try display.xdotool("key", "ctrl+s")
            try await Task.sleep(for: .milliseconds(150))
            let text = ScratchDirectory.text(scratch.file("note.txt"))
            guard text.hasPrefix("x") else { throw NotYet(text) }
        }
        #expect(ScratchDirectory.text("\(directories.state)/desktop-agent.paused").isEmpty)
    }

    private final class Terminal {
        let display: XDisplay
        let client: BusClient
        var editor: SpawnedProcess?

        init(display: XDisplay, client: BusClient) {
            self.display = display
            self.client = client
        }

        func inFront(_ app: String) async throws {
            try await eventually(within: .seconds(60), "\(app) is in front") {
                let status = try await client.call(DesktopStatus.self, Empty())
                guard status.app == app else { throw NotYet("\(status)") }
            }
        }

        func shield(_ app: String) async throws -> ScreenShield? {
            try await client.call(DesktopShields.self, Empty()).shields.first { $0.app == app }
        }
    }

    private func story(
        _ house: Terminal,
        terminal: SpawnedProcess,
        scratch: ScratchDirectory,
        environment: [String: String]
    ) async throws {
        let display = house.display
        try await house.inFront(Self.xterm)
        try display.xdotool("mousemove", "700", "400", "mousemove", "701", "400")
        try scratch.write("", to: "note.txt")
        house.editor = try display.start(
            "mousepad",
            scratch.file("note.txt"),
            environment: environment
        )
        try await house.inFront(XHouse.mousepad)
        let spec = RuleSpec(
            kind: .limit,
            name: "both",
            targets: [XHouse.mousepad, Self.xterm].map { TokenItem(kind: .application, id: $0) },
            durationMs: 1_000,
            then: .shield
        )
        _ = try await house.client.call(RuleAdd.self, .init(spec))
        try await eventually(within: .seconds(40), "the editor is paused") {
            let shield = try await house.shield(XHouse.mousepad)
            guard shield?.stage == .paused else { throw NotYet("\(String(describing: shield))") }
        }
        let pid = try #require(house.editor?.pid)
        #expect(ProcessState.of(pid) == "T")
        #expect(!ScratchDirectory.text("\(scratch.directories.state)/desktop-agent.paused").isEmpty)
        try await eventually(within: .seconds(40), "the terminal is covered") {
            let shield = try await house.shield(Self.xterm)
            guard shield?.stage == .covered, shield?.notPaused != nil else {
                throw NotYet("\(String(describing: shield))")
            }
        }
        print("why not: \(try await house.shield(Self.xterm)?.notPaused?.english ?? "")")
        #expect(try display.colour(x: 620, y: 560) != "#FFFFFF")
        // Longer than the interval of any retry.
        try await Task.sleep(for: .seconds(6))
        #expect(try await house.shield(Self.xterm)?.stage == .covered)
        #expect(ProcessState.of(terminal.pid) != "T")
        if let folder = XHouse.pictures { try display.picture("\(folder)/terminal.png") }
    }

    private func stop(_ display: XDisplay, program: String, environment: [String: String]) throws
        -> Bool
    {
        try display.start(program, "system", "down", environment: environment)
            .wait(deadlineMs: 30_000) == .exited(0)
    }
}
