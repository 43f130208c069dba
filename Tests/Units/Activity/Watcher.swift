import STContracts
import STPlatform

@testable import STActivityCore

/// What an agent would see on clocks that a test moves.
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
