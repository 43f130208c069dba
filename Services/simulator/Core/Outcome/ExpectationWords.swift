import STContracts
import STDomain
import STPlatform

/// Expectations and what came instead, in words.
struct ExpectationWords {
    let zone: ZoneRules

    func text(_ expectation: ScenarioExpectation) -> String {
        let when = self.when(expectation)
        switch expectation.kind {
        case .callback(let callback): return often(expectation.times, Self.text(callback)) + when
        case .notification(let text, let app, let member):
            let who = [member.map { "to \($0)" }, app.map { "by \($0)" }].compactMap { $0 }
            let words = (["a notification with “\(text)”"] + who).joined(separator: " ")
            return often(expectation.times, words) + when
        case .used(let ms, _, let member, let activity, let event):
            let whose = member.map { " of \($0)" } ?? ""
            let name = event.isEmpty ? activity : "\(activity)/\(event)"
            return "\(Self.length(ms)) counted for \(name)\(whose)" + when
        case .ledger(let ms, let member, let app, let site, let presence, let isShielded):
            let what = [
                isShielded ? "in front of a shield" : presence == .active ? nil : presence.rawValue,
                member.map { "of \($0)" },
                app.map { "in \($0)" }, site.map { "on \($0)" },
            ].compactMap { $0 }.joined(separator: " ")
            return "\(Self.length(ms)) in the ledger\(what.isEmpty ? "" : " " + what)" + when
        case .shielded(let shield, let isWanted):
            return "\(Self.thing(shield)) is \(isWanted ? "" : "not ")shielded\(Self.whose(shield))" + when
        case .shieldShown(let shield):
            return often(expectation.times, "a shield in front of \(Self.thing(shield))\(Self.whose(shield))")
                + when
        case .store(let store):
            let name = [store.app, store.name].compactMap { $0 }.joined(separator: "/")
            let setting = store.setting.map { "\($0) of \(name)" }
            let whose = store.member.map { " for \($0)" } ?? ""
            return (setting ?? name) + (store.isEmpty ? " is empty" : " is set") + whose + when
        }
    }

    private static func thing(_ shield: ScenarioExpectation.Shield) -> String {
        SubjectText.text(shield.item) + (shield.site.map { " on \($0)" } ?? "")
    }

    private static func whose(_ shield: ScenarioExpectation.Shield) -> String {
        (shield.by.map { " by \($0)" } ?? "") + (shield.member.map { " for \($0)" } ?? "")
    }

    private func often(_ times: Int?, _ what: String) -> String {
        switch times {
        case nil, 1: what
        case 0: "no \(what.hasPrefix("a ") ? String(what.dropFirst(2)) : what)"
        case .some(let times): "\(times) times \(what)"
        }
    }

    private func when(_ expectation: ScenarioExpectation) -> String {
        var words = ""
        let rules = expectation.zone.flatMap { ZoneRules.of($0) } ?? zone
        func moment(_ civil: CivilText) -> String {
            CivilText.text(wallMs: civil.wallMs(in: rules, after: 0), rules)
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
        let rules = ZoneRules.of(entry.zone) ?? zone
        let moment = CivilText.text(wallMs: entry.atMs, rules)
        if case .notification = entry.kind {
            return "\(moment) “\(entry.text ?? "")” to \(entry.member ?? "?")"
        }
        if let subject = entry.subject {
            let by = entry.by.map { " by \($0.joined(separator: ", "))" } ?? ""
            return "\(moment) \(PolicyWords.text(subject))\(by) for \(entry.member ?? "?")"
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

    /// To the millisecond, because that is what is compared.
    static func length(_ ms: Int64) -> String { DurationText.of(ms) }
}
