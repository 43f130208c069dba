package import STContracts

/// What came of one observation.
package struct TimelineNews: Sendable, Equatable {
    package enum Output: Sendable, Equatable {
        /// A piece of time has become known; in order, and each moment of a start of the machine once.
        case passed(Stretch, zone: String)
        case opened(Segment)
        /// The open stretch has grown so much that its followers should be told.
        case grown(Segment)
        case closed(Segment)
    }

    package var outputs: [Output] = []
    /// Another agent had told of that time already, and what it told stands.
    package var isLate: Bool
    /// Whether a start of the machine is over that was not before.
    package var hasRetired: Bool = false
}
