package import STContracts
package import STPlatform

/// What came of asking for a look.
package enum LookOutcome: Sendable {
    /// `shield` is its name for buttons; nil where nothing was counted.
    case look(ShieldLookView, shield: String?)
    /// Nothing shields it there.
    case lifted
    case failed(Problem)
}
