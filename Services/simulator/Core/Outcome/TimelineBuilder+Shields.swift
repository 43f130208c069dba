import STContracts
import STPlatform

/// Stores that change, shields that people see, time that is granted.
extension TimelineBuilder {
    /// `worklog/gaming`; that of a rule is called as the rule.
    func storeName(_ app: String, _ store: String) -> String {
        app == BuiltInRules.app ? name(ofRule: store) : "\(app)/\(store)"
    }

    mutating func add(store word: PolicyStore, before: PolicyStore?, _ time: DeviceTime) {
        guard let text = PolicyWords.change(word, before: before) else { return }
        var entry = entry(.store, member: name(of: word.member), text, time)
        entry.atMs = word.wallMs
        entry.app = word.app
        entry.store = word.app == BuiltInRules.app ? name(ofRule: word.store) : word.store
        add(entry)
    }

    mutating func add(
        shown reply: ShieldShow.Reply,
        _ sight: ShieldTable.Sight,
        category: String?,
        _ time: DeviceTime
    ) {
        let words = [reply.view?.look.title?.text, reply.view?.look.subtitle?.text].compactMap { $0 }
        var entry = entry(.shield, member: sight.member, words.joined(separator: ": "), time)
        entry.subject = sight.subject
        entry.category = category
        entry.by = reply.decision.causes.map { storeName($0.app, $0.store) }
        add(entry)
    }

    mutating func add(
        press button: ShieldButton,
        _ reply: ShieldPress.Reply,
        _ sight: ShieldTable.Sight,
        _ time: DeviceTime
    ) {
        let problem = reply.problem.map { " (\($0.code))" } ?? ""
        var entry = entry(
            .press,
            member: sight.member,
            "\(button.rawValue): \(reply.response.rawValue)\(problem)",
            time
        )
        entry.subject = sight.subject
        add(entry)
    }

    mutating func add(grant request: RequestView, _ time: DeviceTime) {
        let items = request.items.map { SubjectText.text($0) }.joined(separator: ", ")
        let length = TextFormat.duration(ms: request.durationMs)
        add(
            entry(
                .grant,
                member: name(of: request.member),
                "\(request.state.rawValue): \(length) of \(items.isEmpty ? "everything" : items)",
                time
            )
        )
    }

    private func entry(_ kind: TimelineEntry.Kind, member: String, _ text: String, _ time: DeviceTime)
        -> TimelineEntry
    {
        TimelineEntry(
            atMs: time.wallMs,
            toldMs: time.wallMs,
            zone: time.zone,
            kind: kind,
            member: member,
            text: text
        )
    }
}
