import STContracts
import STDomain
import STPlatform
package import STSimulator

/// An outcome as text for people: a timeline by day, and the verdicts.
package struct OutcomeText {
    package typealias Line = SimulatorOutcome.Line

    private let outcome: SimulationOutcome
    private let lineOf: (String) -> Int?

    /// Creates the text. `lineOf` returns the line number of a place in the scenario.
    package init(_ outcome: SimulationOutcome, lineOf: @escaping (String) -> Int? = { _ in nil }) {
        self.outcome = outcome
        self.lineOf = lineOf
    }

    package var text: String { lines.map(\.text).joined(separator: "\n") }

    package var lines: [Line] {
        var lines = [Line(outcome.name, .heading)]
        var day = ""
        for entry in outcome.timeline {
            let rules = ZoneRules.load(entry.zone)
            let moment = rules.map { CivilText.text(entry.reported, $0) } ?? ""
            let heading = "\(moment.prefix(10)) \(entry.zone)"
            if heading != day {
                lines += [Line(""), Line("\(Self.weekday(moment.prefix(10))) \(heading)", .heading)]
                day = heading
            }
            lines += self.lines(entry, moment: String(moment.dropFirst(11)), rules: rules)
        }
        if outcome.timeline.isEmpty { lines.append(Line("Nothing happened.")) }
        if !outcome.unreportedProblems.isEmpty {
            lines += [Line(""), Line("What a phone would have kept silent about:", .heading)]
            lines += outcome.unreportedProblems.map { Line("  - \($0)", .aside) }
        }
        if !outcome.verdicts.isEmpty { lines += [Line("")] + verdicts }
        return lines
    }

    private static func weekday(_ date: Substring) -> String {
        CivilDate(text: String(date)).map { CalendarNames.shortDay($0.weekday, in: .english) } ?? ""
    }

    private func lines(_ entry: TimelineEntry, moment: String, rules: ZoneRules?) -> [Line] {
        let time = "  " + moment.padding(to: 12)
        switch entry.kind {
        case .step: return [Line("\(time)  -- \(entry.text ?? "")", .aside)]
        case .notification: return [Line("\(time)  \(memberText(entry))  notification: \(entry.text ?? "")")]
        case .store: return [Line("\(time)  \(memberText(entry))  \(entry.text ?? "")")]
        case .shield:
            let by = (entry.by ?? []).joined(separator: ", ")
            let words = entry.text.map { $0.isEmpty ? "" : "  \($0)" } ?? ""
            return [
                Line("\(time)  \(memberText(entry)) shield in front of \(subject(entry)), by \(by)\(words)")
            ]
                + Self.printedLines(entry.lines)
        case .press:
            return [Line("\(time)  \(memberText(entry)) button of \(subject(entry)), \(entry.text ?? "")")]
                + Self.printedLines(entry.lines)
        case .grant: return [Line("\(time)  \(memberText(entry)) more time, \(entry.text ?? "")")]
        case .occasion:
            var line = "\(time)  \(memberText(entry))  \(entry.method ?? "?")(\(entry.event ?? ""))"
            if let text = entry.text { line += "  \(text)" }
            if entry.at != entry.reported, let rules {
                line += "  of \(CivilText.text(entry.at, rules))"
            }
            let isDone = entry.callback.map { $0.state == .done } ?? true
            if let callback = entry.callback { line += Self.text(callback) }
            return [Line(line, isDone ? .plain : .bad)]
                + Self.printedLines((entry.callback?.lines ?? []) + (entry.callback?.complaints ?? []))
        }
    }

    private static func printedLines(_ lines: [String]) -> [Line] {
        lines.map { Line(String(repeating: " ", count: 16) + "| \($0)", .aside) }
    }

    private func memberText(_ entry: TimelineEntry) -> String {
        let what = [entry.app, entry.activity ?? entry.store].compactMap { $0 }.joined(separator: "/")
        return "\(entry.member ?? "") \(what)"
    }

    private func subject(_ entry: TimelineEntry) -> String {
        entry.subject.map { PolicyText.text($0) } ?? "?"
    }

    private static func text(_ callback: TimelineEntry.Callback) -> String {
        guard callback.state != .done else {
            return callback.attempt > 1 ? "  (at attempt \(callback.attempt))" : ""
        }
        return "  \(callback.state.rawValue.uppercased())\(callback.reason.map { ": \($0)" } ?? "")"
    }

    private var verdicts: [Line] {
        let met = outcome.verdicts.count { $0.isMet }
        let total = outcome.verdicts.count
        var lines = [Line("Expected and met: \(met) of \(total)", met == total ? .good : .bad)]
        for verdict in outcome.verdicts where !verdict.isMet {
            let place = lineOf(verdict.path).map { "line \($0)" } ?? verdict.path
            lines.append(Line("  NOT MET (\(place)): \(verdict.expected)", .bad))
            if let instead = verdict.actual { lines.append(Line("    \(instead)")) }
        }
        return lines
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
