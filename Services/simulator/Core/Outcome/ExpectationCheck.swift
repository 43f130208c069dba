import STContracts
import STDomain
import STPlatform

/// Holds what is expected against a timeline.
struct ExpectationCheck {
    /// As many of what came instead as are told.
    private static let toldMax = 5

    let timeline: [TimelineEntry]
    let zone: ZoneRules
    private let words: ExpectationWords

    init(_ timeline: [TimelineEntry], zone: ZoneRules) {
        self.timeline = timeline
        self.zone = zone
        words = ExpectationWords(zone: zone)
    }

    /// Of callbacks and notifications; the others are measured while the scenario is played.
    func verdict(_ expectation: ScenarioExpectation) -> SimulationOutcome.Verdict? {
        let alike: [TimelineEntry]
        let related: [TimelineEntry]
        switch expectation.kind {
        case .callback(let wanted):
            alike = timeline.filter { Self.matches($0, wanted) }
            related = timeline.filter { $0.method == wanted.method || $0.activity == wanted.activity }
        case .notification(let text, let app, let member):
            let all = timeline.filter { $0.kind == .notification }
            alike = all.filter { entry in
                entry.text?.contains(text) == true && app ?? entry.app == entry.app
                    && member ?? entry.member == entry.member
            }
            related = all
        case .shieldShown(let shield):
            related = timeline.filter { $0.kind == .shield }
            alike = related.filter { Self.matches($0, shield) }
        case .used, .ledger, .shielded, .store: return nil
        }
        let found = alike.filter { Self.isDelivered($0) && isInTime($0, expectation) }
        let isMet = expectation.times.map { $0 == found.count } ?? !found.isEmpty
        return .init(
            expected: words.text(expectation),
            isMet: isMet,
            instead: isMet ? nil : instead(found, alike, related, expectation),
            path: expectation.path
        )
    }

    /// What was measured, against what was to be.
    func verdict(_ expectation: ScenarioExpectation, measuredMs: Int64?, wantedMs: Int64, problem: String?)
        -> SimulationOutcome.Verdict
    {
        .init(
            expected: words.text(expectation),
            isMet: measuredMs == wantedMs,
            instead: measuredMs == wantedMs
                ? nil : problem ?? "it is \(measuredMs.map { ExpectationWords.length($0) } ?? "unknown")",
            path: expectation.path
        )
    }

    /// What was looked at: nil is as it should be.
    func verdict(_ expectation: ScenarioExpectation, instead: String?) -> SimulationOutcome.Verdict {
        .init(
            expected: words.text(expectation),
            isMet: instead == nil,
            instead: instead,
            path: expectation.path
        )
    }

    private static func matches(_ entry: TimelineEntry, _ wanted: ScenarioExpectation.Shield) -> Bool {
        guard let subject = entry.subject, wanted.member ?? entry.member == entry.member,
            wanted.site ?? subject.domain == subject.domain
        else { return false }
        if let by = wanted.by, entry.by?.contains(by) != true { return false }
        switch wanted.item.kind {
        case .category: return entry.category == wanted.item.id
        case .domain: return subject.domain == wanted.item.id
        default: return subject.app == wanted.item.id
        }
    }

    private static func matches(_ entry: TimelineEntry, _ wanted: ScenarioExpectation.Callback) -> Bool {
        entry.method == wanted.method && wanted.app ?? entry.app == entry.app
            && wanted.member ?? entry.member == entry.member
            && wanted.activity ?? entry.activity == entry.activity
            && wanted.event ?? entry.event == entry.event
    }

    /// An extension that was called and did not do its work has not been told.
    private static func isDelivered(_ entry: TimelineEntry) -> Bool {
        guard let callback = entry.callback else { return true }
        return callback.state == .done
    }

    private func isInTime(_ entry: TimelineEntry, _ expectation: ScenarioExpectation) -> Bool {
        let rules = expectation.zone.flatMap { ZoneRules.of($0) } ?? zone
        func ms(_ civil: CivilText) -> Int64 { civil.wallMs(in: rules, after: 0) }
        if let at = expectation.at, entry.atMs != ms(at) { return false }
        if let from = expectation.from, entry.atMs < ms(from) { return false }
        if let to = expectation.to, entry.atMs > ms(to) { return false }
        return true
    }

    private func instead(
        _ found: [TimelineEntry],
        _ alike: [TimelineEntry],
        _ related: [TimelineEntry],
        _ expectation: ScenarioExpectation
    ) -> String {
        if let times = expectation.times, found.count != times, !found.isEmpty {
            return "it came \(found.count) times: " + list(found)
        }
        if !alike.isEmpty { return "there was: " + list(alike) }
        return related.isEmpty ? "there was nothing of the kind" : "there was only: " + list(related)
    }

    private func list(_ entries: [TimelineEntry]) -> String {
        let told = entries.prefix(Self.toldMax).map { words.text($0) }.joined(separator: "; ")
        return entries.count > Self.toldMax ? told + "; and \(entries.count - Self.toldMax) more" : told
    }
}
