/// xoshiro256** by Blackman and Vigna: random enough for identifiers, and fast enough for every message.
///
/// Do not use it for secrets.
package struct RandomSource: RandomNumberGenerator, Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    /// Seeds the generator from the kernel.
    package init() {
        var system = SystemRandomNumberGenerator()
        self.init(seed: system.next())
        state = (system.next(), system.next(), system.next(), system.next() | 1)
    }

    /// Seeds the generator. The same seed gives the same numbers, which a simulation needs.
    package init(seed: UInt64) {
        // SplitMix64 spreads the seed. The state must not be all zero, and SplitMix64 never returns zero four times in a row.
        var mixed = SeededRandom(seed: seed)
        state = (mixed.next(), mixed.next(), mixed.next(), mixed.next())
    }

    package mutating func next() -> UInt64 {
        let scaled = state.1 &* 5
        let result = ((scaled << 7) | (scaled >> 57)) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = (state.3 << 45) | (state.3 >> 19)
        return result
    }
}

/// SplitMix64 by Steele, Lea and Flood. The seed determines all numbers.
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
