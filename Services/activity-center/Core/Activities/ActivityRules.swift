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
        _ context: RequestContext,
        _ change: StoreTransaction,
        looksAtZone: Bool = false
    ) throws {
        guard !state.book.activities.isEmpty else { return }
        let known = looksAtZone ? nil : state.book.clock?.zone
        let moment = BookMoment(
            reading: change.now,
            bootId: context.bootID,
            zone: known ?? context.zone
        )
        let oldZone = state.book.clock?.zone
        let due = state.book.advance(to: moment)
        try tell(due, &state, change)
        try removeOver(&state, change)
        // In another zone an interval ends at another moment. No occurrence reports this change.
        if oldZone != moment.zone { try RuleSteps.correctIntervals(&state, change) }
    }

    /// Runs when an event may be due. Returns the next due moment, and the waiting changes that can no longer be applied.
    package static func tick(
        _ state: inout ActivityState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> (due: ActivityState.NextDue, dropped: [DroppedChange]) {
        try advance(&state, context, change, looksAtZone: true)
        let dropped = try RuleSteps.applyDue(&state, context, change)
        return (state.nextDue(bootID: context.bootID), dropped)
    }

    /// Counts usage, and publishes the occurrences that it causes.
    static func count(_ stretch: Stretch, _ state: inout ActivityState, _ change: StoreTransaction) throws {
        let beside = try beside(stretch, state, change.database)
        let due = state.book.count(stretch, beside: beside)
        try tell(due, &state, change)
    }

    /// Takes back counted usage, and publishes the thresholds that are no longer reached.
    static func takeBack(_ stretch: Stretch, _ state: inout ActivityState, _ change: StoreTransaction) throws
    {
        let beside = try beside(stretch, state, change.database)
        let due = state.book.takeBack(stretch, beside: beside)
        try tell(due, &state, change)
    }

    /// Returns the counted usage of other machines at the same time, if a rule counts simultaneous time once.
    private static func beside(_ stretch: Stretch, _ state: ActivityState, _ database: Database) throws
        -> [Stretch]
    {
        guard stretch.presence == .active, !state.devices.isEmpty, state.book.countsOnce(stretch.member)
        else { return [] }
        return try PastUse.use(
            of: stretch.member,
            fromWallMs: stretch.fromWallMs,
            toWallMs: stretch.endWallMs,
            state,
            database
        )
        .filter { $0.device != stretch.device }
    }

    /// Publishes occurrences. Applies an occurrence of a rule to the rule in the same transaction.
    static func tell(_ due: [DueOccurrence], _ state: inout ActivityState, _ change: StoreTransaction) throws
    {
        for occurrence in due {
            guard let event = try emit(occurrence, change), occurrence.key.app == BuiltInRules.app
            else { continue }
            try RuleSteps.apply(occurrence.body, event: event.header, &state, change)
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

    private static func removeOver(_ state: inout ActivityState, _ change: StoreTransaction) throws {
        for key in state.book.takeOver() { try tellStopped(key, .ended, change) }
    }

    private static func tellStopped(_ key: ActivityKey, _ reason: StopReason, _ change: StoreTransaction)
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
        _ checked: AuthCheck.Reply?,
        _ state: inout ActivityState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> ActivityStart.Reply {
        try refuseRules(request.app)
        let member = try member(of: request, checked, state)
        try advance(&state, context, change, looksAtZone: true)
        return try start(request, of: member, permission: checked, &state, context, change)
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
        _ state: inout ActivityState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> ActivityStart.Reply {
        let limits = state.limits
        let zone = context.zone
        let key = ActivityKey(app: request.app, member: member, activity: request.activity)
        try ActivityCheck.name(request.app, "/app")
        try ActivityCheck.name(request.activity, "/activity")
        try ActivityCheck.room(for: key, in: state.book, limits)
        let reading = try request.schedule.check(
            limits: limits.schedule,
            nowMs: change.now.wallMs,
            zone: zone
        )
        let events = try ActivityCheck.events(request.events, checked, warningMs: reading.warningMs)
        let moment = BookMoment(reading: change.now, bootId: context.bootID, zone: zone)
        var activity = WatchedActivity(
            key: key,
            schedule: request.schedule,
            events: events,
            mode: try request.mode?.required("/mode") ?? limits.mode,
            warningMs: reading.warningMs,
            understood: reading.text,
            fromBootMs: change.now.bootMs,
            fromBootId: context.bootID,
            faults: key.app == BuiltInRules.app ? [] : limits.faults
        )
        let past = try PastUse.stretches(for: activity, at: moment, state, change.database)
        let due = state.book.open(activity, at: moment, past: past)
        activity = state.book[key] ?? activity
        try change.emit(
            MonitoringStarted.self,
            subject: "monitoring/\(key.text)",
            ActivityStarted(activity: ActivityViews.view(activity, nowMs: change.now.wallMs))
        )
        try tell(due, &state, change)
        return ActivityStart.Reply(
            activity: ActivityViews.view(activity, nowMs: change.now.wallMs),
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
        _ state: inout ActivityState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> ActivityStop.Reply {
        try refuseRules(request.app)
        try advance(&state, context, change)
        let member = request.member ?? state.household.owner
        let asked = state.book.all(ofApp: request.app, member: member).map(\.key).filter {
            request.activities.isEmpty || request.activities.contains($0.activity)
        }
        for key in asked {
            try end(key, .asked, note: stoppedNote, &state, change)
        }
        return ActivityStop.Reply(stopped: asked.map(\.activity))
    }

    /// Removes the activities of an app that lost its permission or was removed. Publishes no end of an interval, because the app
    /// must not be called any more.
    static func forget(
        app: String,
        member: String?,
        _ reason: StopReason,
        _ state: inout ActivityState,
        _ change: StoreTransaction
    ) throws {
        for activity in state.book.all(ofApp: app, member: member) {
            state.book.remove(activity.key)
            try tellStopped(activity.key, reason, change)
        }
    }

    static let stoppedNote = Message("evidence.stopped", "Monitoring was stopped.")

    static func end(
        _ key: ActivityKey,
        _ reason: StopReason,
        note: Message,
        _ state: inout ActivityState,
        _ change: StoreTransaction
    ) throws {
        guard let activity = state.book.remove(key) else { return }
        try tell(activity.held ?? [], &state, change)
        if activity.mode == .wallClock || !activity.owesStart, let current = activity.current {
            try tell(
                [activity.occurrence(.intervalEnded, current, at: change.now.wallMs, note: note)],
                &state,
                change
            )
        }
        try tellStopped(key, reason, change)
    }
}
