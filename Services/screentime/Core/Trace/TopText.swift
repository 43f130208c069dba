import STContracts

/// The screen of `trace --top`.
package enum TopText {
    package static func lines(_ board: TopBoard, silent: [String], title: String, _ terminal: Terminal)
        -> [String]
    {
        var lines = [terminal.styled(title, .bold), ""]
        let cursors = cursorLines(board, terminal)
        // Cursors are few and matter most, so the routes give way when the terminal is low.
        let room = terminal.isTerminal ? max(4, terminal.rows - cursors.count - silent.count - 6) : .max
        let routes = routeLines(board, terminal)
        lines += routes.prefix(room)
        if routes.count > room { lines.append("  … and \(routes.count - room) more routes") }
        lines += cursors.isEmpty ? [] : [""] + cursors
        lines += silent.map { terminal.styled("\($0) does not answer", .red) }
        return lines
    }

    private static func routeLines(_ board: TopBoard, _ terminal: Terminal) -> [String] {
        var table = TextTable([
            ("SERVICE", .left), ("ROUTE", .left), ("RATE/S", .right), ("P50", .right), ("P99", .right),
            ("ERRORS", .right),
        ])
        for line in board.routes {
            let errors = line.newErrors > 0 ? "\(line.errors) (+\(line.newErrors))" : String(line.errors)
            table.add([
                .init(line.service, .cyan), .init(line.route), .init(rate(line.perSecond)),
                .init(Latency.text(us: line.p50Us)), .init(Latency.text(us: line.p99Us)),
                .init(errors, line.newErrors > 0 ? .red : nil),
            ])
        }
        return table.lines(columns: terminal.columns, terminal)
    }

    private static func cursorLines(_ board: TopBoard, _ terminal: Terminal) -> [String] {
        guard !board.cursors.isEmpty else { return [] }
        var table = TextTable([
            ("SUBSCRIBER", .left), ("FOLLOWS", .left), ("BEHIND", .right), ("STATE", .left),
        ])
        for line in board.cursors {
            table.add([
                .init(line.service, .cyan), .init("\(line.stream) of \(line.source)"),
                .init(String(line.lag), line.lag > 0 ? .yellow : nil), .init(line.state),
            ])
        }
        return table.lines(columns: terminal.columns, terminal)
    }

    /// One decimal, without Foundation's formatters.
    static func rate(_ value: Double) -> String {
        let tenths = Int64((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
