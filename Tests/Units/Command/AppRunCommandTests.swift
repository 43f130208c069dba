import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import STTestSupport
import Synchronization
import Testing

@Suite("app log, deliveries, retry and debug", .timeLimit(.minutes(5)))
struct AppRunCommandTests {
    /// What monitor-runner of a test holds.
    private final class Monitor: Sendable {
        let deliveries: [DeliveryView]
        let lines: [AppLogLine]
        private let asked = Mutex<[String]>([])

        init(_ deliveries: [DeliveryView] = [], lines: [AppLogLine] = []) {
            self.deliveries = deliveries
            self.lines = lines
        }

        var questions: [String] { asked.withLock { $0 } }

        func answer(_ route: String, _ body: [UInt8]) throws -> [UInt8] {
            let count = asked.withLock { asked in
                asked.append("\(route) \(String(decoding: body, as: UTF8.self))")
                return asked.count
            }
            switch route {
            case MonitorDeliveries.name:
                return try MonitorDeliveries.Reply(deliveries: deliveries).encodedBody()
            case MonitorRetry.name: return try deliveries[0].encodedBody()
            case MonitorLog.name, ShieldLog.name:
                let request = try MonitorLog.Request.decodedBody(body)
                let before = request.fromEnd.map { max(0, Int64(lines.count) - $0) } ?? 0
                let after = request.next.flatMap { Int64($0) } ?? before
                let rest = lines.filter { $0.row > after }.prefix(2)
                return try MonitorLog.Reply(
                    lines: Array(rest),
                    next: String(rest.last?.row ?? after),
                    more: rest.last.map { $0.row < (lines.last?.row ?? 0) } ?? false
                ).encodedBody()
            case MonitorDebug.name:
                // The process is there at the third look.
                let on = try MonitorDebug.Request.decodedBody(body).on
                return try MonitorDebug.Reply(app: "promise", on: on, pid: on && count > 2 ? 4711 : nil)
                    .encodedBody()
            default: throw Problem("route.not_found", verbatim: route)
            }
        }
    }

    private static let parked = DeliveryView(
        delivery: "D18",
        id: "01J",
        app: "promise",
        member: "kid",
        method: "eventDidReachThreshold",
        activity: "daily",
        event: "allowance",
        dueWallMs: 1_790_000_000_000,
        state: .parked,
        attempt: 3,
        reason: "extension.over_memory",
        message: Message(verbatim: "The extension used too much."),
        figure: "20.7 MB of 6 MB",
        lastOutput: ["loading\u{1B}[2J"],
        queuedAt: "2026-09-21T14:13:20.000Z",
        tookMs: 48,
        privateKib: 21_196
    )

    private static func line(_ row: Int64, _ text: String) -> AppLogLine {
        AppLogLine(
            row: row,
            at: "2026-09-21T14:13:20.000Z",
            wallMs: 1_790_000_000_000,
            app: "promise",
            delivery: "D\(row)",
            level: "info",
            source: "print",
            text: text
        )
    }

    private func run(_ line: [String], monitor: Monitor, shields: Monitor? = nil) async throws -> (
        ExitCode, CommandOutput
    ) {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let directories = Directories(run: scratch.path, state: scratch.path, config: scratch.path)
        let service = try FakeService(.monitor) { try monitor.answer($0, $1) }
        let auth = try FakeService(.auth) { route, _ in
            guard route == AppList.name else { throw Problem("route.not_found", verbatim: route) }
            let manifest = AppManifest(
                id: "promise",
                name: "Promise",
                version: "1",
                protocolVersion: 1,
                entitlements: [],
                groups: [],
                extensions: []
            )
            let app = InstalledApp(manifest: manifest, bundle: "/", installedAt: "")
            return try AppList.Reply(apps: [app]).encodedBody()
        }
        let shield = try FakeService(.shield) { try (shields ?? monitor).answer($0, $1) }
        try await service.start(directories)
        try await auth.start(directories)
        if shields != nil { try await shield.start(directories) }
        let result = await CommandOutput.run(["app"] + line, in: scratch.path)
        await service.stop()
        await auth.stop()
        await shield.stop()
        return result
    }

    @Test("`app deliveries` shows the state, error and output of a parked callback and how to retry it")
    func deliveries() async throws {
        let (code, output) = try await run(["deliveries", "promise"], monitor: Monitor([Self.parked]))

        #expect(code == .done)
        let text = output.standard
        for part in [
            "D18", "eventDidReachThreshold daily allowance", "parked, attempt 3", "48 ms", "20.7 MB",
            "The extension used too much.", "extension.over_memory, 20.7 MB of 6 MB", "| loading",
            "screentime app retry D18",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        #expect(!text.contains("\u{1B}"))
    }

    @Test("`app deliveries` sends --state and --count, reports an empty result and rejects an unknown state")
    func options() async throws {
        let monitor = Monitor()
        let (code, output) = try await run(
            ["deliveries", "promise", "--state", "parked", "--count", "3"],
            monitor: monitor
        )

        #expect(code == .done)
        #expect(output.standard == "No callback of promise is parked.\n")
        #expect(monitor.questions[0].contains("\"limit\":3") && monitor.questions[0].contains("parked"))
        let (wrong, refusal) = try await run(["deliveries", "--state", "dead"], monitor: monitor)
        #expect(wrong == .usage)
        #expect(refusal.error.contains("queued, running, waiting, done, parked"))
    }

    @Test(
        "`app deliveries` and `app log` reject a misspelled app name and suggest the installed app",
        arguments: ["deliveries", "log"]
    )
    func unknown(_ verb: String) async throws {
        let (code, output) = try await run([verb, "promis"], monitor: Monitor())

        #expect(code == .no)
        #expect(output.error.contains("Did you mean promise?"))
        #expect(output.error.contains("screentime app \(verb) promise"))
    }

    @Test("`app retry` prints which callback it retries and which command shows the result")
    func retry() async throws {
        let (code, output) = try await run(["retry", "d18"], monitor: Monitor([Self.parked]))

        #expect(code == .done)
        #expect(output.standard.contains("Retrying D18 (eventDidReachThreshold of promise)."))
        #expect(output.standard.contains("screentime app deliveries promise"))
    }

    @Test("`app log` reads all pages and shows the callback, level and source of a line")
    func log() async throws {
        let lines = (1...5).map { Self.line($0, "line \($0)\u{9B}") }
        let (code, output) = try await run(["log", "promise"], monitor: Monitor(lines: lines))

        #expect(code == .done)
        let shown = output.standard.split(separator: "\n")
        #expect(shown.count == 5)
        #expect(shown[0].contains("D1") && shown[0].contains("info") && shown[0].contains("[print] line 1"))
        #expect(!output.standard.unicodeScalars.contains("\u{9B}"))
    }

    @Test("`app log --json` prints one JSON object per line, limited by --count")
    func logJSON() async throws {
        let lines = (1...5).map { Self.line($0, "line \($0)") }
        let (_, output) = try await run(
            ["log", "promise", "--count", "3", "--json"],
            monitor: Monitor(lines: lines)
        )

        let texts = try output.standard.split(separator: "\n").map {
            try JSONOutput.value(Array($0.utf8))["text"]?.string
        }
        #expect(texts == ["line 3", "line 4", "line 5"])
    }

    @Test("`app log` merges lines of monitors and shields by time and reports that shield-service is missing")
    func logMerged() async throws {
        func line(_ row: Int64, _ wallMs: Int64, _ text: String) -> AppLogLine {
            var line = Self.line(row, text)
            line.wallMs = wallMs
            return line
        }
        let monitor = Monitor(lines: [line(1, 10, "m1"), line(2, 30, "m2"), line(3, 50, "m3")])
        // The clock was set back in between: they stay in their order.
        let shields = Monitor(lines: [line(1, 20, "s1"), line(2, 15, "s2"), line(3, 40, "s3")])
        let (_, both) = try await run(["log", "promise"], monitor: monitor, shields: shields)
        let (_, last) = try await run(["log", "promise", "--count", "2"], monitor: monitor, shields: shields)
        let (_, one) = try await run(["log", "promise"], monitor: monitor)

        func texts(_ output: CommandOutput) -> [String] {
            output.standard.split(separator: "\n").map { String($0.suffix(2)) }
        }
        #expect(texts(both) == ["m1", "s1", "s2", "m2", "s3", "m3"])
        #expect(texts(last) == ["s3", "m3"])
        #expect(texts(one) == ["m1", "m2", "m3"])
        #expect(one.error.contains("its shield-service is not running."))
    }

    @Test("`app log --follow` exits after --count lines, and --for without --follow is rejected")
    func follow() async throws {
        let monitor = Monitor(lines: (1...5).map { Self.line($0, "line \($0)") })
        let (code, output) = try await run(
            ["log", "promise", "--follow", "--count", "5", "--for", "30s"],
            monitor: monitor
        )

        #expect(code == .done)
        #expect(output.standard.split(separator: "\n").count == 5)
        let (wrong, refusal) = try await run(["log", "promise", "--for", "1s"], monitor: monitor)
        #expect(wrong == .usage)
        #expect(refusal.error.contains("--follow"))
    }

    @Test("`app debug` waits for the process and prints how to attach a debugger")
    func debug() async throws {
        let monitor = Monitor()
        let (code, output) = try await run(["debug", "promise"], monitor: monitor)

        #expect(code == .done)
        #expect(monitor.questions.count == 3)
        #expect(output.standard.contains("lldb -p 4711") && output.standard.contains("gdb -p 4711"))
        #expect(output.standard.contains("screentime app debug promise --off"))
        let (_, off) = try await run(["debug", "promise", "--off"], monitor: monitor)
        #expect(off.standard.contains("as usual"))
        let (_, json) = try await run(["debug", "promise", "--json"], monitor: monitor)
        #expect(try JSONOutput.value(Array(json.standard.utf8))["pid"] == 4711)
    }
}
