import STContracts
import STPlatform

/// What the clocks said last, by which a wall clock that somebody set is told from time that has passed.
package struct BookClock: WireBody, Codable, Equatable {
    package var bootId: String
    /// Wall minus boot time.
    package var offsetMs: Int64
    package var lastWallMs: Int64
    package var zone: String

    /// Clocks are slewed by less than this between two looks; more is a step.
    package static let stepMs: Int64 = 1_000

    package init(_ moment: BookMoment) {
        bootId = moment.bootId
        offsetMs = moment.reading.wallMs - moment.reading.bootMs
        lastWallMs = moment.reading.wallMs
        zone = moment.zone
    }

    /// What the wall clock would say now, had nobody set it.
    func naturalWallMs(_ moment: BookMoment) -> Int64 {
        guard moment.bootId == bootId else {
            // While the machine was off, time went by; how much, only the wall clock can say.
            return max(lastWallMs, moment.reading.wallMs)
        }
        let natural = moment.reading.bootMs + offsetMs
        return abs(moment.reading.wallMs - natural) > Self.stepMs ? natural : moment.reading.wallMs
    }
}
