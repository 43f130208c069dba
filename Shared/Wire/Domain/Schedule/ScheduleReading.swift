/// What a schedule was understood to mean.
package struct ScheduleReading: Sendable, Equatable {
    /// The interval under way, else the next.
    package var interval: Interval
    /// `22:00 to 07:00 in Europe/Berlin, next: Sat 21 Nov 22:00 to Sun 22 Nov 07:00`.
    package var text: String
    /// A note for somebody who may have wanted all of the day.
    package var unwatched: String?
    package var warningMs: Int64?
}
