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

/// The next notice to post.
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

    // MARK: - Occurrences

    /// Applies an occurrence of an activity to its rule.
    ///
    /// `delivery` is the id that shields and notices record as their cause.
    static func apply(
        _ occurrence: ActivityOccurrence,
        delivery: String,
        _ state: inout MonitorState,
        _ change: StoreTransaction
    ) throws {
        // The rule may have been removed since the event was published.
        guard let rule = state.rules.rule(watching: occurrence.activity) else { return }
        var changed = RuleOutcome.apply(
            occurrence,
            delivery: delivery,
            to: rule,
            nowMs: change.now.wallMs,
            state.rules.words
        )
        if occurrence.occasion == .thresholdReached {
            changed.beginBreak(occurrence, delivery: delivery, change.now, bootID: change.bootID)
        } else if occurrence.occasion == .thresholdReturned, rule.spec.kind == .break {
            changed.endBreak()
        }
        try state.changeRules(change) { book in
            book.rules[rule.id] = changed
            book.settleShields(nowMs: change.now.wallMs, only: rule, cause: delivery)
        }
    }

    // MARK: - Time

    /// The work that is due because time has passed.
    package static func due(_ state: MonitorState, nowMs: Int64) -> RuleDue {
        let book = state.rules
        var settled = book
        settled.settleShields(nowMs: nowMs)
        return RuleDue(
            mustSettle: settled.shields != book.shields,
            mustCheck: book.nextCheckMs.map { $0 <= nowMs } ?? false,
            nextWallMs: [book.nextShieldMs(afterMs: nowMs), book.nextCheckMs].compactMap(\.self).min()
        )
    }

    /// Updates the decisions of all rules, and publishes those that differ.
    package static func settle(_ state: inout MonitorState, _ change: StoreTransaction) throws {
        try state.changeRules(change) { $0.settleShields(nowMs: change.now.wallMs) }
    }

    package static func held(_ state: MonitorState, nowMs: Int64) -> RuleHeld {
        let holding = state.rules.sorted { !$0.held.isEmpty }
        let next = holding.filter { $0.isPaused(nowMs: nowMs) }.compactMap(\.pausedUntilMs).min()
        // An id begins with the time of its event, so the oldest notice has the smallest id.
        let due = holding.filter { !$0.isPaused(nowMs: nowMs) }
        guard let rule = due.min(by: { $0.held[0].post.id < $1.held[0].post.id }), let held = rule.held.first
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

/// The effect of an occurrence of an activity on its rule.
///
/// Pure: the result depends only on the parameters.
enum RuleOutcome {
    /// A long pause keeps only the last few notices.
    static let heldMax = 20
    /// How long a notice stays valid while notifier does not run. After that it is discarded.
    static let postableMs: Int64 = 3_600_000

    static func apply(
        _ occurrence: ActivityOccurrence,
        delivery: String,
        to old: Rule,
        nowMs: Int64,
        _ words: NoticeWords
    ) -> Rule {
        var rule = old
        let startMs = occurrence.interval.startWallMs
        if rule.spec.kind == .goal, occurrence.occasion == .thresholdReached,
            RuleClosing.isReached(occurrence, rule)
        {
            rule.metStartMs = startMs
        }
        if occurrence.occasion == .thresholdReturned, occurrence.event == BuiltInRules.usedEvent,
            rule.metStartMs == startMs
        {
            rule.metStartMs = nil
        }
        let closed = RuleClosing.after(occurrence, old, delivery: delivery)
        rule.closed = closed.isEmpty ? nil : closed
        guard let notice = RuleNotice.of(old, occurrence, words),
            !rule.held.contains(where: { $0.post.id == delivery })
        else { return rule }
        let post = NotifyPost.Request(
            app: BuiltInRules.app,
            member: occurrence.member,
            id: delivery,
            title: notice.title,
            body: notice.body,
            cause: delivery
        )
        let isPaused = old.isPaused(atWallMs: occurrence.dueWallMs)
        guard !isPaused || notice.isLasting else { return rule }
        rule.held.append(
            HeldNotice(
                post: post,
                untilMs: isPaused ? occurrence.interval.endWallMs : nowMs + Self.postableMs
            )
        )
        if rule.held.count > Self.heldMax { rule.held.removeFirst() }
        return rule
    }
}

/// The work that is due because time has passed.
package struct RuleDue: Sendable, Equatable {
    /// True if decisions must be updated, for example because a pause has ended.
    package var mustSettle: Bool
    /// True if the end of an interval is overdue, so that RuleKeeper must query activity-center.
    package var mustCheck: Bool
    package var nextWallMs: Int64?
}
