package import STContracts
package import STEngine
package import STPlatform

/// The next request to activity-center, so that it watches what the rules need.
package enum RuleWatchStep: Sendable, Equatable {
    case start(ActivityStart.Request, key: String)
    case stop(ActivityStop.Request)
}

/// What activity-center answered.
package enum RuleWatched: Sendable {
    /// The problem: why activity-center refused it.
    case started(ActivityStart.Request, Problem?)
    case stopped(ActivityStop.Request)
}

/// What a callback of a rule asks for.
package struct RuleDelivered: Sendable {
    package var posts: [NotifyPost.Request] = []
    /// The shields that go up or come down.
    package var shields: [RuleShieldAsk] = []
}

/// The next notice from a pause that is over.
package struct RuleHeld: Sendable, Equatable {
    package var rule: String?
    package var post: NotifyPost.Request?
    /// Whether it is still worth posting.
    package var isCurrent = false
    /// When the next pause ends that holds back a notice.
    package var nextWallMs: Int64?
}

/// An activity that activity-center says is under way.
package struct RuleUnderWay: Sendable, Equatable {
    package var member: String
    package var activity: String
    package var interval: IntervalSpan
    /// The threshold that was reached; nil when it was not.
    package var reachedMs: Int64?

    package init(member: String, activity: String, interval: IntervalSpan, reachedMs: Int64? = nil) {
        self.member = member
        self.activity = activity
        self.interval = interval
        self.reachedMs = reachedMs
    }
}

/// A waiting change that can no longer be made.
package struct DroppedChange: Sendable {
    package var rule: String
    package var problem: Problem
}

/// What monitor-runner does by itself for its rules.
package enum RuleSteps {
    package static func nextWatch(_ state: MonitorState) -> RuleWatchStep? {
        switch state.rules.nextStep {
        case .start(let request, let key): .start(request, key: key)
        case .stop(let place):
            .stop(.init(app: BuiltInRules.app, member: place.member, activities: [place.activity]))
        case nil: nil
        }
    }

    package static func take(_ watched: RuleWatched, _ state: inout MonitorState, _ change: StoreTransaction)
        throws
    {
        try state.changeRules(change) { book in
            switch watched {
            case .started(let start, let problem):
                guard let member = start.member else { return }
                let place = RuleBook.Place(member: member, activity: start.activity)
                book.watches[place] = RuleBook.Watch(request: start, problem: problem)
            case .stopped(let stop):
                guard let member = stop.member else { return }
                for activity in stop.activities {
                    book.watches[RuleBook.Place(member: member, activity: activity)] = nil
                }
            }
        }
    }

    /// Compares what activity-center watches with what it should watch.
    package static func compare(
        _ actual: [ActivityView],
        _ state: inout MonitorState,
        _ change: StoreTransaction
    ) throws {
        try state.changeRules(change) { book in
            book.compare(with: actual)
            book.checkClosed(with: actual, nowMs: change.now.wallMs)
        }
    }

    /// Takes up what is under way and had no callback.
    package static func open(_ found: [RuleUnderWay], _ state: inout MonitorState, _ change: StoreTransaction)
        throws
    {
        try state.changeRules(change) { book in
            for item in found { book.open(item) }
            book.settleShields(nowMs: change.now.wallMs)
        }
    }

    // MARK: - Callbacks

    /// The same delivery always gives the same result.
    package static func deliver(
        _ delivery: String,
        _ occurrence: ActivityOccurrence,
        _ state: inout MonitorState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> RuleDelivered {
        // The rule may have been removed while its callback was on the way.
        guard let rule = state.rules.rule(watching: occurrence.activity) else { return RuleDelivered() }
        var outcome = RuleOutcome(rule, occurrence, delivery: delivery, state.rules.words)
        if occurrence.occasion == .thresholdReached {
            outcome.rule.beginBreak(occurrence, delivery: delivery, change.now, bootID: context.bootID)
        } else if occurrence.occasion == .thresholdReturned, rule.spec.kind == .break {
            outcome.rule.endBreak()
        }
        try state.changeRules(change) { book in
            book.rules[rule.id] = outcome.rule
            book.settleShields(nowMs: change.now.wallMs, only: rule, cause: delivery)
        }
        let asks = state.rules.openShields().filter { $0.cause == delivery }
        return RuleDelivered(posts: outcome.posts, shields: asks)
    }

    package static func held(_ state: MonitorState, nowMs: Int64) -> RuleHeld {
        let holding = state.rules.sorted { !$0.held.isEmpty }
        let next = holding.filter { $0.isPaused(nowMs: nowMs) }.compactMap(\.pausedUntilMs).min()
        guard let rule = holding.first(where: { !$0.isPaused(nowMs: nowMs) }), let held = rule.held.first
        else { return RuleHeld(nextWallMs: next) }
        return RuleHeld(
            rule: rule.id,
            post: held.post,
            isCurrent: nowMs < held.untilMs,
            nextWallMs: next
        )
    }

    /// Forgets a notice after it was posted, or when it is out of date.
    package static func letGo(
        rule: String,
        id: String,
        _ state: inout MonitorState,
        _ change: StoreTransaction
    ) throws {
        try state.changeRules(change) { $0.rules[rule]?.held.removeAll { $0.post.id == id } }
    }

    // MARK: - Changes that wait

    package static func waitingDue(_ state: MonitorState, _ context: RequestContext) -> DueMoments {
        RuleWaiting.due(state.rules, bootID: context.bootID)
    }

    /// Makes the changes whose moment has come; returns those that can no longer be made.
    package static func applyWaiting(
        _ state: inout MonitorState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> [DroppedChange] {
        try state.changeRules(change) { book in
            let dropped = RuleWaiting.apply(context, in: &book)
            book.settleShields(nowMs: change.now.wallMs, cause: change.cause)
            return dropped
        }
    }
}

/// What a callback does to a rule: the notifications to post, and what the rule remembers.
///
/// Pure: the same delivery gives the same outcome, so it may be tried again.
package struct RuleOutcome: Sendable, Equatable {
    package var rule: Rule
    package var posts: [NotifyPost.Request] = []

    /// A long pause keeps only the last few notices.
    static let heldMax = 20

    init(_ rule: Rule, _ occurrence: ActivityOccurrence, delivery: String, _ words: NoticeWords) {
        self.rule = rule
        if rule.spec.kind == .goal, occurrence.occasion == .thresholdReached,
            RuleClosing.isReached(occurrence, rule)
        {
            self.rule.metStartMs = occurrence.interval.startWallMs
        }
        if occurrence.occasion == .thresholdReturned, occurrence.event == BuiltInRules.usedEvent,
            rule.metStartMs == occurrence.interval.startWallMs
        {
            self.rule.metStartMs = nil
        }
        let closed = RuleClosing.after(occurrence, rule, delivery: delivery)
        self.rule.closed = closed.isEmpty ? nil : closed
        guard let notice = RuleNotice.of(rule, occurrence, words) else { return }
        let post = NotifyPost.Request(
            app: BuiltInRules.app,
            member: occurrence.member,
            id: delivery,
            title: notice.title,
            body: notice.body,
            cause: delivery
        )
        // By the moment of the event and not of the attempt, so that a retry changes nothing.
        guard rule.isPaused(atWallMs: occurrence.dueWallMs) else {
            posts = [post]
            return
        }
        guard notice.isLasting, !rule.held.contains(where: { $0.post.id == delivery }) else { return }
        self.rule.held.append(HeldNotice(post: post, untilMs: occurrence.interval.endWallMs))
        if self.rule.held.count > Self.heldMax { self.rule.held.removeFirst() }
    }
}
