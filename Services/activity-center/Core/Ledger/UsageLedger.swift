import STContracts
import STEngine
import STFollowing
import STPlatform

/// Adds observations to the ledger: rows, open segments, positions of agents and events, in one transaction.
///
/// An observation can repeat an accepted one, for example after a lost reply. It is counted as a duplicate and has no other effect.
/// The route `usage.observe` first advances the activities, so that an interval ends before usage counts towards the next one:
///
/// ```swift
/// .write(UsageObserve.self) { state, request, context, change in
///     try ActivityRules.advance(&state, context, change)
///     return try UsageLedger.observe(
///         request,
///         agents: agents,
///         isProtected: state.limits.isProtected,
///         state: &state,
///         context: context,
///         change: change
///     )
/// }
/// ```
enum UsageLedger {
    /// Upper bound on the runs of an agent. An agent begins a run with each of its starts.
    ///
    /// Of the ended runs, only the latest may still have observations to send. The next request of a forgotten run is rejected as
    /// out of order, and the run then continues as a new one.
    private static let runsPerAgentMax = 64
    private static let agentsMax = 64
    private static let stopReportInterval = Duration.seconds(86_400)

    /// The segments that one request has opened or extended, if they are still open at its end.
    ///
    /// A segment that has ended by then is only announced as closed, as in a snapshot.
    private struct OpenedSegments {
        private var segments: [Segment] = []

        mutating func add(_ segment: Segment) {
            remove(segment)
            segments.append(segment)
        }

        mutating func remove(_ segment: Segment) { segments.removeAll { $0.segment == segment.segment } }

        func publish(_ change: StoreTransaction) throws {
            for segment in segments {
                try change.emit(SegmentOpened.self, subject: segment.segment, segment)
            }
        }

        /// Announces the open segment again, unless this request has just announced it.
        func publish(_ open: Segment, _ change: StoreTransaction) throws {
            if segments.contains(where: { $0.segment == open.segment }) { return }
            try change.emit(SegmentOpened.self, subject: open.segment, open)
        }
    }

    static func observe(
        _ request: UsageObserve.Request,
        agents: Set<String>,
        isProtected: Bool,
        state: inout ActivityState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> UsageObserve.Reply {
        let home = context.bootID
        try ObservationCheck(agents: agents, household: state.household, now: context.now, bootID: home)
            .check(agent: request.agent, run: request.run, request.observations)
        let run = ActivityState.Run(agent: request.agent, run: request.run)
        let known = state.lastSequence[run]
        var reply = UsageObserve.Reply(acceptedThrough: known ?? 0, duplicates: 0)
        let categories = state.categories.category(app:domain:)
        let row = state.chain.row
        var opened = OpenedSegments()
        for seen in state.categories.withoutIgnored(request.observations) {
            if seen.sequence <= reply.acceptedThrough {
                reply.duplicates += 1
                continue
            }
            guard seen.sequence == reply.acceptedThrough + 1 else {
                throw outOfOrder(seen.sequence, expected: reply.acceptedThrough + 1)
            }
            if seen.played == true, try hasRealUsage(seen, state: state, change: change) {
                reply.late = (reply.late ?? 0) + 1
                reply.acceptedThrough = seen.sequence
                continue
            }
            let isGuarded = isProtected && state.household.role(of: seen.member) == .child
            let words = AgentObservation(
                agent: request.agent,
                run: request.run,
                seen: isGuarded ? seen : Self.unguarded(seen, request.agent),
                countsGaps: isGuarded
            )
            let news = try state.timelines[seen.member, default: Timeline()]
                .apply(words, home: home, category: categories)
            if news.isLate { reply.late = (reply.late ?? 0) + 1 }
            try apply(news, of: seen.member, opened: &opened, state: &state, change: change)
            state.unsaved.insert(seen.member)
            if seen.notifications != nil { try NotificationTable.record(seen, change) }
            reply.acceptedThrough = seen.sequence
        }
        try opened.publish(change)
        if known == nil { try makeRoom(for: run, &state, change) }
        if state.agents[run.agent] == nil {
            state.agents[run.agent] = context.now.wall
            try ActivityTables.insert(agent: run.agent, first: context.now.wall, change.database)
        }
        if reply.acceptedThrough != known {
            state.lastSequence[run] = reply.acceptedThrough
            try ActivityTables.save(run, last: reply.acceptedThrough, database: change.database)
        }
        if state.chain.row != row { try LedgerTable.save(state.chain, change.database) }
        if let last = request.observations.last,
            let open = state.timelines[last.member]?.open.last(where: { $0.bootId == last.bootId })
        {
            if state.remoteUsage.needsReport(last) { try opened.publish(open, change) }
            // An event may become due then, so the agent should report again.
            let now = context.now.boot
            let beside = state.remoteUsage.concurrentUsage(last.member, bootId: home, now: now)
            let time = state.activities.checkTime(UsageInterval(open), beside: beside)
            reply.checkAt = state.remoteUsage.checkTime(time, after: last, isAlone: beside.isEmpty)?.ms
        }
        return reply
    }

    /// Returns true if an agent has observed use by the member at the time of a scripted observation. Real observations win.
    private static func hasRealUsage(_ seen: Observation, state: ActivityState, change: StoreTransaction)
        throws
        -> Bool
    {
        guard seen.presence == .active else { return false }
        func isReal(_ segment: Segment) -> Bool {
            segment.presence == .active && segment.knownBy != .played
        }
        let lanes = state.timelines[seen.member]?.lanes ?? []
        // A scripted observation also covers the time since the previous one.
        let own = lanes.first { $0.bootId == seen.bootId && $0.open.presence == .active }
        let seenAt = seen.reading.wall
        let from = own.map { min(seenAt, UsageInterval(endOf: $0.open).fromWall) } ?? seenAt
        let isLivedNow = lanes.contains { lane in
            isReal(lane.open) && lane.open.startWall <= seenAt
                && UsageInterval(lane.open).endWall + Timeline.silence > from
        }
        if isLivedNow { return true }
        return try LedgerListing.overlapping(
            from..<seenAt + .milliseconds(1),
            of: seen.member,
            device: nil,
            change.database
        )
        .rows.contains(where: isReal)
    }

    /// Returns the first event that these observations would make due, without applying them.
    static func preview(
        _ request: UsagePreview.Request,
        _ state: ActivityState,
        home: String
    ) throws -> UsagePreview.Reply {
        let check = ObservationCheck(agents: [], household: state.household, now: nil, bootID: home)
        try check.check(agent: request.agent, run: request.run, request.observations)
        var timelines = state.timelines
        var book = state.activities
        let categories = state.categories.category(app:domain:)
        // The first member in the batch is not necessarily the first with a due event.
        var found = UsagePreview.Reply(dueBootMs: nil, member: nil)
        for seen in state.categories.withoutIgnored(request.observations) {
            let words = AgentObservation(agent: request.agent, run: request.run, seen: seen)
            let news = try timelines[seen.member, default: Timeline()]
                .apply(words, home: home, category: categories)
            for output in news.outputs {
                let due: [DueOccurrence]
                switch output {
                case .counted(let stretch):
                    let told = book.count(stretch)
                    due = told + book.heldOccurrences.filter { $0.dueBootMs ?? 0 > stretch.fromBoot.ms }
                case .opened(let open), .extended(let open):
                    due = book.releaseHeld(UsageInterval(endOf: open))
                case .retracted, .closed: due = []
                }
                guard let first = due.min(by: DueOccurrence.isBefore) else { continue }
                let bootMs = first.dueBootMs ?? seen.bootMs
                if bootMs < found.dueBootMs ?? .max {
                    found = UsagePreview.Reply(dueBootMs: bootMs, member: first.key.member)
                }
            }
        }
        return found
    }

    private static func announceUsage(
        _ segment: Segment,
        state: inout ActivityState,
        change: StoreTransaction
    )
        throws
    {
        let due = state.activities.releaseHeld(UsageInterval(endOf: segment))
        try ActivityRules.publish(due, state: &state, change: change)
    }

    private static func apply(
        _ news: TimelineChanges,
        of member: String,
        opened: inout OpenedSegments,
        state: inout ActivityState,
        change: StoreTransaction
    ) throws {
        for output in news.outputs {
            switch output {
            case .counted(let stretch):
                try ActivityRules.count(stretch, state: &state, change: change)
            case .retracted(let stretch):
                try ActivityRules.retract(stretch, state: &state, change: change)
            case .opened(let segment) where segment.app == UsageObserve.unseenApp:
                try announceUsage(segment, state: &state, change: change)
                opened.add(segment)
                try report(unseen: segment, &state, change)
            case .opened(let segment), .extended(let segment):
                try announceUsage(segment, state: &state, change: change)
                if let app = segment.app { state.categories.noteForeground(app) }
                opened.add(segment)
            case .closed(let segment):
                opened.remove(segment)
                try LedgerTable.append(segment, state: &state, change: change)
                // If account-door has the lane, its next report adds a line of its own.
                if segment.app == UsageObserve.unseenApp, segment.knownBy == .silence,
                    !segment.agent.hasPrefix(UsageObserve.doorAgentPrefix)
                {
                    try report(unseen: segment, &state, change)
                }
                if segment.presence == .unobserved, segment.durationMs > HistoryLine.stopToldMs {
                    let line = HistoryLine(.gap, member: member, lengthMs: segment.durationMs)
                    try state.history.append(change.stamped(line), change)
                }
            }
        }
        guard news.hasRetired, let timeline = state.timelines[member] else { return }
        try TimelineTable.savePast(timeline, of: member, change.database)
    }

    /// Replaces use of the unknown app by unobserved time, for members who are not children on a protected computer.
    private static func unguarded(_ seen: Observation, _ agent: String) -> Observation {
        guard seen.app == UsageObserve.unseenApp, !agent.hasPrefix(UsageObserve.doorAgentPrefix) else {
            return seen
        }
        var seen = seen
        (seen.presence, seen.app) = (.unobserved, nil)
        return seen
    }

    /// Adds a history line about unseen use: for each report of account-door, and once a day for a stopped or killed agent.
    private static func report(
        unseen segment: Segment,
        _ state: inout ActivityState,
        _ change: StoreTransaction
    ) throws {
        let member = segment.member
        var line = HistoryLine(.unseen, member: member)
        if !segment.agent.hasPrefix(UsageObserve.doorAgentPrefix) {
            let now = change.now.wall
            if let last = state.stopReports[member], abs((now - last).ms) < stopReportInterval.ms { return }
            state.stopReports[member] = now
            line = HistoryLine(.agentStopped, member: member)
        }
        try state.history.append(change.stamped(line), change)
    }

    private static func outOfOrder(_ sequence: Int64, expected: Int64) -> Problem {
        // If this observation were accepted, the missing one would look like a duplicate when it arrives.
        Problem(
            "usage.out_of_order",
            """
            Observation \(sequence, "sequence") of this run is out of order. Continue from observation \
            \(expected, "expected").
            """,
            field: "/observations",
            retryable: true,
            details: ["expected": String(expected)]
        )
    }

    private static func makeRoom(
        for run: ActivityState.Run,
        _ state: inout ActivityState,
        _ change: StoreTransaction
    ) throws {
        guard state.agents[run.agent] != nil || state.agents.count < agentsMax else {
            throw Problem(
                "usage.too_many_agents",
                """
                \(agentsMax, "most") agents have already reported observations, which is the limit. Use one \
                agent per session.
                """,
                field: "/agent"
            )
        }
        guard state.lastSequence.keys.filter({ $0.agent == run.agent }).count >= runsPerAgentMax else {
            return
        }
        for old in try ActivityTables.deleteRuns(of: run.agent, keep: runsPerAgentMax - 1, change.database) {
            state.lastSequence[old] = nil
        }
    }
}
