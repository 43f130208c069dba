import STContracts
import STDomain
import STPlatform
import STSimulator

/// Compares expectations with a timeline.
struct ExpectationCheck {
    /// The maximum number of other entries that a verdict lists.
    private static let toldMax = 5

    let timeline: [TimelineEntry]
    let zone: ZoneRules
    private let text: ExpectationText

    init(_ timeline: [TimelineEntry], zone: ZoneRules) {
        self.timeline = timeline
        self.zone = zone
        text = ExpectationText(zone: zone)
    }

    /// Returns the verdict on an expected callback, notification or shield. Returns `nil` for other expectations, which are
    /// measured during the simulation.
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
            expected: text.text(expectation),
            isMet: isMet,
            actual: isMet
                ? nil : actualResult(found, alike: alike, related: related, expectation: expectation),
            path: expectation.path
        )
    }

    /// Returns the verdict on a measured expectation. `instead` is `nil` if the expectation is met.
    func verdict(_ expectation: ScenarioExpectation, instead: String?) -> SimulationOutcome.Verdict {
        .init(
            expected: text.text(expectation),
            isMet: instead == nil,
            actual: instead,
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

    /// Returns false if an extension was called but failed.
    private static func isDelivered(_ entry: TimelineEntry) -> Bool {
        guard let callback = entry.callback else { return true }
        return callback.state == .done
    }

    private func isInTime(_ entry: TimelineEntry, _ expectation: ScenarioExpectation) -> Bool {
        let rules = expectation.zone.flatMap { ZoneRules.load($0) } ?? zone
        if let at = expectation.at, entry.at != at.wall(in: rules) { return false }
        if let from = expectation.from, entry.at < from.wall(in: rules) { return false }
        if let to = expectation.to, entry.at > to.wall(in: rules) { return false }
        return true
    }

    private func actualResult(
        _ found: [TimelineEntry],
        alike: [TimelineEntry],
        related: [TimelineEntry],
        expectation: ScenarioExpectation
    ) -> String {
        if let times = expectation.times, found.count != times, !found.isEmpty {
            return "it came \(found.count) times: " + list(found)
        }
        if !alike.isEmpty { return "there was: " + list(alike) }
        return related.isEmpty ? "there was nothing of the kind" : "there was only: " + list(related)
    }

    private func list(_ entries: [TimelineEntry]) -> String {
        let told = entries.prefix(Self.toldMax).map { text.text($0) }.joined(separator: "; ")
        return entries.count > Self.toldMax ? told + "; and \(entries.count - Self.toldMax) more" : told
    }
}

/// Formats expectations and timeline entries as text.
struct ExpectationText {
    let zone: ZoneRules

    func text(_ expectation: ScenarioExpectation) -> String {
        let when = self.when(expectation)
        switch expectation.kind {
        case .callback(let callback): return countText(expectation.times, Self.text(callback)) + when
        case .notification(let text, let app, let member):
            let who = [member.map { "to \($0)" }, app.map { "by \($0)" }].compactMap { $0 }
            let words = (["a notification with “\(text)”"] + who).joined(separator: " ")
            return countText(expectation.times, words) + when
        case .used(let length, _, let member, let activity, let event):
            let whose = member.map { " of \($0)" } ?? ""
            let name = event.isEmpty ? activity : "\(activity)/\(event)"
            return "\(TextFormat.exactDuration(ms: length.ms)) counted for \(name)\(whose)" + when
        case .ledger(let length, let member, let app, let site, let presence, let isShielded):
            let what = [
                isShielded ? "in front of a shield" : presence == .active ? nil : presence.rawValue,
                member.map { "of \($0)" },
                app.map { "in \($0)" }, site.map { "on \($0)" },
            ].compactMap { $0 }.joined(separator: " ")
            return "\(TextFormat.exactDuration(ms: length.ms)) in the ledger\(what.isEmpty ? "" : " " + what)"
                + when
        case .shielded(let shield, let isWanted):
            return "\(Self.targetText(shield)) is \(isWanted ? "" : "not ")shielded\(Self.memberText(shield))"
                + when
        case .shieldShown(let shield):
            return countText(
                expectation.times,
                "a shield in front of \(Self.targetText(shield))\(Self.memberText(shield))"
            )
                + when
        case .store(let store):
            let name = [store.app, store.name].compactMap { $0 }.joined(separator: "/")
            let setting = store.setting.map { "\($0) of \(name)" }
            let whose = store.member.map { " for \($0)" } ?? ""
            return (setting ?? name) + (store.isEmpty ? " is empty" : " is set") + whose + when
        }
    }

    private static func targetText(_ shield: ScenarioExpectation.Shield) -> String {
        SubjectText.text(shield.item) + (shield.site.map { " on \($0)" } ?? "")
    }

    private static func memberText(_ shield: ScenarioExpectation.Shield) -> String {
        (shield.by.map { " by \($0)" } ?? "") + (shield.member.map { " for \($0)" } ?? "")
    }

    private func countText(_ times: Int?, _ what: String) -> String {
        switch times {
        case nil, 1: what
        case 0: "no \(what.hasPrefix("a ") ? String(what.dropFirst(2)) : what)"
        case .some(let times): "\(times) times \(what)"
        }
    }

    private func when(_ expectation: ScenarioExpectation) -> String {
        var words = ""
        let rules = expectation.zone.flatMap { ZoneRules.load($0) } ?? zone
        func moment(_ civil: CivilText) -> String {
            CivilText.text(civil.wall(in: rules), rules)
        }
        if let at = expectation.at { words += " at \(moment(at))" }
        if let from = expectation.from { words += " from \(moment(from))" }
        if let to = expectation.to { words += " until \(moment(to))" }
        return words
    }

    static func text(_ callback: ScenarioExpectation.Callback) -> String {
        let event = callback.event.map { "\($0), " } ?? ""
        let whose = callback.member.map { " for \($0)" } ?? ""
        let app = callback.app.map { " of \($0)" } ?? ""
        return "\(callback.method)(\(event)\(callback.activity ?? "any"))\(app)\(whose)"
    }

    func text(_ entry: TimelineEntry) -> String {
        let rules = ZoneRules.load(entry.zone) ?? zone
        let moment = CivilText.text(entry.at, rules)
        if case .notification = entry.kind {
            return "\(moment) “\(entry.text ?? "")” to \(entry.member ?? "?")"
        }
        if let subject = entry.subject {
            let by = entry.by.map { " by \($0.joined(separator: ", "))" } ?? ""
            return "\(moment) \(PolicyText.text(subject))\(by) for \(entry.member ?? "?")"
        }
        let call = ScenarioExpectation.Callback(
            method: entry.method ?? "?",
            app: entry.app,
            member: entry.member,
            activity: entry.activity,
            event: entry.event
        )
        let state = entry.callback.map { $0.state == .done ? "" : ", \($0.state.rawValue)" } ?? ""
        return "\(moment) \(Self.text(call))\(state)"
    }
}
