import STContracts
import STPlatform
import STSimulator

/// Builds a timeline from the events on the streams.
struct TimelineBuilder {
    private struct CallKey: Hashable {
        var app: String
        var member: String
        var activity: String
        var event: String?
        var method: String
        var due: WallTime
    }

    private let owner: (actual: String, name: String)
    private(set) var entries: [TimelineEntry] = []
    /// The indices of entries whose callback may still be reported.
    private var calls: [CallKey: Int] = [:]
    private var deliveries: [String: Int] = [:]
    private var printedLines: [Int: Int] = [:]
    /// The apps that set the shield of an entry, by the index of the entry.
    private var shieldApps: [Int: Set<String>] = [:]
    /// The different appearances of shields, without duplicates.
    private(set) var shields: [SimulatorOutcome.Shield] = []
    private var costs: [String: SimulatorOutcome.Call] = [:]
    /// The names of built-in rules by id.
    private var ruleNames: [String: String] = [:]

    init(owner actual: String, named name: String) { owner = (actual, name) }

    func name(of member: String) -> String { member == owner.actual ? owner.name : member }

    func actual(_ name: String) -> String { name == owner.name ? owner.actual : name }

    mutating func registerRule(rule id: String, name: String) { ruleNames[id] = name }

    func name(ofRule id: String) -> String { ruleNames[id] ?? id }

    func ruleID(named name: String) -> String? { ruleNames.first { $0.value == name }?.key }

    mutating func add(deed text: String, _ time: DeviceTime) {
        entries.append(
            TimelineEntry(
                at: time.wall,
                reported: time.wall,
                zone: time.zone,
                kind: .step,
                text: text
            )
        )
    }

    mutating func apply(_ event: WireEvent, _ time: DeviceTime) throws {
        switch event.header.type {
        case IntervalStarted.type, IntervalEnded.type, IntervalWillStart.type, IntervalWillEnd.type,
            ThresholdReached.type, ThresholdWarning.type, ThresholdReturned.type:
            add(try ActivityOccurrence.decodedBody(event.body), time)
        case DeliveryChanged.type: add(try DeliveryView.decodedBody(event.body))
        default: break
        }
    }

    private mutating func add(_ told: ActivityOccurrence, _ time: DeviceTime) {
        let entry = TimelineEntry(
            at: WallTime(ms: told.dueWallMs),
            reported: time.wall,
            zone: time.zone,
            kind: .occasion(told.occasion),
            app: told.app,
            member: name(of: told.member),
            activity: ruleNames[told.activity] ?? told.activity,
            event: told.event,
            text: Self.occasionText(told),
            intervalStart: WallTime(ms: told.interval.startWallMs),
            intervalEnd: WallTime(ms: told.interval.endWallMs)
        )
        if let method = entry.method {
            let key = CallKey(
                app: told.app,
                member: told.member,
                activity: told.activity,
                event: told.event,
                method: method,
                due: entry.at
            )
            calls[key] = entries.count
        }
        entries.append(entry)
    }

    private static func occasionText(_ told: ActivityOccurrence) -> String? {
        switch told.occasion {
        case .thresholdReached, .thresholdWarning, .thresholdReturned:
            let counted = told.evidence.countedMs.map { "\(TextFormat.duration(ms: $0)) counted" }
            let threshold = told.evidence.thresholdMs.map { "of \(TextFormat.duration(ms: $0))" }
            let words = [counted, threshold].compactMap { $0 }.joined(separator: " ")
            return words.isEmpty ? told.evidence.note?.english : words
        default: return told.evidence.note?.english
        }
    }

    private mutating func add(_ view: DeliveryView) {
        let key = CallKey(
            app: view.app,
            member: view.member,
            activity: view.activity,
            event: view.event,
            method: view.method,
            due: WallTime(ms: view.dueWallMs)
        )
        if view.app != BuiltInRules.app { add(cost: view) }
        guard let place = deliveries[view.delivery] ?? calls[key] else { return }
        deliveries[view.delivery] = place
        entries[place].callback = .init(
            state: view.state,
            attempt: view.attempt,
            reason: view.reason
        )
    }

    private mutating func add(cost view: DeliveryView) {
        guard let tookMs = view.tookMs else { return }
        let key = "\(view.app) \(view.method)"
        let none = SimulatorOutcome.Call(
            app: view.app,
            method: view.method,
            count: 0,
            longestMs: 0,
            mostKib: 0
        )
        var call = costs[key] ?? none
        call.count += 1
        call.longestMs = max(call.longestMs, tookMs)
        call.mostKib = max(call.mostKib, view.privateKib ?? 0)
        costs[key] = call
    }

    var calledMethods: [SimulatorOutcome.Call] { costs.sorted { $0.key < $1.key }.map(\.value) }

    /// Adds a line that an extension wrote during a delivery.
    mutating func add(line: AppLogLine) {
        guard let delivery = line.delivery, let place = deliveries[delivery] else { return }
        switch line.source {
        case "host": if line.text == PhoneQuirks.cutWork { entries[place].callback?.isCut = true }
        case "stderr": entries[place].callback?.complaints.append(line.text)
        case "print":
            // Insert printed lines before logged ones. The two arrive on separate descriptors, in no defined order.
            let printed = printedLines[place, default: 0]
            entries[place].callback?.lines.insert(line.text, at: printed)
            printedLines[place] = printed + 1
        default: entries[place].callback?.lines.append(line.text)
        }
    }

    /// Adds a line of a shield extension. Such an extension is called for a shield of a member, so the line belongs to the latest
    /// shield entry with its app.
    mutating func add(shieldLine line: AppLogLine) {
        guard line.source != "host" else { return }
        let place = entries.indices.last { place in
            entries[place].reported <= WallTime(ms: line.wallMs)
                && shieldApps[place]?.contains(line.app) == true
        }
        if let place { entries[place].lines.append(line.text) }
    }

    private mutating func add(_ entry: TimelineEntry) { entries.append(entry) }

    mutating func add(posted: NotificationPosted.Body, _ time: DeviceTime) {
        let text = [posted.title, posted.body].filter { !$0.isEmpty }.joined(separator: ": ")
        var entry = entry(.notification, member: name(of: posted.member), text: text, time: time)
        entry.app = posted.app
        add(entry)
    }

    /// The entries in the order of their reports. Built-in rules have no extension, so their callbacks are omitted.
    var finished: [TimelineEntry] {
        entries.map { entry in
            var entry = entry
            if entry.app == BuiltInRules.app, entry.callback?.state == .done { entry.callback = nil }
            return entry
        }
    }

    /// The apps whose extensions were called.
    var calledApps: [String] {
        Set(shieldApps.values.joined()).union(deliveries.values.compactMap { entries[$0].app }).sorted()
    }

    // Changes of stores, shown shields, and granted time.

    /// Returns the name of a store, for example `worklog/gaming`. The store of a rule has the name of the rule.
    func storeName(_ app: String, _ store: String) -> String {
        app == BuiltInRules.app ? name(ofRule: store) : "\(app)/\(store)"
    }

    mutating func add(store word: PolicyStore, before: PolicyStore?, _ time: DeviceTime) {
        guard let text = PolicyText.change(word, before: before) else { return }
        var entry = entry(.store, member: name(of: word.member), text: text, time: time)
        entry.at = WallTime(ms: word.wallMs)
        entry.app = word.app
        entry.store = word.app == BuiltInRules.app ? name(ofRule: word.store) : word.store
        add(entry)
    }

    mutating func add(
        shown reply: ShieldShow.Reply,
        _ sight: ShieldDecisions.ScreenState,
        category: String?,
        _ time: DeviceTime
    ) {
        let words = [reply.view?.look.title?.text, reply.view?.look.subtitle?.text].compactMap { $0 }
        var entry = entry(.shield, member: sight.member, text: words.joined(separator: ": "), time: time)
        entry.subject = sight.subject
        entry.category = category
        entry.by = reply.decision.causes.map { storeName($0.app, $0.store) }
        add(entry)
        shieldApps[entries.count - 1] = Set(reply.decision.causes.map(\.app))
        guard let look = reply.view?.look else { return }
        let shield = SimulatorOutcome.Shield(
            look: look,
            name: sight.subject.domain ?? sight.subject.app ?? ""
        )
        if !shields.contains(shield), shields.count < SimulatorLimits.shields { shields.append(shield) }
    }

    mutating func add(
        press button: ShieldButton,
        _ reply: ShieldPress.Reply,
        sight: ShieldDecisions.ScreenState,
        time: DeviceTime
    ) {
        let problem = reply.problem.map { " (\($0.code))" } ?? ""
        var entry = entry(
            .press,
            member: sight.member,
            text: "\(button.rawValue): \(reply.response.rawValue)\(problem)",
            time: time
        )
        entry.subject = sight.subject
        // Use the apps of the shield with the button.
        let shown = entries.indices.last {
            entries[$0].kind == .shield && entries[$0].subject == sight.subject
                && entries[$0].member == entry.member
        }
        add(entry)
        shieldApps[entries.count - 1] = shown.flatMap { shieldApps[$0] }
    }

    mutating func add(grant request: RequestView, _ time: DeviceTime) {
        let items = request.items.map { SubjectText.text($0) }.joined(separator: ", ")
        let length = TextFormat.duration(ms: request.durationMs)
        add(
            entry(
                .grant,
                member: name(of: request.member),
                text: "\(request.state.rawValue): \(length) of \(items.isEmpty ? "everything" : items)",
                time: time
            )
        )
    }

    private func entry(_ kind: TimelineEntry.Kind, member: String, text: String, time: DeviceTime)
        -> TimelineEntry
    {
        TimelineEntry(
            at: time.wall,
            reported: time.wall,
            zone: time.zone,
            kind: kind,
            member: member,
            text: text
        )
    }
}
