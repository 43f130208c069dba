package import STContracts
import STPlatform

/// Callbacks on a terminal: one line each, and below those that did not go well the reason and the last output.
package enum DeliveryText {
    private static let linesMax = 6

    package static func list(
        _ deliveries: [DeliveryView],
        app: String?,
        state: DeliveryState?,
        _ terminal: Terminal
    ) -> [String] {
        guard !deliveries.isEmpty else {
            let what = state.map { "\($0.rawValue) callback" } ?? "callback"
            let whose = app.map { " of \(DisplayWidth.harmless($0))" } ?? ""
            return ["No \(what)\(whose) so far."]
        }
        var table = TextTable([
            ("", .left), ("DUE", .left), ("APP", .left), ("FOR", .left), ("CALLBACK", .left),
            ("STATE", .left),
            ("TOOK", .right), ("MEMORY", .right),
        ])
        for delivery in deliveries { table.add(cells(delivery)) }
        let rows = table.lines(columns: terminal.columns, expendable: ["FOR", "MEMORY", "TOOK"], terminal)
        var lines = [rows[0]]
        for (row, delivery) in zip(rows.dropFirst(), deliveries) {
            lines.append(row)
            lines += story(delivery, terminal)
        }
        return lines
    }

    private static func cells(_ delivery: DeliveryView) -> [TextTable.Cell] {
        let event = delivery.event.map { " \($0)" } ?? ""
        let attempt = delivery.attempt > 1 ? ", attempt \(delivery.attempt)" : ""
        return [
            .init(delivery.delivery), .init(LocalTime.text(wallMs: delivery.dueWallMs)), .init(delivery.app),
            .init(delivery.member), .init("\(delivery.method) \(delivery.activity)\(event)"),
            .init(delivery.state.rawValue + attempt, style(delivery.state)),
            .init(delivery.tookMs.map { "\($0) ms" } ?? ""),
            .init(delivery.privateKib.map { "\(($0 + 51) / 102 / 10).\(($0 + 51) / 102 % 10) MB" } ?? ""),
        ]
    }

    private static func style(_ state: DeliveryState) -> Terminal.Style? {
        switch state {
        case .parked: .red
        case .waiting, .running: .yellow
        default: nil
        }
    }

    private static func story(_ delivery: DeliveryView, _ terminal: Terminal) -> [String] {
        guard let reason = delivery.reason else { return [] }
        let indent = "      "
        var narrow = terminal
        narrow.columns = max(20, terminal.columns - indent.count)
        var lines = TextWrap.lines(DisplayWidth.harmless(delivery.message ?? reason), narrow).map {
            indent + $0
        }
        let figure = delivery.figure.map { ", \(DisplayWidth.harmless($0))" } ?? ""
        lines.append(indent + terminal.styled("\(DisplayWidth.harmless(reason))\(figure)", .dim))
        for line in delivery.lastOutput.suffix(linesMax) {
            let text = DisplayWidth.cut(DisplayWidth.harmless(line), max(20, terminal.columns - 8))
            lines.append(indent + terminal.styled("| " + text, .dim))
        }
        if delivery.state == .parked {
            lines.append(indent + "once it is mended: screentime app retry \(delivery.delivery)")
        }
        return lines
    }
}
