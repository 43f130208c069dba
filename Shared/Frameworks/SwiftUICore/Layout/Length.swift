package import Foundation

/// Lengths as a page may have them.
package enum Length {
    /// Nothing on a page is longer.
    package static let max = 100_000.0

    /// What is no number, or out of all measure, is not.
    package static func of(_ length: CGFloat) -> Double {
        let length = Double(length)
        return length.isNaN ? 0 : Swift.min(max, Swift.max(-max, length))
    }

    /// Nil for none, and for what is not one.
    package static func of(_ length: CGFloat?) -> Double? {
        guard let length, length.isFinite else { return nil }
        return Swift.max(0, of(length))
    }
}
