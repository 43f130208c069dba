import STContracts
import STPlatform

@testable import STActivityCore

/// What an agent would see on clocks that a test moves.
struct Watcher {
    let time = SimulatedTimeSource(wallMs: 1_790_000_000_000, bootMs: 1_000_000, zone: "Asia/Seoul")
    var sequence: Int64 = 0
    var bootId = "boot"

    mutating func sees(
        _ app: String?,
        _ presence: Presence = .active,
        domain: String? = nil,
        member: String = "child",
        afterMs: Int64 = 0
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
            domain: domain
        )
    }
}

/// A timeline and everything that came of it.
struct Lived {
    var timeline = Timeline()
    var outputs: [Timeline.Output] = []

    var closed: [Segment] {
        outputs.compactMap { if case .closed(let segment) = $0 { segment } else { nil } }
    }

    var opened: [Segment] {
        outputs.compactMap { if case .opened(let segment) = $0 { segment } else { nil } }
    }

    /// `app presence milliseconds`, closed ones first, then the open one.
    var story: [String] {
        (closed + [timeline.open].compactMap { $0 }).map {
            "\($0.app ?? "-") \($0.presence.rawValue) \($0.durationMs)"
        }
    }

    mutating func take(_ seen: Observation) throws {
        outputs += try timeline.take(seen, agent: "agent", run: "run")
    }
}
