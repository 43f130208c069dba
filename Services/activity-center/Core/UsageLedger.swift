import STContracts
import STDomain
import STEngine
import STPlatform

/// Takes observations into the ledger: rows, open stretches, places and events in one transaction.
enum UsageLedger {
    /// No machine runs for ten years without a start; and a stretch of time is cut into its days by whoever reads it.
    private static let bootMsRange: ClosedRange<Int64> = 0...315_360_000_000
    /// To the end of 9999, the last year that a date can be written for.
    private static let wallMsRange: ClosedRange<Int64> = 0...253_402_300_799_999

    /// An agent begins a run with each of its starts.
    ///
    /// Of the runs that have ended only the latest may still have something to send. One that is forgotten here is
    /// refused as out of order and goes on as a new one.
    private static let runsPerAgentMax = 64
    private static let agentsMax = 64

    static func observe(
        _ request: UsageObserve.Request,
        _ state: inout ActivityState,
        _ change: StoreTransaction
    ) throws -> UsageObserve.Reply {
        try check(request, state)
        let run = ActivityState.Run(agent: request.agent, run: request.run)
        var last = state.lastSequence[run] ?? 0
        var duplicates: Int64 = 0
        for seen in request.observations {
            if seen.sequence <= last {
                duplicates += 1
                continue
            }
            guard seen.sequence == last + 1 else {
                // Taking it would make the missing one look like a repeat when it comes.
                throw Problem(
                    "usage.out_of_order",
                    "Observation \(last + 1) of this run must come before \(seen.sequence). Send from there.",
                    field: "/observations",
                    retryable: true,
                    details: ["expected": String(last + 1)]
                )
            }
            try take(seen, request, &state, change)
            last = seen.sequence
        }
        if state.lastSequence[run] == nil { try makeRoom(for: run, &state, change) }
        state.lastSequence[run] = last
        try ActivityStore.save(run, last, change.database)
        return UsageObserve.Reply(acceptedThrough: last, duplicates: duplicates)
    }

    private static func makeRoom(
        for run: ActivityState.Run,
        _ state: inout ActivityState,
        _ change: StoreTransaction
    ) throws {
        let known = Set(state.lastSequence.keys.map(\.agent))
        guard known.contains(run.agent) || known.count < agentsMax else {
            throw Problem(
                "usage.too_many_agents",
                "\(agentsMax) agents have reported here already, which is the limit. Use one agent per session.",
                field: "/agent"
            )
        }
        guard state.lastSequence.keys.filter({ $0.agent == run.agent }).count >= runsPerAgentMax else {
            return
        }
        for old in try ActivityStore.forgetRuns(of: run.agent, keep: runsPerAgentMax - 1, change.database) {
            state.lastSequence[old] = nil
        }
    }

    private static func take(
        _ seen: Observation,
        _ request: UsageObserve.Request,
        _ state: inout ActivityState,
        _ change: StoreTransaction
    ) throws {
        let key = ActivityState.Key(agent: request.agent, member: seen.member)
        var timeline = state.timelines[key] ?? Timeline()
        for output in try timeline.take(seen, agent: request.agent, run: request.run) {
            switch output {
            case .opened(let segment):
                state.toldBootMs[key] = segment.endBootMs
                try change.emit(SegmentOpened.self, subject: segment.segment, segment)
            case .grown(let segment):
                guard segment.endBootMs - (state.toldBootMs[key] ?? 0) >= Timeline.tellEveryMs else {
                    continue
                }
                state.toldBootMs[key] = segment.endBootMs
                try change.emit(SegmentOpened.self, subject: segment.segment, segment)
            case .closed(let segment):
                try ActivityStore.append(segment, change.database)
                try change.emit(SegmentClosed.self, subject: segment.segment, segment)
            }
        }
        state.timelines[key] = timeline
        try ActivityStore.save(key, timeline, change.database)
    }

    private static func check(_ request: UsageObserve.Request, _ state: ActivityState) throws {
        try name(request.agent, "/agent")
        try name(request.run, "/run")
        guard !request.agent.contains("/"), !request.run.contains("/") else {
            // A stretch is named agent/run/sequence, and two of them must never have one name.
            throw Problem(
                "usage.bad_name",
                "Neither agent nor run may have a slash in its name.",
                field: "/agent"
            )
        }
        guard !request.observations.isEmpty, request.observations.count <= UsageObserve.batchMax else {
            throw Problem(
                "usage.bad_batch",
                "A request carries 1 to \(UsageObserve.batchMax) observations.",
                field: "/observations"
            )
        }
        guard !state.members.isEmpty else {
            throw Problem(
                "unavailable",
                "auth-service has not said yet who belongs to the household.",
                retryable: true,
                help: "screentime status"
            )
        }
        for (index, seen) in request.observations.enumerated() {
            try check(seen, "/observations/\(index)", state)
        }
    }

    private static func check(_ seen: Observation, _ field: String, _ state: ActivityState) throws {
        _ = try seen.presence.required("\(field)/presence")
        try name(seen.bootId, "\(field)/boot_id")
        if let app = seen.app { try name(app, "\(field)/app") }
        if let domain = seen.domain { try name(domain, "\(field)/domain") }
        guard state.members.contains(seen.member) else {
            throw Problem(
                "member.unknown",
                "Nobody of the household is called \(seen.member).",
                field: "\(field)/member",
                help: "screentime member add \(seen.member)"
            )
        }
        guard LocalDay.isKnown(zone: seen.zone) else {
            throw Problem(
                "usage.unknown_zone",
                "\(seen.zone) is no time zone; send an IANA name such as Asia/Seoul.",
                field: "\(field)/zone"
            )
        }
        guard bootMsRange.contains(seen.bootMs), bootMsRange.contains(seen.monotonicMs),
            wallMsRange.contains(seen.wallMs), seen.sequence > 0
        else {
            throw Problem(
                "usage.bad_number",
                "A time or sequence is out of any sensible range.",
                field: field
            )
        }
    }

    private static func name(_ text: String, _ field: String) throws {
        guard !text.isEmpty, text.utf8.count <= UsageObserve.nameBytesMax else {
            throw Problem(
                "usage.bad_name",
                "A name has 1 to \(UsageObserve.nameBytesMax) bytes.",
                field: field
            )
        }
    }
}
