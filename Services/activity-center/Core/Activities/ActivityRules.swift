import STContracts
import STDomain
package import STEngine
import STFollowing
import STPlatform
import STStore

/// Starts and stops activities, advances their clock, publishes due occurrences, and applies those of rules to the rules.
package enum ActivityRules {
    /// Advances the book to the present time, and publishes the due occurrences. Requests that change usage or activities begin
    /// with it.
    ///
    /// The zone is read only if `looksAtZone` is true and not at every observation, because it is read from the disk.
    static func advance(
        _ state: inout ActivityState,
        context: RequestContext,
        change: StoreTransaction,
        looksAtZone: Bool = false
    ) throws {
        guard !state.activities.activities.isEmpty else { return }
        let known = looksAtZone ? nil : state.activities.clock?.zone
        let moment = ZonedReading(
            reading: change.now,
            bootId: context.bootID,
            zone: known ?? context.zone
        )
        let oldZone = state.activities.clock?.zone
        let due = state.activities.advance(to: moment)
        try publish(due, state: &state, change: change)
        try removeFinished(&state, change)
        // In another zone an interval ends at another moment. No occurrence reports this change.
        if oldZone != moment.zone { try RuleSteps.correctIntervals(&state, change) }
    }

    /// Runs when an event may be due. Returns the next due moment, and the waiting changes that can no longer be applied.
    package static func tick(
        _ state: inout ActivityState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> (due: ActivityState.NextDue, dropped: [DroppedChange]) {
        try advance(&state, context: context, change: change, looksAtZone: true)
        let dropped = try RuleSteps.applyDue(&state, context: context, change: change)
        return (state.nextDue(bootID: context.bootID), dropped)
    }

    /// Counts usage, and publishes the occurrences that it causes.
    static func count(_ stretch: UsageInterval, state: inout ActivityState, change: StoreTransaction) throws {
        let beside = try concurrentIntervals(stretch, state: state, database: change.database)
        let due = state.activities.count(stretch, beside: beside)
        try publish(due, state: &state, change: change)
    }

    /// Takes back counted usage, and publishes the thresholds that are no longer reached.
    static func retract(_ stretch: UsageInterval, state: inout ActivityState, change: StoreTransaction) throws
    {
        let beside = try concurrentIntervals(stretch, state: state, database: change.database)
        let due = state.activities.retract(stretch, beside: beside)
        try publish(due, state: &state, change: change)
    }

    /// Returns the counted usage of other machines at the same time, if a rule counts simultaneous time once.
    private static func concurrentIntervals(
        _ stretch: UsageInterval,
        state: ActivityState,
        database: Database
    ) throws
        -> [UsageInterval]
    {
        guard stretch.presence == .active, !state.devices.isEmpty, state.activities.countsOnce(stretch.member)
        else { return [] }
        return try PastUsage.recordedUsage(
            of: stretch.member,
            from: stretch.fromWall,
            to: stretch.endWall,
            state,
            database
        )
        .filter { $0.device != stretch.device }
    }

    /// Publishes occurrences. Applies an occurrence of a rule to the rule in the same transaction.
    static func publish(_ due: [DueOccurrence], state: inout ActivityState, change: StoreTransaction) throws {
        for occurrence in due {
            guard let event = try emit(occurrence, change), occurrence.key.app == BuiltInRules.app
            else { continue }
            try RuleSteps.apply(occurrence.body, event: event.header, state: &state, change: change)
        }
    }

    private static func emit(_ occurrence: DueOccurrence, _ change: StoreTransaction) throws -> WireEvent? {
        let subject = occurrence.key.text + (occurrence.event.map { "/\($0)" } ?? "")
        let body = occurrence.body
        return switch occurrence.occasion {
        case .intervalStarted: try change.emit(IntervalStarted.self, subject: subject, body)
        case .intervalEnded: try change.emit(IntervalEnded.self, subject: subject, body)
        case .intervalWillStart: try change.emit(IntervalWillStart.self, subject: subject, body)
        case .intervalWillEnd: try change.emit(IntervalWillEnd.self, subject: subject, body)
        case .thresholdReached: try change.emit(ThresholdReached.self, subject: subject, body)
        case .thresholdWarning: try change.emit(ThresholdWarning.self, subject: subject, body)
        case .thresholdReturned: try change.emit(ThresholdReturned.self, subject: subject, body)
        case .unknown: nil
        }
    }

    private static func removeFinished(_ state: inout ActivityState, _ change: StoreTransaction) throws {
        for key in state.activities.removeFinished() {
            try publishStopped(key, reason: .ended, change: change)
        }
    }

    private static func publishStopped(_ key: ActivityKey, reason: StopReason, change: StoreTransaction)
        throws
    {
        try change.emit(
            MonitoringStopped.self,
            subject: "monitoring/\(key.text)",
            ActivityStopped(app: key.app, member: key.member, activity: key.activity, reason: reason)
        )
    }

    // MARK: - Routes

    static func start(
        _ request: ActivityStart.Request,
        checked: AuthCheck.Reply?,
        state: inout ActivityState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> ActivityStart.Reply {
        try refuseRules(request.app)
        let member = try member(of: request, checked, state)
        try advance(&state, context: context, change: change, looksAtZone: true)
        return try start(
            request,
            of: member,
            permission: checked,
            state: &state,
            context: context,
            change: change
        )
    }

    /// Refuses requests for the activities of rules. Only the rules start and stop these activities.
    private static func refuseRules(_ app: String) throws {
        guard app == BuiltInRules.app else { return }
        throw Problem(
            "activity.of_rules",
            "The activities of \(app, "app") belong to rules. Add, change or remove the rule instead.",
            field: "/app",
            help: "screentime rule list"
        )
    }

    /// Starts an activity now. The caller must have advanced the book to this moment.
    static func start(
        _ request: ActivityStart.Request,
        of member: String,
        permission checked: AuthCheck.Reply?,
        state: inout ActivityState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> ActivityStart.Reply {
        let limits = state.limits
        let zone = context.zone
        let key = ActivityKey(app: request.app, member: member, activity: request.activity)
        try ActivityCheck.checkName(request.app, "/app")
        try ActivityCheck.checkName(request.activity, "/activity")
        try ActivityCheck.checkRoom(for: key, in: state.activities, limits)
        let reading = try request.schedule.check(
            limits: limits.schedule,
            nowMs: change.now.wallMs,
            zone: zone
        )
        let warning = reading.warningMs.map { Duration.milliseconds($0) }
        let events = try ActivityCheck.checkedEvents(request.events, checked, warning: warning)
        let moment = ZonedReading(reading: change.now, bootId: context.bootID, zone: zone)
        var activity = WatchedActivity(
            key: key,
            schedule: request.schedule,
            events: events,
            mode: try request.mode?.required("/mode") ?? limits.mode,
            warning: warning,
            understood: reading.text,
            from: change.now.boot,
            fromBootId: context.bootID,
            faults: key.app == BuiltInRules.app ? [] : limits.faults
        )
        let past = try PastUsage.intervals(for: activity, at: moment, state, change.database)
        let due = state.activities.add(activity, at: moment, past: past)
        activity = state.activities[key] ?? activity
        try change.emit(
            MonitoringStarted.self,
            subject: "monitoring/\(key.text)",
            ActivityStarted(activity: ActivityViews.view(activity, now: change.now.wall))
        )
        try publish(due, state: &state, change: change)
        return ActivityStart.Reply(
            activity: ActivityViews.view(activity, now: change.now.wall),
            notes: ActivityViews.notes(reading, events)
        )
    }

    private static func member(
        of request: ActivityStart.Request,
        _ checked: AuthCheck.Reply?,
        _ state: ActivityState
    ) throws -> String {
        if let checked {
            let word = checked.authorization
            guard word.status == .approved, word.access else {
                throw Problem(
                    "activity.unauthorized",
                    """
                    \(word.member, "member") has not allowed \(request.app, "app") to monitor usage. Request \
                    permission first.
                    """,
                    field: "/app",
                    help: "screentime app access \(request.app) on"
                )
            }
            return word.member
        }
        return try state.household.member(request.member)
    }

    static func stop(
        _ request: ActivityStop.Request,
        state: inout ActivityState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> ActivityStop.Reply {
        try refuseRules(request.app)
        try advance(&state, context: context, change: change)
        let member = request.member ?? state.household.owner
        let asked = state.activities.all(ofApp: request.app, member: member).map(\.key).filter {
            request.activities.isEmpty || request.activities.contains($0.activity)
        }
        for key in asked {
            try end(key, reason: .asked, note: stoppedNote, state: &state, change: change)
        }
        return ActivityStop.Reply(stopped: asked.map(\.activity))
    }

    /// Removes the activities of an app that lost its permission or was removed. Publishes no end of an interval, because the app
    /// must not be called any more.
    static func stopAll(
        app: String,
        member: String?,
        _ reason: StopReason,
        state: inout ActivityState,
        change: StoreTransaction
    ) throws {
        for activity in state.activities.all(ofApp: app, member: member) {
            state.activities.remove(activity.key)
            try publishStopped(activity.key, reason: reason, change: change)
        }
    }

    static let stoppedNote = Message("evidence.stopped", "Monitoring was stopped.")

    static func end(
        _ key: ActivityKey,
        reason: StopReason,
        note: Message,
        state: inout ActivityState,
        change: StoreTransaction
    ) throws {
        guard let activity = state.activities.remove(key) else { return }
        try publish(activity.held ?? [], state: &state, change: change)
        if activity.mode == .wallClock || !activity.owesStart, let current = activity.current {
            try publish(
                [activity.occurrence(.intervalEnded, current, at: change.now.wall, note: note)],
                state: &state,
                change: change
            )
        }
        try publishStopped(key, reason: reason, change: change)
    }
}
