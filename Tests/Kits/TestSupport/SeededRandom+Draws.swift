package import STPlatform

extension SeededRandom {
    /// Draws by remainder and not by the standard library, because a seed that once failed must draw the same with every version
    /// of it.
    package mutating func number<Number: FixedWidthInteger>(_ range: ClosedRange<Number>) -> Number {
        let width =
            UInt64(truncatingIfNeeded: range.upperBound) &- UInt64(truncatingIfNeeded: range.lowerBound)
        let step = width == .max ? next() : next() % (width + 1)
        return range.lowerBound &+ Number(truncatingIfNeeded: step)
    }

    /// Returns true with a probability of `perMille` in a thousand.
    package mutating func chance(perMille: Int64) -> Bool { number(0...999) < perMille }

    package mutating func chance(percent: Int64) -> Bool { chance(perMille: percent * 10) }

    package mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            withUnsafeBytes(of: next().littleEndian) { bytes.append(contentsOf: $0) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Returns `nil` only for an empty list.
    package mutating func pick<T>(_ list: [T]) -> T? {
        list.isEmpty ? nil : list[number(0...(list.count - 1))]
    }
}
