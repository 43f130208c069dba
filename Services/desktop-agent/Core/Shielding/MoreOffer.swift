/// How more time may be asked for on this desktop.
package enum MoreOffer: Sendable, Equatable {
    /// The person's own rule grants it, and this much at a time at most.
    case own(mostMs: Int64, delayMs: Int64)
    /// Somebody else has to say yes.
    case guardian
}
