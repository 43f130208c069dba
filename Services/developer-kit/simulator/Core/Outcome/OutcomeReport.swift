import STContracts
import STPlatform
package import STSimulator

extension SimulationOutcome {
    /// The outcome for programs, without values that differ from run to run.
    package var report: SimulatorReport {
        SimulatorReport(
            name: name,
            zone: zone,
            start: RFC3339.text(wallMs: start.ms),
            end: RFC3339.text(wallMs: end.ms),
            isMet: isMet,
            timeline: timeline.map(\.report),
            silences: unreportedProblems,
            expectations: verdicts.map {
                .init(expected: $0.expected, isMet: $0.isMet, place: $0.path, instead: $0.actual)
            }
        )
    }
}

extension TimelineEntry {
    fileprivate var report: SimulatorReport.Entry {
        var entry = SimulatorReport.Entry(
            at: RFC3339.text(wallMs: at.ms),
            told: RFC3339.text(wallMs: reported.ms),
            zone: zone,
            kind: kind.name
        )
        entry.method = method
        entry.app = app
        entry.member = member
        entry.activity = activity
        entry.event = event
        entry.text = text
        entry.store = store
        entry.subjectApp = subject?.app
        entry.subjectSite = subject?.domain
        entry.category = category
        entry.by = by
        entry.lines = lines.isEmpty ? nil : lines
        entry.callback = callback.map {
            .init(
                state: $0.state,
                attempt: $0.attempt,
                reason: $0.reason,
                lines: $0.lines.isEmpty ? nil : $0.lines
            )
        }
        return entry
    }
}

extension TimelineEntry.Kind {
    fileprivate var name: String {
        switch self {
        case .occasion(let occasion): occasion.rawValue
        case .notification: "notification"
        case .store: "store"
        case .shield: "shield"
        case .press: "press"
        case .grant: "grant"
        case .step: "deed"
        }
    }
}
