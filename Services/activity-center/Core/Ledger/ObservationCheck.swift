import STContracts
import STDomain
import STEngine
import STFollowing
import STPlatform

/// Checks a request completely before any of its observations is applied.
struct ObservationCheck {
    /// The range of boot times. No machine runs for ten years without a restart, and readers split times into days.
    static let bootMsRange: ClosedRange<Int64> = 0...315_360_000_000
    /// The range of wall times, to the end of 9999, the last year for which a date can be written.
    static let wallMsRange: ClosedRange<Int64> = 0...253_402_300_799_999
    /// Tolerance for boot times in the future. It is generous, because the agent and the service read the same clock.
    private static let futureTolerance = Duration.seconds(2)

    /// The agents that may report. If empty, every agent of this account may.
    let agents: Set<String>
    let household: Household
    /// The present time, or nil for a preview, which may be in the future.
    let now: TimeReading?
    let bootID: String

    func check(agent: String, run: String, _ observations: [Observation]) throws {
        try Self.name(agent, "/agent")
        try Self.name(run, "/run")
        guard !agent.contains("/"), !run.contains("/") else {
            // A segment is named agent/run/sequence, and two segments must never have the same name.
            throw Problem(
                "usage.bad_name",
                "The names in `agent` and `run` must not contain a slash.",
                key: "usage.bad_name.neither-agent-nor",
                field: "/agent"
            )
        }
        guard agents.isEmpty || agents.contains(agent) else {
            throw Problem(
                "usage.unknown_agent",
                """
                The agent \(agent, "agent") is not allowed to report observations. Add it to `agents` in \
                [activity-center].
                """,
                field: "/agent",
                details: ["agents": agents.sorted().joined(separator: ",")]
            )
        }
        guard !observations.isEmpty, observations.count <= UsageObserve.batchMax else {
            throw Problem(
                "usage.bad_batch",
                "A request must contain 1 to \(UsageObserve.batchMax, "most") observations.",
                key: "usage.bad_batch.a-request-carries",
                field: "/observations"
            )
        }
        guard !household.members.isEmpty else {
            throw Household.memberRequiredProblem
        }
        var zone = ""
        for (index, seen) in observations.enumerated() {
            try check(seen, index, knownZone: &zone)
        }
    }

    private func check(_ seen: Observation, _ index: Int, knownZone: inout String) throws {
        // A function, because a batch has hundreds of observations and only a rejected one needs its field.
        func field(_ name: String = "") -> String { "/observations/\(index)" + name }
        guard seen.presence != .unknown else {
            _ = try seen.presence.required(field("/presence"))
            return
        }
        try Self.name(seen.bootId, field("/boot_id"))
        if let app = seen.app { try Self.name(app, field("/app")) }
        if let domain = seen.domain { try Self.name(domain, field("/domain")) }
        guard household.contains(seen.member) else {
            throw Household.unknownMemberProblem(
                seen.member,
                field: field("/member"),
                help: "screentime member add \(seen.member)"
            )
        }
        if let counts = seen.notifications { try Self.check(notifications: counts, field("/notifications")) }
        if seen.zone != knownZone {
            guard LocalDay.isKnown(zone: seen.zone) else {
                throw Problem(
                    "usage.unknown_zone",
                    "\(seen.zone, "zone") is not a time zone; send an IANA name such as Asia/Seoul.",
                    field: field("/zone")
                )
            }
            knownZone = seen.zone
        }
        try checkTimes(seen, field())
    }

    private func checkTimes(_ seen: Observation, _ field: @autoclosure () -> String) throws {
        guard Self.bootMsRange.contains(seen.bootMs), Self.bootMsRange.contains(seen.monotonicMs),
            Self.wallMsRange.contains(seen.wallMs), seen.sequence > 0
        else {
            throw Problem(
                "usage.bad_number",
                "A time or sequence number is out of range.",
                key: "usage.bad_number.a-time-or",
                field: field()
            )
        }
        guard (0...seen.bootMs).contains(seen.inputBootMs ?? 0) else {
            throw Problem(
                "usage.bad_number",
                "The last input cannot be later than the observation that reports it.",
                key: "usage.bad_number.the-last-input",
                field: field() + "/input_boot_ms"
            )
        }
        guard let now, seen.bootId == bootID, seen.reading.boot > now.boot + Self.futureTolerance else {
            return
        }
        throw Problem(
            "usage.from_future",
            """
            This observation is \(seen.bootMs - now.bootMs, "boot") ms ahead of this computer's clock. Set \
            boot_ms to the time between the start of the computer and the observation.
            """,
            key: "usage.from_future.this-observation-is",
            field: field() + "/boot_ms",
            details: ["now_boot_ms": String(now.bootMs)]
        )
    }

    static func check(notifications counts: [String: Int64], _ field: String) throws {
        guard !counts.isEmpty, counts.count <= UsageObserve.notifyingAppsMax else {
            throw Problem(
                "usage.bad_notifications",
                """
                Notifications must name 1 to \(UsageObserve.notifyingAppsMax, "most") apps. Omit them if \
                there are none.
                """,
                field: field
            )
        }
        for (app, count) in counts.sorted(by: { $0.key < $1.key }) {
            try name(app, field)
            try check(count: count, field)
        }
    }

    static func check(count: Int64, _ field: @autoclosure () -> String) throws {
        guard UsageObserve.notificationCounts.contains(count) else {
            throw Problem(
                "usage.bad_notifications",
                """
                A count of notifications must be a number from 1 to \
                \(UsageObserve.notificationCounts.upperBound, "most").
                """,
                key: "usage.bad_notifications.a-count-of",
                field: field()
            )
        }
    }

    static func name(_ text: String, _ field: @autoclosure () -> String) throws {
        guard !text.isEmpty, text.utf8.count <= UsageObserve.nameBytesMax else {
            throw Problem(
                "usage.bad_name",
                "A name must be 1 to \(UsageObserve.nameBytesMax, "bytes") bytes long.",
                key: "usage.bad_name.a-name-has",
                field: field()
            )
        }
    }
}
