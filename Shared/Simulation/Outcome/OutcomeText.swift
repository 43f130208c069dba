import STContracts
import STDomain
import STPlatform

/// An outcome for a person to read: a timeline by days, and what was expected.
package struct OutcomeText {
    private let outcome: SimulationOutcome

    package init(_ outcome: SimulationOutcome) { self.outcome = outcome }

    package var lines: [String] {
        var lines = [outcome.name, ""]
        var day = ""
        for entry in outcome.timeline {
            let rules = ZoneRules.of(entry.zone)
            let moment = rules.map { CivilText.text(wallMs: entry.toldMs, $0) } ?? ""
            let heading = "\(moment.prefix(10)) \(entry.zone)"
            if heading != day {
                if !day.isEmpty { lines.append("") }
                lines.append("\(Self.weekday(moment.prefix(10))) \(heading)")
                day = heading
            }
            lines += self.lines(entry, String(moment.dropFirst(11)), rules)
        }
        if outcome.timeline.isEmpty { lines.append("Nothing was told.") }
        if !outcome.silences.isEmpty {
            lines += ["", "What a phone would have kept silent about:"]
            lines += outcome.silences.map { "  - \($0)" }
        }
        if !outcome.verdicts.isEmpty { lines += [""] + verdicts }
        return lines
    }

    private static func weekday(_ date: Substring) -> String {
        let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        guard let days = CivilDate(text: String(date))?.daysSinceEpoch else { return "" }
        return names[((days + 4) % 7 + 7) % 7]
    }

    private func lines(_ entry: TimelineEntry, _ moment: String, _ rules: ZoneRules?) -> [String] {
        let time = "  " + moment.padding(to: 12)
        switch entry.kind {
        case .deed: return ["\(time)  -- \(entry.text ?? "")"]
        case .notification:
            return ["\(time)  \(who(entry))  notification: \(entry.text ?? "")"]
        case .occasion:
            let event = entry.event.map { "\($0)" } ?? ""
            var line = "\(time)  \(who(entry))  \(entry.method ?? "?")(\(event))"
            if let text = entry.text { line += "  \(text)" }
            if entry.atMs != entry.toldMs, let rules {
                line += "  of \(CivilText.text(wallMs: entry.atMs, rules))"
            }
            if let callback = entry.callback { line += Self.text(callback) }
            return [line]
                + (entry.callback?.lines ?? []).map { String(repeating: " ", count: 16) + "| \($0)" }
        }
    }

    private func who(_ entry: TimelineEntry) -> String {
        let what = [entry.app, entry.activity].compactMap { $0 }.joined(separator: "/")
        return "\(entry.member ?? "") \(what)"
    }

    private static func text(_ callback: TimelineEntry.Callback) -> String {
        guard callback.state != .done else {
            return callback.attempt > 1 ? "  (at attempt \(callback.attempt))" : ""
        }
        return "  \(callback.state.rawValue.uppercased())\(callback.reason.map { ": \($0)" } ?? "")"
    }

    private var verdicts: [String] {
        let met = outcome.verdicts.count { $0.isMet }
        var lines = ["Expected and met: \(met) of \(outcome.verdicts.count)"]
        for verdict in outcome.verdicts where !verdict.isMet {
            lines.append("  NOT MET  \(verdict.expected)")
            if let instead = verdict.instead { lines.append("           \(instead)") }
            lines.append("           (\(verdict.path))")
        }
        return lines
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
