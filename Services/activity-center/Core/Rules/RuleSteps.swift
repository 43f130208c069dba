package import STContracts
import STDomain
package import STEngine
package import STPlatform

/// The next notice to post.
package struct NextRuleNotice: Sendable, Equatable {
    package var rule: String?
    package var post: NotifyPost.Request?
    /// True if the notice is not out of date.
    package var isCurrent = false
    /// The end of the next pause that delays a notice.
    package var next: WallTime?
}

/// A waiting change that can no longer be applied.
package struct DroppedChange: Sendable {
    package var rule: String
    package var problem: Problem
}

/// Changes of rules that no person makes directly: by occurrences, by time, and by the removal of a member.
package enum RuleSteps {
    /// Applies an occurrence of an activity to its rule, in the transaction that publishes the occurrence.
    ///
    /// `event`: the header of the event. Shields and notices record its id as their cause.
    static func apply(
        _ occurrence: ActivityOccurrence,
        event: EventHeader,
        state: inout ActivityState,
        change: StoreTransaction
    ) throws {
        // If a rule has been removed, the end of its activity is an occurrence without a rule.
        guard let rule = state.rules.rule(watching: occurrence.activity) else { return }
        var changed = RuleOutcome.apply(
            occurrence,
            event: event,
            to: rule,
            now: change.now.wall,
            state.noticeStrings
        )
        if occurrence.occasion == .thresholdReached {
            changed.beginBreak(occurrence, delivery: event.id, change.now, bootID: change.bootID)
        } else if occurrence.occasion == .thresholdReturned, rule.spec.kind == .break {
            changed.endBreak()
        }
        // Most occurrences change nothing, for example the beginnings of all days at midnight.
        guard changed != rule else { return }
        try state.changeRules(change, of: [rule.id]) { book in
            book.rules[rule.id] = changed
            book.updateShields(now: change.now.wall, of: [rule.id], cause: event.id)
        }
    }

    // MARK: - Watching

    /// Starts and stops the activities of the rules in `uncheckedRules`. Then updates the decisions of these rules.
    static func reconcile(
        _ state: inout ActivityState,
        context: RequestContext,
        change: StoreTransaction
    ) throws {
        if state.rules.nextStep(of: state.uncheckedRules) != nil {
            try ActivityRules.advance(&state, context: context, change: change, looksAtZone: true)
        }
        while let step = state.rules.nextStep(of: state.uncheckedRules) {
            switch step {
            case .start(let request):
                // RulePlan always sets the member.
                guard let member = request.member else { return }
                let place = RuleState.Place(member: member, activity: request.activity)
                var refusal: Problem?
                do {
                    _ = try ActivityRules.start(
                        request,
                        of: member,
                        permission: nil,
                        state: &state,
                        context: context,
                        change: change
                    )
                    // Any other error, for example a full disk, aborts the transaction.
                } catch let problem as Problem where problem.code.hasPrefix("activity.") {
                    // The rule shows the problem until it is edited or the service restarts.
                    refusal = problem
                }
                state.rules.watches[place] = RuleState.Watch(request: request, problem: refusal)
            case .stop(let place): try stop(place, state: &state, change: change)
            }
        }
        try updateDecisions(&state, change)
        state.uncheckedRules = []
    }

    private static func stop(
        _ place: RuleState.Place,
        state: inout ActivityState,
        change: StoreTransaction
    ) throws {
        let key = ActivityKey(app: BuiltInRules.app, member: place.member, activity: place.activity)
        try ActivityRules.end(
            key,
            reason: .asked,
            note: ActivityRules.stoppedNote,
            state: &state,
            change: change
        )
        state.rules.watches[place] = nil
    }

    /// Updates the rules and their decisions to match the intervals under way.
    static func correctIntervals(_ state: inout ActivityState, _ change: StoreTransaction) throws {
        let activities = state.activities
        try state.changeRules(change) { $0.correctIntervals(by: activities, now: change.now.wall) }
        try updateDecisions(&state, change)
    }

    /// Starts the activities that the rules need, and compares the rules with the intervals under way. Runs once after each start.
    package static func started(
        _ state: inout ActivityState,
        context: RequestContext,
        change: StoreTransaction
    ) throws {
        // At the first start, monitor-runner may still have been creating its database.
        try RuleTables.copyFormerRules(&state, change)
        try ActivityRules.advance(&state, context: context, change: change, looksAtZone: true)
        try reconcile(&state, context: context, change: change)
        try correctIntervals(&state, change)
    }

    /// Removes the rules, delays and decisions of a removed member, and stops their activities.
    static func removeMember(_ member: String, state: inout ActivityState, change: StoreTransaction) throws {
        try state.changeRules(change) { $0.removeMember(member) }
        for place in state.rules.watches.keys where place.member == member {
            try stop(place, state: &state, change: change)
        }
    }

    // MARK: - Time

    /// Applies waiting changes that are due, ends pauses, sessions and breaks, and updates the decisions.
    ///
    /// Returns the waiting changes that can no longer be applied.
    static func applyDue(_ state: inout ActivityState, context: RequestContext, change: StoreTransaction)
        throws
        -> [DroppedChange]
    {
        var dropped: [DroppedChange] = []
        if ScheduledRuleChanges.due(state.rules, bootID: context.bootID).isDue(at: change.now) {
            dropped = try state.changeRules(change) { ScheduledRuleChanges.apply(context, in: &$0) }
        }
        // The decision of a paused rule also changes when a person sets the clock, so always check these rules.
        state.uncheckedRules?.formUnion(
            state.rules.rules.values.lazy.filter { $0.pauseEnds != nil }.map(\.id)
        )
        try reconcile(&state, context: context, change: change)
        if let check = state.rules.intervalCheck, check <= change.now.wall {
            try correctIntervals(&state, change)
        }
        return dropped
    }

    private static func updateDecisions(_ state: inout ActivityState, _ change: StoreTransaction) throws {
        let unchecked = state.uncheckedRules
        guard unchecked?.isEmpty != true else { return }
        try state.changeRules(change, of: unchecked) {
            $0.updateShields(now: change.now.wall, of: unchecked, cause: change.cause)
        }
    }

    // MARK: - Notices

    /// Returns the oldest notice of a rule that is not paused. `post` is nil if there is none.
    package static func nextNotice(_ state: ActivityState, now: WallTime) -> NextRuleNotice {
        let holding = state.rules.sorted { !$0.held.isEmpty }
        let next = holding.filter { $0.isPaused(now: now) }.compactMap(\.pausedUntil).min()
        let due = holding.filter { !$0.isPaused(now: now) }
        guard let rule = due.min(by: { $0.held[0].order < $1.held[0].order }), let held = rule.held.first
        else { return NextRuleNotice(next: next) }
        return NextRuleNotice(
            rule: rule.id,
            post: held.post,
            isCurrent: now.ms < held.untilMs,
            next: next
        )
    }

    /// Deletes a notice that was posted or is out of date.
    package static func removeNotice(
        rule: String,
        id: String,
        _ state: inout ActivityState,
        _ change: StoreTransaction
    ) throws {
        try state.changeRules(change, of: [rule]) { $0.rules[rule]?.held.removeAll { $0.post.id == id } }
    }
}

extension ActivityState {
    /// The strings of notices, with the current names of apps.
    var noticeStrings: NoticeStrings {
        var words = rules.strings
        words.apps = categories.map.desktop
        return words
    }

    /// Changes the rules, saves and publishes the differences, and adds them to the history.
    ///
    /// `ids`: the rules that `body` can change, or nil for all rules. `elsewhere`: the machine on which a person made the
    /// change, or nil for this machine.
    mutating func changeRules<Result>(
        _ change: StoreTransaction,
        of ids: Set<String>? = nil,
        by prover: String? = nil,
        elsewhere: String? = nil,
        _ body: (inout RuleState) throws -> Result
    ) throws -> Result {
        var book = rules
        book.strings = noticeStrings
        let result = try body(&book)
        book.strings.apps = rules.strings.apps
        if elsewhere == nil { book.sharing.recordChanges(prover, book, since: rules) }
        let difference = RuleDifference(from: rules, to: book, of: ids)
        try RuleTables.save(book, after: rules, difference: difference, database: change.database)
        for place in difference.places { try book.shields.publish(place, change) }
        for var line in RuleHistory.lines(
            from: rules,
            to: book,
            difference,
            by: prover,
            now: change.now.wall
        ) {
            if let elsewhere {
                line.why = RuleHistory.changed(on: elsewhere)
                line.by = line.weight == .loosened ? prover : nil
            }
            try history.append(change.stamped(line), change)
        }
        rules = book
        uncheckedRules?.formUnion(difference.rules)
        return result
    }
}

/// The effect of an occurrence of an activity on its rule.
///
/// Pure: the result depends only on the parameters.
enum RuleOutcome {
    /// Upper bound on the notices of one rule. A long pause keeps only the last ones.
    static let heldMax = 20
    /// Validity of a notice while notifier does not run. After that it is discarded.
    static let validity = Duration.seconds(3_600)

    static func apply(
        _ occurrence: ActivityOccurrence,
        event: EventHeader,
        to old: Rule,
        now: WallTime,
        _ words: NoticeStrings
    ) -> Rule {
        var rule = old
        let startMs = occurrence.interval.startWallMs
        if rule.spec.kind == .goal, occurrence.occasion == .thresholdReached,
            RuleClosure.isReached(occurrence, rule)
        {
            rule.metStartMs = startMs
        }
        if occurrence.occasion == .thresholdReturned, occurrence.event == BuiltInRules.usedEvent,
            rule.metStartMs == startMs
        {
            rule.metStartMs = nil
        }
        let closed = RuleClosure.after(occurrence, old, delivery: event.id)
        rule.closed = closed.isEmpty ? nil : closed
        guard let notice = RuleNotice.of(old, occurrence: occurrence, words: words),
            !rule.held.contains(where: { $0.post.id == event.id })
        else { return rule }
        let post = NotifyPost.Request(
            app: BuiltInRules.app,
            member: occurrence.member,
            id: event.id,
            title: notice.title,
            body: notice.body,
            cause: event.id
        )
        let isPaused = old.isPaused(at: WallTime(ms: occurrence.dueWallMs))
        guard !isPaused || notice.isLasting else { return rule }
        rule.held.append(
            HeldNotice(
                post: post,
                until: isPaused ? occurrence.interval.end : now + Self.validity,
                sequence: event.sequence
            )
        )
        if rule.held.count > Self.heldMax { rule.held.removeFirst() }
        return rule
    }
}
