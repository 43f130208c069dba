import STContracts
import STPlatform

@testable import STActivityCore

/// A timeline with all of its outputs.
struct Lived {
    var timeline = Timeline()
    var outputs: [TimelineChanges.Output] = []
    var late = 0

    var closed: [Segment] {
        outputs.compactMap { if case .closed(let segment) = $0 { segment } else { nil } }
    }

    var opened: [Segment] {
        outputs.compactMap { if case .opened(let segment) = $0 { segment } else { nil } }
    }

    var passed: [UsageInterval] {
        outputs.compactMap { if case .counted(let stretch) = $0 { stretch } else { nil } }
    }

    var takenBack: [UsageInterval] {
        outputs.compactMap { if case .retracted(let stretch) = $0 { stretch } else { nil } }
    }

    var open: Segment? { timeline.open.last }

    /// All rows. Open ones are last.
    var rows: [Segment] { closed + timeline.open }

    /// One line per row: app, presence, milliseconds. Open rows are last.
    var story: [String] { rows.map { "\($0.app ?? "-") \($0.presence.rawValue) \($0.durationMs)" } }

    /// The total milliseconds by app, presence and shield.
    var sums: [String: Int64] {
        var sums: [String: Int64] = [:]
        for row in rows where row.durationMs > 0 {
            let shield = row.shielded == true ? " shielded" : ""
            sums["\(row.app ?? "-") \(row.presence.rawValue)\(shield)", default: 0] += row.durationMs
        }
        return sums
    }

    mutating func take(
        _ seen: Observation,
        agent: String = "agent",
        run: String = "run",
        home: String = "home"
    )
        throws
    {
        let news = try timeline.apply(AgentObservation(agent: agent, run: run, seen: seen), home: home)
        outputs += news.outputs
        if news.isLate { late += 1 }
    }
}

/// Creates observations of an agent with clocks that the test controls.
struct Watcher {
    let time: SimulatedTimeSource
    var sequence: Int64 = 0
    var bootId = "boot"

    init(wallMs: Int64 = 1_790_000_000_000, zone: String = "Asia/Seoul") {
        time = SimulatedTimeSource(wallMs: wallMs, bootMs: 1_000_000, zone: zone)
    }

    mutating func sees(
        _ app: String?,
        _ presence: Presence = .active,
        domain: String? = nil,
        member: String = "child",
        afterMs: Int64 = 0,
        inputBootMs: Int64? = nil,
        unbroken: Bool? = nil,
        shielded: Bool? = nil
    ) -> Observation {
        time.advance(byMs: afterMs)
        sequence += 1
        return Observation(
            sequence: sequence,
            bootId: bootId,
            at: time.now(),
            zone: time.zone(),
            member: member,
            presence: presence,
            app: app,
            domain: domain,
            inputBootMs: inputBootMs,
            unbroken: unbroken,
            shielded: shielded
        )
    }
}
