package import STContracts
package import STPlatform

/// The countdown of the foreground app, which appears if little time is left.
///
/// The text changes once a minute until the last minute, then once a second. No timer is set while nothing is shown and no
/// limit is near.
struct BudgetCountdown: Sendable {
    /// The remaining time below which the countdown appears.
    static let threshold: Duration = .seconds(600)
    static let lastMinute: Duration = .seconds(60)
    /// The plan does not request the budget of an app that is in the foreground for less than this.
    static let rest: Duration = .seconds(1)
    /// The interval of requests while the countdown is visible, because counting can stop, or continue on another machine.
    static let requestInterval: Duration = .seconds(60)
    /// The interval of requests while no limit is near, because limits may be added at any time.
    static let idleRequestInterval: Duration = .seconds(300)
    /// The time after which a request without a reply is repeated.
    static let replyTimeout: Duration = .seconds(15)

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
    private var foreground: (app: String, name: String, since: BootTime)?
    private var isPresent = true
    private var shieldedApps: Set<String> = []
    /// The boot time at which the budget of the foreground app is used up. `nil` if no such moment is known.
    private var crossing: BootTime?
    private var nextRequest: BootTime?
    private var pendingRequest: (ticket: Int64, at: BootTime)?
    private var lastRequest = BootTime(ms: 0)
    private var tickets: Int64 = 0

    init(isOn: Bool) { self.isEnabled = isOn }

    mutating func setForeground(_ app: String?, name: String?, at now: BootTime) {
        guard isEnabled else { return }
        guard foreground?.app != app else {
            if let app, let name { foreground?.name = name.isEmpty ? app : name }
            return
        }
        foreground = app.map { ($0, name ?? $0, now) }
        resetRequest(askAt: app == nil ? nil : now + Self.rest)
    }

    /// Sets if a person is active. Idle, locked and away are the same for this plan: no usage counts, so no time runs down.
    mutating func setPresent(_ isThere: Bool, at now: BootTime) {
        guard isEnabled, self.isPresent != isThere else { return }
        self.isPresent = isThere
        resetRequest(askAt: isThere && foreground != nil ? now + Self.rest : nil)
    }

    mutating func setShieldedApps(_ apps: Set<String>, at now: BootTime) {
        guard isEnabled, apps != shieldedApps else { return }
        let was = isShielded
        shieldedApps = apps
        if was != isShielded { resetRequest(askAt: now + Self.rest) }
    }

    /// Requests the budget again, because more time was granted or a rule changed. The previous value remains visible until the
    /// reply arrives.
    mutating func invalidate(at now: BootTime) {
        guard isEnabled, foreground != nil else { return }
        pendingRequest = nil
        // The plan sends at most one request a second, regardless of the number of changes.
        nextRequest = max(now, lastRequest + Self.rest)
    }

    /// Receives a reply. `crossing` is nil if the app uses up no budget that ends in a shield.
    mutating func receiveReply(_ ticket: Int64, crossing: BootTime?, now: BootTime) {
        guard pendingRequest?.ticket == ticket else { return }
        pendingRequest = nil
        self.crossing = crossing
        guard let crossing, crossing > now else {
            self.crossing = nil
            nextRequest = now + Self.idleRequestInterval
            return
        }
        let showsFrom = crossing - Self.threshold
        nextRequest =
            showsFrom > now
            ? max(now + Self.rest, min(showsFrom, now + Self.idleRequestInterval))
            : now + Self.requestInterval
    }

    /// Returns the request that is due, and marks it as sent.
    mutating func takeRequest(_ now: BootTime) -> (app: String, ticket: Int64)? {
        if let pendingRequest, now - pendingRequest.at >= Self.replyTimeout {
            self.pendingRequest = nil
        }
        guard isEnabled, isPresent, !isShielded, let foreground, pendingRequest == nil,
            let due = nextRequest,
            now >= due
        else {
            return nil
        }
        tickets += 1
        pendingRequest = (tickets, now)
        lastRequest = now
        nextRequest = now + Self.replyTimeout
        return (foreground.app, tickets)
    }

    func view(_ now: BootTime) -> View? {
        guard let foreground, let remaining = remaining(now) else { return nil }
        let left: View.Remaining =
            remaining > Self.lastMinute
            ? .minutes((remaining.ms + 59_999) / 60_000) : .seconds((remaining.ms + 999) / 1_000)
        return View(app: foreground.app, name: foreground.name, remaining: left)
    }

    /// The boot time at which the plan must be evaluated even if no event arrives.
    func nextDue(_ now: BootTime) -> BootTime? {
        guard isEnabled, isPresent, !isShielded, foreground != nil else { return nil }
        var moments = [nextRequest].compactMap { $0 }
        if let crossing {
            if let remaining = remaining(now) {
                let unit: Int64 = remaining > Self.lastMinute ? 60_000 : 1_000
                moments.append(crossing - .milliseconds((remaining.ms - 1) / unit * unit))
            } else if crossing - Self.threshold > now {
                moments.append(crossing - Self.threshold)
            }
        }
        return moments.min().map { max($0, now) }
    }

    private var isShielded: Bool { foreground.map { shieldedApps.contains($0.app) } ?? false }

    private func remaining(_ now: BootTime) -> Duration? {
        guard isPresent, !isShielded, let crossing else { return nil }
        let left = crossing - now
        return left > .zero && left <= Self.threshold ? left : nil
    }

    private mutating func resetRequest(askAt moment: BootTime?) {
        crossing = nil
        pendingRequest = nil
        nextRequest = moment
    }
}

/// The moment at which the next limit that ends in a shield is used up, according to activity-center.
package enum BudgetReading {
    /// Returns a boot time, or nil if the foreground app uses up no such limit.
    package static func crossing(rules: [RuleView], _ explained: [ExplainedActivity]) -> BootTime? {
        explained.compactMap { activity in
            let id = BuiltInRules.rule(watching: activity.activity.activity)
            guard activity.isOngoing, let rule = rules.first(where: { $0.id == id }) else {
                return nil
            }
            return activity.events.compactMap {
                crossing($0, warning: rule.rule.warnMs.map { .milliseconds($0) })
            }.min()
        }.min()
    }

    /// Returns the boot time of the threshold itself. The next crossing may be the warning, which comes `warning` before
    /// the threshold.
    private static func crossing(_ event: ExplainEvent, warning: Duration?) -> BootTime? {
        guard event.event == BuiltInRules.usedEvent, !event.reached,
            let next = event.nextCrossingBootMs.map(BootTime.init(ms:))
        else {
            return nil
        }
        guard !event.warned, let warning, warning > .zero, warning.ms < event.thresholdMs else { return next }
        // If the moment of the warning is over and no warning was due, the next crossing is the threshold itself.
        return next + min(warning, .milliseconds(event.leftMs))
    }
}
