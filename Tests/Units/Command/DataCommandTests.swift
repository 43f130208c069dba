import Glibc
import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import STTestSupport
import Synchronization
import Testing

@Suite("data verify and data forget", .timeLimit(.minutes(5)))
struct DataCommandTests {
    /// An activity-center that answers from a list, and keeps what it was asked.
    private final class Ledger: Sendable {
        private let state: Mutex<(asked: [String], answers: [[UInt8]])>
        private let losses: [HistoryLine]

        init(_ answers: [any WireBody], losses: [HistoryLine] = []) throws {
            state = Mutex(([], try answers.map { try $0.encodedBody() }))
            self.losses = losses
        }

        var asked: [String] { state.withLock { $0.asked } }

        func answer(_ route: String, _ body: [UInt8]) throws -> [UInt8] {
            if route == HistoryList.name {
                return try HistoryList.Reply(lines: [], losses: losses, next: nil).encodedBody()
            }
            if route == DataCheck.name { return try DataCheck.Reply().encodedBody() }
            return try state.withLock { state in
                state.asked.append("\(route) \(String(decoding: body, as: UTF8.self))")
                guard !state.answers.isEmpty else { throw Problem("test.no_answer", "asked too often") }
                return state.answers.removeFirst()
            }
        }
    }

    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func run(
        _ line: [String],
        _ ledger: Ledger,
        keyboard: PseudoTerminal? = nil,
        answer: String? = nil
    )
        async throws -> (code: ExitCode, output: CommandOutput)
    {
        let path = scratch.path
        let service = try FakeService(.activity) { try ledger.answer($0, $1) }
        try await service.start(Directories(run: path, state: path, config: path))
        async let result = CommandOutput.run(line, in: path, keyboard: keyboard?.path ?? "/dev/null")
        if let answer { try await keyboard?.answer("Type yes", answer) }
        let (code, output) = await result
        await service.stop()
        return (code, output)
    }

    private static func page(_ checked: Int64, next: String? = nil, fault: LedgerFault? = nil)
        -> UsageVerify.Reply
    {
        .init(
            checked: checked,
            total: 4_100,
            forgotten: 2,
            fault: fault,
            chain: next == nil ? "c0ffee" : nil,
            next: next
        )
    }

    @Test("`data verify` reads all pages, exits with code 0 and prints the last hash of the chain")
    func fine() async throws {
        let ledger = try Ledger([Self.page(2_000, next: "a"), Self.page(4_000, next: "b"), Self.page(4_100)])
        let (code, output) = try await run(["data", "verify"], ledger)

        #expect(code == .done)
        #expect(
            ledger.asked == [
                "usage.verify {}", #"usage.verify {"next":"a"}"#, #"usage.verify {"next":"b"}"#,
            ]
        )
        #expect(output.standard.contains("unchanged: 4100 rows"))
        #expect(output.standard.contains("The content of 2 rows was deleted"))
        #expect(output.standard.contains("c0ffee"))
    }

    @Test("`data verify` reports a changed row and exits with code 1", arguments: [false, true])
    func fault(asJSON: Bool) async throws {
        let fault = LedgerFault(
            row: 1_817,
            reason: .contentChanged,
            text: Message(verbatim: "Row 1817 does not say what it said.")
        )
        let ledger = try Ledger([Self.page(1_816, fault: fault)])
        let (code, output) = try await run(["data", "verify"] + (asJSON ? ["--json"] : []), ledger)

        #expect(code == .no)
        #expect(output.standard.contains(asJSON ? #""reason": "content_changed""# : "Row 1817 does not say"))
        #expect(output.standard.contains("1816"))
    }

    @Test("`data verify` first reports missing records, prints the restore command and exits with code 1")
    func losses() async throws {
        let loss = HistoryLoss(source: "activity-center", stream: "usage", kept: 320, promised: 500)
        let ledger = try Ledger([Self.page(4_100)], losses: [HistoryLine(.lost, loss: loss)])
        let (code, output) = try await run(["data", "verify"], ledger)

        #expect(code == .no)
        #expect(output.standard.hasPrefix("180 records of activity-center (usage) are missing"))
        #expect(output.standard.contains("screentime data restore FOLDER"))
    }

    @Test("`data verify` stops with an error if the service makes no progress")
    func stuck() async throws {
        let ledger = try Ledger([Self.page(2_000, next: "a"), Self.page(2_000, next: "a")])
        let (code, output) = try await run(["data", "verify"], ledger)

        #expect(code == .no)
        #expect(output.error.contains("is making no progress"))
    }

    private static func part(_ rows: Int64, more: Bool = false, keptOpen: Bool = false) -> UsageForget.Reply {
        .init(member: "owner", rows: rows, events: 2 * rows, more: more, keptOpen: keptOpen)
    }

    private let forget = ["data", "forget", "--from", "2026-11-20T09:00:00Z", "--to", "2026-11-20T10:00:00Z"]

    @Test("`data forget` repeats its request until nothing is left, and prints the sum")
    func pages() async throws {
        let ledger = try Ledger([Self.part(2_000, more: true), Self.part(5, keptOpen: true)])
        let (code, output) = try await run(forget + ["--yes"], ledger)
        let body = #"{"from_wall_ms":1795165200000,"to_wall_ms":1795168800000}"#

        #expect(code == .done)
        #expect(ledger.asked == ["usage.forget \(body)", "usage.forget \(body)"])
        #expect(output.standard.contains("Deleted 2005 usage intervals of owner"))
        #expect(output.standard.contains("The interval that is still in progress stays"))
    }

    @Test("`data forget` prompts for confirmation and accepts only yes", arguments: ["yes", "y", ""])
    func agreement(answer: String) async throws {
        let ledger = try Ledger([Self.part(1)])
        let terminal = try PseudoTerminal()
        let (code, output) = try await run(forget, ledger, keyboard: terminal, answer: answer)

        #expect(code == (answer == "yes" ? .done : .no))
        #expect(ledger.asked.count == (answer == "yes" ? 1 : 0))
        #expect(terminal.screen.contains("permanently"))
        #expect(answer == "yes" || output.error.contains("Nothing was deleted."))
    }

    @Test("`data forget` without a terminal requires --yes and sends no request")
    func noTerminal() async throws {
        let ledger = try Ledger([])
        let (code, output) = try await run(forget, ledger)

        #expect(code == .usage)
        #expect(output.error.contains("--yes"))
        #expect(ledger.asked.isEmpty)
    }

    @Test(
        "`data forget` rejects an incomplete, invalid or empty time range",
        arguments: [
            ["--from", "2026-11-20"], ["--to", "now"], ["--from", "soon", "--to", "now"],
            ["--from", "2026-02-30", "--to", "now"], ["--from", "25:00", "--to", "now"],
            ["--from", "2026-11-20 9:00", "--to", "now"], ["--from", "now", "--to", "2026-11-20"],
            ["--from", "now", "--to", "now"],
        ]
    )
    func ranges(options: [String]) async throws {
        let ledger = try Ledger([])
        let (code, output) = try await run(["data", "forget", "--yes"] + options, ledger)

        #expect(code == .usage)
        #expect(output.error.contains("try: screentime data forget"))
        #expect(ledger.asked.isEmpty)
    }

    @Test("`data forget` reads dates and times in the local time zone")
    func moments() async throws {
        let ledger = try Ledger([Self.part(0), Self.part(0)])
        let day = try await run(
            ["data", "forget", "--yes", "--from", "2026-03-01", "--to", "2026-03-01 00:00:01"],
            ledger
        )
        let times = try await run(
            ["data", "forget", "--yes", "--from", "2026-03-01 17:30", "--to", "2026-03-01T17:31"],
            ledger
        )

        #expect(day.code == .done && times.code == .done)
        #expect(
            day.output.standard.contains(
                "Nothing was recorded about owner from 2026-03-01 00:00 to 2026-03-01 00:00"
            )
        )
        let spans = try ledger.asked.map { line -> Int64 in
            let body = try UsageForget.Request.decodedBody(Array(line.drop { $0 != "{" }.utf8))
            return body.toWallMs - body.fromWallMs
        }
        #expect(spans == [1_000, 60_000])
    }
}
