import Synchronization

/// Makes identifiers, from any thread.
///
/// A simulation has one of its own with a seed; all others share one.
package final class IdentifierGenerator: Sendable {
    private struct State {
        var random: RandomSource
        var lastMs: Int64 = .min
        var high: UInt16 = 0
        var low: UInt64 = 0
    }

    /// Two threads may read the clock and come here in the other order.
    ///
    /// A larger step back means that the clock was set, and then identifiers follow it.
    private static let disorderMsMax: Int64 = 1000

    private let state: Mutex<State>

    package init() { state = Mutex(State(random: RandomSource())) }

    package init(seed: UInt64) { state = Mutex(State(random: RandomSource(seed: seed))) }

    /// A ULID: 26 characters that sort by time.
    ///
    /// Each sorts after the one before, unless the clock was set back.
    package func identifier(wallMs: Int64) -> String {
        let (moment, high, low) = state.withLock { state in
            let behindMs = state.lastMs.subtractingReportingOverflow(wallMs)
            if !behindMs.overflow && (0...Self.disorderMsMax).contains(behindMs.partialValue) {
                state.low &+= 1
                if state.low == 0 { state.high &+= 1 }
            } else {
                // The top bit stays clear, so that counting up within a millisecond can never run over.
                state.high = UInt16(truncatingIfNeeded: state.random.next()) & 0x7FFF
                state.low = state.random.next()
                state.lastMs = wallMs
            }
            return (state.lastMs, state.high, state.low)
        }
        let time = UInt64(clamping: moment) & 0xFFFF_FFFF_FFFF
        return Identifier.text(time: time, high: high, low: low)
    }

    /// 32 hexadecimal digits, not all zero.
    package func trace() -> String {
        let (first, second) = state.withLock { ($0.random.next(), nonZero(&$0.random)) }
        return String(unsafeUninitializedCapacity: 32) { buffer in
            Identifier.writeHex(first, to: buffer, at: 0)
            Identifier.writeHex(second, to: buffer, at: 16)
            return 32
        }
    }

    /// 16 hexadecimal digits, not all zero.
    package func span() -> String {
        let value = state.withLock { nonZero(&$0.random) }
        return String(unsafeUninitializedCapacity: 16) { buffer in
            Identifier.writeHex(value, to: buffer, at: 0)
            return 16
        }
    }
}

/// W3C Trace Context calls an identifier of only zeros invalid.
private func nonZero(_ random: inout RandomSource) -> UInt64 {
    let value = random.next()
    return value == 0 ? 1 : value
}
