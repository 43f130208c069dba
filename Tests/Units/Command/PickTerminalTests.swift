import Glibc
import STCommandCore
import STContracts
import STPlatform
import STTestSupport
import Testing

/// The real command at a terminal without a screen.
@Suite("pick at a terminal")
struct PickTerminalTests {
    private let house: PickHouse
    private let terminal: PseudoTerminal

    init() throws {
        house = try PickHouse()
        terminal = try PseudoTerminal()
    }

    private static let program = BuiltTree.programs + "/screentime"

    private func resize(_ columns: UInt16, _ rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal.number, UInt(TIOCSWINSZ), &size)
    }

    /// As a shell starts it: a session whose controlling terminal is this one, with the output going to a file.
    private func start(_ line: [String] = [], _ environment: [String: String] = [:]) throws -> SpawnedProcess
    {
        let path = house.scratch.path
        let own = [
            "SCREENTIME_RUN": path, "SCREENTIME_STATE": path, "SCREENTIME_CONFIG": path, "TERM": "xterm",
            "LANG": "en_US.UTF-8",
        ]
        return try SpawnedProcess(
            SpawnPlan(
                executable: "/usr/bin/setsid",
                arguments: [
                    "--ctty", "--wait", "/bin/sh", "-c", "exec \"$0\" pick \"$@\" >\(path)/out 2>\(path)/err",
                    Self.program,
                ] + line,
                environment: own.merging(environment) { $1 },
                descriptors: [0: terminal.number]
            )
        )
    }

    private var output: String { ScratchDirectory.text(house.scratch.file("out")) }
    private var error: String { ScratchDirectory.text(house.scratch.file("err")) }

    private func shows(_ text: String) async throws {
        try await eventually(within: .seconds(60), "\(text) is on the screen") {
            guard terminal.screen.contains(text) else { throw NotYet("\(terminal.screen) \(error)") }
        }
    }

    private func end(_ process: SpawnedProcess, _ code: Int32) {
        let status = process.wait(deadlineMs: 60_000)
        #expect(status == .exited(code), "\(error)")
        if status == nil { process.signalGroup(SIGKILL) }
        #expect(terminal.hasEcho)
    }

    @Test("`pick` saves the chosen apps, categories and sites and restores the terminal")
    func saving() async throws {
        try await house.start([.desktop])
        resize(100, 30)
        let process = try start(["--output", house.scratch.file("a.json")])
        try await shows("Enter saves")
        terminal.type("mine")
        try await shows("Search: mine")
        terminal.type(" \t")
        try await shows("[Categories 0]")
        terminal.type("\u{1B}[B \u{1B}[Z\u{1B}[Z")
        try await shows("[Sites 0]")
        terminal.type("reddit.com\r")
        try await shows("[x] reddit.com")
        terminal.type("\r")
        end(process, 0)
        let file = try PickFile.read(house.scratch.file("a.json"))
        #expect(
            file.names.apps == ["minetest"] && file.names.categories == ["games"]
                && file.names.sites == ["reddit.com"]
        )
        #expect(output.contains("Saved in") && output.contains("1 app, 1 category, 1 site."))
        await house.stop()
    }

    @Test("In Korean, forty columns wide and without colour, Escape exits without saving")
    func korean() async throws {
        try await house.start([.desktop])
        resize(40, 16)
        let process = try start(
            ["--output", house.scratch.file("a.json")],
            ["LANG": "ko_KR.UTF-8", "NO_COLOR": "1"]
        )
        try await shows("Enter 저장")
        terminal.type("ㅈㄷ")
        try await shows("> [ ] 지도")
        let screen = terminal.screen
        #expect(
            !screen.contains("\u{1B}[1m") && !screen.contains("\u{1B}[2m") && !screen.contains("\u{1B}[36m")
        )
        for line in screen.split(whereSeparator: { $0 == "\r" || $0 == "\n" || $0 == "\r\n" }) {
            let text = String(line).replacing(#/\u{1B}\[[0-9;?]*[A-Za-z]/#, with: "")
            #expect(DisplayWidth.columns(text) < 40, "\(text)")
        }
        terminal.type(" \u{1B}")
        end(process, 1)
        #expect(access(house.scratch.file("a.json"), F_OK) != 0)
        #expect(error.contains("저장하지 않고 나왔습니다"))
        await house.stop()
    }

    @Test("`pick` is redrawn when the window size changes")
    func resizing() async throws {
        try await house.start([.desktop])
        resize(100, 30)
        let process = try start()
        try await shows("Esc leaves without saving")
        resize(30, 10)
        try await shows("Space Tab Enter Esc")
        terminal.type("\u{3}")
        end(process, 1)
        #expect(output.isEmpty)
        await house.stop()
    }

    @Test(
        "`pick` restores the terminal and saves nothing after a signal",
        arguments: [SIGTERM, SIGHUP, SIGINT]
    )
    func signals(number: Int32) async throws {
        try await house.start([.desktop])
        let process = try start(["--output", house.scratch.file("a.json")])
        try await shows("Enter saves")
        #expect(!terminal.hasEcho)
        // setsid has made a session of its own; the command is its child.
        let child = try #require(ProcessTable.children(of: process.pid).first)
        _ = OtherProcess(pid: child)?.signal(number)
        end(process, 1)
        #expect(access(house.scratch.file("a.json"), F_OK) != 0)
        #expect(error.contains("nothing was saved"), "\(error)")
        await house.stop()
    }

    @Test("`pick` keeps a saved app that is no longer installed, and prints a message on a dumb terminal")
    func saved() async throws {
        try await house.start([.desktop])
        try house.scratch.write("{\"untokenizedApplicationIdentifiers\": [\"org.gone.App\"]}", to: "a.json")
        let process = try start(["--from", house.scratch.file("a.json")])
        try await shows("No longer installed")
        terminal.type("\r")
        end(process, 0)
        #expect(output.contains("\"untokenizedApplicationIdentifiers\": [\"org.gone.App\"]"))

        let dumb = try start([], ["TERM": "dumb"])
        end(dumb, 1)
        #expect(error.contains("The selection screen needs a terminal"))
        await house.stop()
    }
}
