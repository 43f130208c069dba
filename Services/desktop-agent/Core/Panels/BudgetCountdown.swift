package import STContracts

/// The countdown of the foreground app, which appears if little time is left.
///
/// The text changes once a minute until the last minute, then once a second. No timer is set while nothing is shown and no
/// limit is near.
struct BudgetCountdown: Sendable {
    /// The remaining time below which the countdown appears.
    static let thresholdMs: Int64 = 600_000
    static let lastMs: Int64 = 60_000
    /// The plan does not request the budget of an app that is in the foreground for less than this.
    static let restMs: Int64 = 1_000
    /// The interval of requests while the countdown is visible, because counting can stop, or continue on another machine.
    static let requestIntervalMs: Int64 = 60_000
    /// The interval of requests while no limit is near, because limits may be added at any time.
    static let idleRequestIntervalMs: Int64 = 300_000
    /// The time after which a request without a reply is repeated.
    static let replyTimeoutMs: Int64 = 15_000

    struct View: Sendable, Equatable {
        enum Remaining: Sendable, Equatable {
            case minutes(Int64)
            case seconds(Int64)
        }

        var app: String
        var name: String
        var remaining: Remaining
    }

    private let isEnabled: Bool
    private var foreground: (app: String, name: String, sinceBootMs: Int64)?
    private var isPresent = true
    private var shieldedApps: Set<String> = []
    /// The boot time at which the budget of the foreground app is used up. `nil` if no such moment is known.
    private var crossingBootMs: Int64?
    private var nextRequestBootMs: Int64?
    private var pendingRequest: (ticket: Int64, bootMs: Int64)?
    private var lastRequestBootMs: Int64 = 0
    private var tickets: Int64 = 0

    init(isOn: Bool) { self.isEnabled = isOn }

    mutating func setForeground(_ app: String?, name: String?, atBootMs bootMs: Int64) {
        guard isEnabled else { return }
        guard foreground?.app != app else {
            if let app, let name { foreground?.name = name.isEmpty ? app : name }
            return
        }
        foreground = app.map { ($0, name ?? $0, bootMs) }
        resetRequest(askAt: app == nil ? nil : bootMs + Self.restMs)
    }

    /// Sets if a person is active. Idle, locked and away are the same for this plan: no usage counts, so no time runs down.
    mutating func setPresent(_ isThere: Bool, atBootMs bootMs: Int64) {
        guard isEnabled, self.isPresent != isThere else { return }
        self.isPresent = isThere
        resetRequest(askAt: isThere && foreground != nil ? bootMs + Self.restMs : nil)
    }

    mutating func setShieldedApps(_ apps: Set<String>, atBootMs bootMs: Int64) {
        guard isEnabled, apps != shieldedApps else { return }
        let was = isShielded
        shieldedApps = apps
        if was != isShielded { resetRequest(askAt: bootMs + Self.restMs) }
    }

    /// Requests the budget again, because more time was granted or a rule changed. The previous value remains visible until the
    /// reply arrives.
    mutating func invalidate(atBootMs bootMs: Int64) {
        guard isEnabled, foreground != nil else { return }
        pendingRequest = nil
        // The plan sends at most one request a second, regardless of the number of changes.
        nextRequestBootMs = max(bootMs, lastRequestBootMs + Self.restMs)
    }

    /// Receives a reply. `crossing` is nil if the app uses up no budget that ends in a shield.
    mutating func receiveReply(_ ticket: Int64, crossingBootMs crossing: Int64?, nowBootMs: Int64) {
        guard pendingRequest?.ticket == ticket else { return }
        pendingRequest = nil
        crossingBootMs = crossing
        guard let crossing, crossing > nowBootMs else {
            crossingBootMs = nil
            nextRequestBootMs = nowBootMs + Self.idleRequestIntervalMs
            return
        }
        let showsFrom = crossing - Self.thresholdMs
        nextRequestBootMs =
            showsFrom > nowBootMs
            ? max(nowBootMs + Self.restMs, min(showsFrom, nowBootMs + Self.idleRequestIntervalMs))
            : nowBootMs + Self.requestIntervalMs
    }

    /// Returns the request that is due, and marks it as sent.
    mutating func takeRequest(_ nowBootMs: Int64) -> (app: String, ticket: Int64)? {
        if let pendingRequest, nowBootMs - pendingRequest.bootMs >= Self.replyTimeoutMs {
            self.pendingRequest = nil
        }
        guard isEnabled, isPresent, !isShielded, let foreground, pendingRequest == nil,
            let dueMs = nextRequestBootMs,
            nowBootMs >= dueMs
        else {
            return nil
        }
        tickets += 1
        pendingRequest = (tickets, nowBootMs)
        lastRequestBootMs = nowBootMs
        nextRequestBootMs = nowBootMs + Self.replyTimeoutMs
        return (foreground.app, tickets)
    }

    func view(_ nowBootMs: Int64) -> View? {
        guard let foreground, let leftMs = remainingMs(nowBootMs) else { return nil }
        let left: View.Remaining =
            leftMs > Self.lastMs
            ? .minutes((leftMs + 59_999) / 60_000) : .seconds((leftMs + 999) / 1_000)
        return View(app: foreground.app, name: foreground.name, remaining: left)
    }

    /// The boot time at which the plan must be evaluated even if no event arrives.
    func nextBootMs(_ nowBootMs: Int64) -> Int64? {
        guard isEnabled, isPresent, !isShielded, foreground != nil else { return nil }
        var moments = [nextRequestBootMs].compactMap { $0 }
        if let crossing = crossingBootMs {
            if let leftMs = remainingMs(nowBootMs) {
                let unit: Int64 = leftMs > Self.lastMs ? 60_000 : 1_000
                moments.append(crossing - (leftMs - 1) / unit * unit)
            } else if crossing - Self.thresholdMs > nowBootMs {
                moments.append(crossing - Self.thresholdMs)
            }
        }
        return moments.min().map { max($0, nowBootMs) }
    }

    private var isShielded: Bool { foreground.map { shieldedApps.contains($0.app) } ?? false }

    private func remainingMs(_ nowBootMs: Int64) -> Int64? {
        guard isPresent, !isShielded, let crossing = crossingBootMs else { return nil }
        let leftMs = crossing - nowBootMs
        return leftMs > 0 && leftMs <= Self.thresholdMs ? leftMs : nil
    }

    private mutating func resetRequest(askAt bootMs: Int64?) {
        crossingBootMs = nil
        pendingRequest = nil
        nextRequestBootMs = bootMs
    }
}

/// The moment at which the next limit that ends in a shield is used up, according to activity-center.
package enum BudgetReading {
    /// Returns a boot time, or nil if the foreground app uses up no such limit.
    package static func crossing(rules: [RuleView], _ explained: [ExplainedActivity]) -> Int64? {
        explained.compactMap { activity in
            let id = BuiltInRules.rule(watching: activity.activity.activity)
            guard activity.isOngoing, let rule = rules.first(where: { $0.id == id }) else {
                return nil
            }
            return activity.events.compactMap { crossing($0, warnMs: rule.rule.warnMs) }.min()
        }.min()
    }

    /// Returns the boot time of the threshold itself. The next crossing may be the warning, which comes `warnMs` before
    /// the threshold.
    private static func crossing(_ event: ExplainEvent, warnMs: Int64?) -> Int64? {
        guard event.event == BuiltInRules.usedEvent, !event.reached, let next = event.nextCrossingBootMs
        else {
            return nil
        }
        guard !event.warned, let warnMs, warnMs > 0, warnMs < event.thresholdMs else { return next }
        // If the moment of the warning is over and no warning was due, the next crossing is the threshold itself.
        return next + min(warnMs, event.leftMs)
    }
}
