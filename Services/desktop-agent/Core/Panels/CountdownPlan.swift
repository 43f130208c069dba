package import STContracts

/// How much time the app in front has left, when it is little.
///
/// Once a minute until the last one, then once a second; nothing wakes while nothing is shown and nothing is near.
struct CountdownPlan: Sendable {
    /// More than this is no reason to look at a clock.
    static let showsBelowMs: Int64 = 600_000
    static let lastMs: Int64 = 60_000
    /// An app that is in front for less than this is not asked about.
    static let restMs: Int64 = 1_000
    /// Counting stops and goes on elsewhere, so what is shown is asked for again.
    static let askEveryMs: Int64 = 60_000
    /// Limits may be added at any time.
    static let askIdleMs: Int64 = 300_000
    /// How long to wait for an answer.
    static let answerMs: Int64 = 15_000

    struct View: Sendable, Equatable {
        enum Left: Sendable, Equatable {
            case minutes(Int64)
            case seconds(Int64)
        }

        var app: String
        var name: String
        var left: Left
    }

    private let isOn: Bool
    private var front: (app: String, name: String, sinceBootMs: Int64)?
    private var isThere = true
    private var shielded: Set<String> = []
    /// When the budget of the app in front is used up; nil: none is known.
    private var crossingBootMs: Int64?
    private var nextAskBootMs: Int64?
    private var asked: (ticket: Int64, bootMs: Int64)?
    private var lastAskBootMs: Int64 = 0
    private var tickets: Int64 = 0

    init(isOn: Bool) { self.isOn = isOn }

    mutating func front(_ app: String?, name: String?, atBootMs bootMs: Int64) {
        guard isOn else { return }
        guard front?.app != app else {
            if let app, let name { front?.name = name.isEmpty ? app : name }
            return
        }
        front = app.map { ($0, name ?? $0, bootMs) }
        forget(askAt: app == nil ? nil : bootMs + Self.restMs)
    }

    /// Idle, locked and away are all the same here: nothing counts, so nothing counts down.
    mutating func isThere(_ isThere: Bool, atBootMs bootMs: Int64) {
        guard isOn, self.isThere != isThere else { return }
        self.isThere = isThere
        forget(askAt: isThere && front != nil ? bootMs + Self.restMs : nil)
    }

    mutating func shielded(_ apps: Set<String>, atBootMs bootMs: Int64) {
        guard isOn, apps != shielded else { return }
        let was = isShielded
        shielded = apps
        if was != isShielded { forget(askAt: bootMs + Self.restMs) }
    }

    /// More time was granted, or a rule changed: what was known may be wrong, but is shown until the new answer is
    /// here.
    mutating func changed(atBootMs bootMs: Int64) {
        guard isOn, front != nil else { return }
        asked = nil
        // However often this happens, the plan asks at most once a second.
        nextAskBootMs = max(bootMs, lastAskBootMs + Self.restMs)
    }

    /// Nil: the app uses up no budget that ends in a shield.
    mutating func answered(_ ticket: Int64, crossingBootMs crossing: Int64?, nowBootMs: Int64) {
        guard asked?.ticket == ticket else { return }
        asked = nil
        crossingBootMs = crossing
        guard let crossing, crossing > nowBootMs else {
            crossingBootMs = nil
            nextAskBootMs = nowBootMs + Self.askIdleMs
            return
        }
        let showsFrom = crossing - Self.showsBelowMs
        nextAskBootMs =
            showsFrom > nowBootMs
            ? max(nowBootMs + Self.restMs, min(showsFrom, nowBootMs + Self.askIdleMs))
            : nowBootMs + Self.askEveryMs
    }

    /// The question that is due, once.
    mutating func takeAsk(_ nowBootMs: Int64) -> (app: String, ticket: Int64)? {
        if let asked, nowBootMs - asked.bootMs >= Self.answerMs { self.asked = nil }
        guard isOn, isThere, !isShielded, let front, asked == nil, let dueMs = nextAskBootMs,
            nowBootMs >= dueMs
        else {
            return nil
        }
        tickets += 1
        asked = (tickets, nowBootMs)
        lastAskBootMs = nowBootMs
        nextAskBootMs = nowBootMs + Self.answerMs
        return (front.app, tickets)
    }

    func view(_ nowBootMs: Int64) -> View? {
        guard let front, let leftMs = leftMs(nowBootMs) else { return nil }
        let left: View.Left =
            leftMs > Self.lastMs
            ? .minutes((leftMs + 59_999) / 60_000) : .seconds((leftMs + 999) / 1_000)
        return View(app: front.app, name: front.name, left: left)
    }

    /// When something is to be done without anything happening.
    func nextBootMs(_ nowBootMs: Int64) -> Int64? {
        guard isOn, isThere, !isShielded, front != nil else { return nil }
        var moments = [nextAskBootMs].compactMap { $0 }
        if let crossing = crossingBootMs {
            if let leftMs = leftMs(nowBootMs) {
                let unit: Int64 = leftMs > Self.lastMs ? 60_000 : 1_000
                moments.append(crossing - (leftMs - 1) / unit * unit)
            } else if crossing - Self.showsBelowMs > nowBootMs {
                moments.append(crossing - Self.showsBelowMs)
            }
        }
        return moments.min().map { max($0, nowBootMs) }
    }

    private var isShielded: Bool { front.map { shielded.contains($0.app) } ?? false }

    private func leftMs(_ nowBootMs: Int64) -> Int64? {
        guard isThere, !isShielded, let crossing = crossingBootMs else { return nil }
        let leftMs = crossing - nowBootMs
        return leftMs > 0 && leftMs <= Self.showsBelowMs ? leftMs : nil
    }

    private mutating func forget(askAt bootMs: Int64?) {
        crossingBootMs = nil
        asked = nil
        nextAskBootMs = bootMs
    }
}

/// When the next limit that ends in a shield is used up, from what activity-center says.
package enum BudgetReading {
    /// Nil: the app in front uses up none.
    package static func crossing(rules: [RuleView], _ explained: [ExplainedActivity]) -> Int64? {
        explained.compactMap { activity in
            let id = BuiltInRules.rule(watching: activity.activity.activity)
            guard activity.isOngoing, let rule = rules.first(where: { $0.id == id }) else {
                return nil
            }
            return activity.events.compactMap { crossing($0, warnMs: rule.rule.warnMs) }.min()
        }.min()
    }

    /// The next crossing may be the warning; the end comes that much later.
    private static func crossing(_ event: ExplainEvent, warnMs: Int64?) -> Int64? {
        guard event.event == BuiltInRules.usedEvent, !event.reached, let next = event.nextCrossingBootMs
        else {
            return nil
        }
        guard !event.warned, let warnMs, warnMs > 0, warnMs < event.thresholdMs else { return next }
        // Past the moment of a warning that was never due, the end itself is next.
        return next + min(warnMs, event.leftMs)
    }
}
