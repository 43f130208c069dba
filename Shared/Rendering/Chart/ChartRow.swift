/// A mark in words.
package struct ChartRow: Sendable, Equatable {
    package var key: String
    package var series: String?
    package var value: String
    /// Of a piece of a pie.
    package var part: String?
    /// For those who listen.
    package var says: String
    /// What can be compared, where it is a number.
    package var number: Double?
}
