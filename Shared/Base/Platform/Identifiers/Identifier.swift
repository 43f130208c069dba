import Synchronization

/// ULIDs: 48 bits of time and 80 random bits, as 26 characters of Crockford's base 32.
///
/// Every message has one, so the code calls no text formatting functions.
package enum Identifier {
    package static let length = 26

    static let shared = IdentifierGenerator()

    /// A new identifier from the process's shared generator.
    package static func make(wallMs: Int64) -> String { shared.identifier(wallMs: wallMs) }

    /// The time at which an identifier was made. `nil` if the text is not an identifier.
    package static func wallMs(of identifier: String) -> Int64? {
        guard identifier.utf8.count == length else { return nil }
        var ms: Int64 = 0
        for byte in identifier.utf8.prefix(10) {
            guard let value = (UInt64(0)..<32).first(where: { symbol($0) == byte }) else { return nil }
            ms = ms << 5 | Int64(value)
        }
        return ms
    }

    static func encode(time: UInt64, high: UInt16, low: UInt64) -> String {
        String(unsafeUninitializedCapacity: length) { buffer in
            // 26 characters hold 130 bits. The 128 bits are right-aligned, five in each character.
            var low = low
            var top = time << 16 | UInt64(high)
            for index in stride(from: length - 1, through: 0, by: -1) {
                buffer[index] = symbol(low & 31)
                low = low >> 5 | top << 59
                top >>= 5
            }
            return length
        }
    }

    static func writeHex(_ value: UInt64, to buffer: UnsafeMutableBufferPointer<UInt8>, at start: Int) {
        for index in 0..<16 {
            let digit = UInt8(truncatingIfNeeded: value >> UInt64(60 - 4 * index)) & 15
            buffer[start + index] = digit < 10 ? 48 + digit : 87 + digit
        }
    }

    /// The digits 0 to 9, then the letters without I, L, O and U.
    private static func symbol(_ value: UInt64) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: value)
        return switch value {
        case 0..<10: 48 + value
        case 10..<18: 55 + value  // A-H
        case 18..<20: 56 + value  // J-K
        case 20..<22: 57 + value  // M-N
        case 22..<27: 58 + value  // P-T
        default: 59 + value  // V-Z
        }
    }
}

/// Makes identifiers, from any thread.
///
/// A simulation has its own generator with a seed. The rest of a process shares one.
package final class IdentifierGenerator: Sendable {
    private struct State {
        var random: RandomSource
        var lastMs: Int64 = .min
        var high: UInt16 = 0
        var low: UInt64 = 0
    }

    /// Upper bound of a step back that counts as disorder: two threads may read the clock in one order and call this in the other.
    ///
    /// A larger step back means that the clock was set. Then identifiers follow the clock.
    private static let disorderMsMax: Int64 = 1000

    private let state: Mutex<State>

    package init() { state = Mutex(State(random: RandomSource())) }

    package init(seed: UInt64) { state = Mutex(State(random: RandomSource(seed: seed))) }

    /// Returns a ULID of 26 characters. Each sorts after the one before, unless the clock was set back.
    package func identifier(wallMs: Int64) -> String {
        let (moment, high, low) = state.withLock { state in
            let behindMs = state.lastMs.subtractingReportingOverflow(wallMs)
            if !behindMs.overflow && (0...Self.disorderMsMax).contains(behindMs.partialValue) {
                state.low &+= 1
                if state.low == 0 { state.high &+= 1 }
            } else {
                // The top bit stays clear, so counting up within a millisecond can never overflow.
                state.high = UInt16(truncatingIfNeeded: state.random.next()) & 0x7FFF
                state.low = state.random.next()
                state.lastMs = wallMs
            }
            return (state.lastMs, state.high, state.low)
        }
        let time = UInt64(clamping: moment) & 0xFFFF_FFFF_FFFF
        return Identifier.encode(time: time, high: high, low: low)
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

/// Returns a random number other than zero, because W3C Trace Context rejects an identifier of only zeros.
private func nonZero(_ random: inout RandomSource) -> UInt64 {
    let value = random.next()
    return value == 0 ? 1 : value
}

/// Identifiers of W3C Trace Context.
package enum TraceIdentifiers {
    /// 32 hexadecimal digits, not all zero.
    package static func trace() -> String { Identifier.shared.trace() }

    /// 16 hexadecimal digits, not all zero.
    package static func span() -> String { Identifier.shared.span() }
}
