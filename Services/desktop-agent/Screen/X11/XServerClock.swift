/// When something happened, from the server's time of it.
///
/// The server counts milliseconds from somewhere, in 32 bits. The smallest distance ever seen between its time and ours
/// is that of a message that was under way for no time at all; whatever a later one has more is how late we hear of it.
struct XServerClock {
    /// Nothing is heard later than this; larger distances are mistakes, or the server's clock was set.
    private static let lateMsMax: Int64 = 10_000

    private var nearest: UInt32?

    /// How many milliseconds ago that was.
    mutating func age(ofServerMs server: UInt32, nowMonotonicMs: Int64) -> Int64 {
        // 0 is the protocol's word for now.
        guard server != 0 else { return 0 }
        let distance = UInt32(truncatingIfNeeded: nowMonotonicMs) &- server
        guard let known = nearest else {
            nearest = distance
            return 0
        }
        let late = Int64(Int32(bitPattern: distance &- known))
        if late < 0 || late > Self.lateMsMax {
            nearest = distance
            return 0
        }
        return late
    }
}
