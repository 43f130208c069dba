package import STContracts
import STPlatform

/// An outcome for programs.
///
/// The same scenario gives the same bytes each time.
package enum OutcomeJSON {
    package static func value(_ outcome: SimulationOutcome) -> JSONValue {
        [
            "name": .string(outcome.name),
            "zone": .string(outcome.zone),
            "start": .string(RFC3339.text(wallMs: outcome.startWallMs)),
            "end": .string(RFC3339.text(wallMs: outcome.endWallMs)),
            "ok": .bool(outcome.isMet),
            "timeline": .array(outcome.timeline.map(entry)),
            "silences": .array(outcome.silences.map { .string($0) }),
            "expectations": .array(outcome.verdicts.map(verdict)),
        ]
    }

    private static func entry(_ entry: TimelineEntry) -> JSONValue {
        var members: [String: JSONValue] = [
            "at": .string(RFC3339.text(wallMs: entry.atMs)),
            "told": .string(RFC3339.text(wallMs: entry.toldMs)),
            "zone": .string(entry.zone),
        ]
        switch entry.kind {
        case .occasion(let occasion): members["kind"] = .string(occasion.rawValue)
        case .notification: members["kind"] = "notification"
        case .store: members["kind"] = "store"
        case .shield: members["kind"] = "shield"
        case .press: members["kind"] = "press"
        case .grant: members["kind"] = "grant"
        case .deed: members["kind"] = "deed"
        }
        let texts = [
            ("method", entry.method), ("app", entry.app), ("member", entry.member),
            ("activity", entry.activity),
            ("event", entry.event), ("text", entry.text), ("store", entry.store),
            ("subject_app", entry.subject?.app), ("subject_site", entry.subject?.domain),
            ("category", entry.category),
        ]
        for (name, text) in texts { members[name] = text.map { .string($0) } }
        if let by = entry.by { members["by"] = .array(by.map { .string($0) }) }
        if let callback = entry.callback { members["callback"] = self.callback(callback) }
        return .object(members)
    }

    private static func callback(_ callback: TimelineEntry.Callback) -> JSONValue {
        var members: [String: JSONValue] = [
            "state": .string(callback.state.rawValue),
            "attempt": .integer(callback.attempt),
        ]
        members["reason"] = callback.reason.map { .string($0) }
        if !callback.lines.isEmpty { members["lines"] = .array(callback.lines.map { .string($0) }) }
        return .object(members)
    }

    private static func verdict(_ verdict: SimulationOutcome.Verdict) -> JSONValue {
        var members: [String: JSONValue] = [
            "expected": .string(verdict.expected),
            "met": .bool(verdict.isMet),
            "place": .string(verdict.path),
        ]
        members["instead"] = verdict.instead.map { .string($0) }
        return .object(members)
    }
}
