package import STPlatform

/// A moment as the book of activities sees it: the clocks, the start of the machine they belong to, and the zone.
package struct BookMoment: Sendable, Equatable {
    package var reading: TimeReading
    package var bootId: String
    package var zone: String

    package init(reading: TimeReading, bootId: String, zone: String) {
        self.reading = reading
        self.bootId = bootId
        self.zone = zone
    }
}
