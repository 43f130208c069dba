/// A moment on one of the machine's clocks, in milliseconds.
///
/// Moments of different clocks are different types, so an expression that mixes them does not compile. The difference of two moments is a
/// `Duration`. Only messages and databases store a moment as a number:
///
/// ```swift
/// let used = now.boot - BootTime(ms: row.startBootMs)
/// row.endBootMs = now.boot.ms
/// ```
package protocol Moment: Sendable, Hashable, Comparable {
    var ms: Int64 { get }
    init(ms: Int64)
}

/// A moment on the wall clock, in milliseconds since 1970.
///
/// The wall clock gives the time of day. People and programs set it, so it does not measure how much time has passed.
package struct WallTime: Moment {
    package let ms: Int64

    package init(ms: Int64) { self.ms = ms }
}

/// A moment on the boot clock, in milliseconds since the start of the machine.
///
/// The boot clock measures how much time has passed. It advances during a suspend, and nothing sets it. Its moments are comparable
/// within one start of the machine.
package struct BootTime: Moment {
    package let ms: Int64

    package init(ms: Int64) { self.ms = ms }
}

extension Moment {
    /// A moment that never comes.
    package static var distantFuture: Self { Self(ms: .max) }

    package static func < (one: Self, other: Self) -> Bool { one.ms < other.ms }

    package static func - (one: Self, other: Self) -> Duration {
        .milliseconds(one.ms) - .milliseconds(other.ms)
    }

    /// Returns the first or last representable moment instead of overflowing.
    package static func + (moment: Self, length: Duration) -> Self {
        Self(ms: moment.ms.addingClamped(length.ms))
    }

    /// Returns the first or last representable moment instead of overflowing.
    package static func - (moment: Self, length: Duration) -> Self { moment + (.zero - length) }
}

extension Duration {
    /// The whole milliseconds. A length that an `Int64` cannot hold gives the nearest one.
    package var ms: Int64 { Int64(clamping: attoseconds / 1_000_000_000_000_000) }
}
