import STCommandCore
import STContracts
import Testing

@Suite("trace --top")
struct TopBoardTests {
    @Test("Rates and new errors are computed from two health reports")
    func rates() {
        var board = TopFigures()
        board.update([report(count: 10, errors: 1)], nowUs: 0)
        board.update([report(count: 30, errors: 3)], nowUs: 2_000_000)

        #expect(board.routes.map(\.perSecond) == [10])
        #expect(board.routes.map(\.newErrors) == [2])
    }

    @Test("Counts of a restarted service begin at zero, and its rate is not negative")
    func restart() {
        var board = TopFigures()
        board.update([report(count: 1_000, errors: 5)], nowUs: 0)
        board.update([report(count: 4, errors: 0)], nowUs: 1_000_000)

        #expect(board.routes.map(\.perSecond) == [4])
        #expect(board.routes.map(\.newErrors) == [0])
    }

    @Test("The lag of a cursor is computed from the head that the publisher reports")
    func lag() {
        var board = TopFigures()
        board.update(
            [
                report(count: 0, errors: 0, head: 50),
                report("report-service", count: 0, errors: 0, cursor: 42),
            ],
            nowUs: 0
        )

        #expect(board.cursors.map(\.lag) == [8])
    }

    @Test("`trace --top` fits the height of the terminal, keeps the cursors and cuts the list of routes")
    func screen() {
        var terminal = Terminal(isTerminal: true, isColoured: false, columns: 80, rows: 12)
        terminal.sink = nil
        var many = report(count: 1, errors: 0)
        many.routes = (0..<50).map { .init(route: "route.\($0)", count: 1, errors: 0, p50Us: 10, p99Us: 20) }
        var board = TopFigures()
        board.update([many, report("report-service", count: 0, errors: 0, cursor: 1)], nowUs: 0)

        let lines = TopText.lines(board, silent: ["notifier"], title: "Top", terminal)

        #expect(lines.count <= 12)
        #expect(lines.contains { $0.contains("usage of activity-center") })
        #expect(lines.contains { $0.contains("more routes") })
    }

    private func report(
        _ service: String = "activity-center",
        count: Int64,
        errors: Int64,
        head: Int64? = nil,
        cursor: Int64? = nil
    ) -> HealthReport.Reply {
        HealthReport.Reply(
            service: service,
            pid: 1,
            version: "0",
            uptimeMs: 1,
            state: "ready",
            pssKib: 1,
            databaseBytes: 1,
            streams: head.map { [.init(stream: "usage", epoch: "e", sequence: $0)] } ?? [],
            cursors: cursor.map {
                [.init(source: "activity-center", stream: "usage", sequence: $0, headSeen: $0, state: "live")]
            } ?? [],
            counters: [:],
            routes: [.init(route: "usage.observe", count: count, errors: errors, p50Us: 100, p99Us: 900)]
        )
    }
}
