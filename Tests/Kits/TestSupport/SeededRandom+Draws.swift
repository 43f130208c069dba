package import STPlatform

extension SeededRandom {
    /// By remainder, not by the standard library: a seed that once failed must draw the same under any version of it.
    package mutating func number<Number: FixedWidthInteger>(_ range: ClosedRange<Number>) -> Number {
        let width =
            UInt64(truncatingIfNeeded: range.upperBound) &- UInt64(truncatingIfNeeded: range.lowerBound)
        let step = width == .max ? next() : next() % (width + 1)
        return range.lowerBound &+ Number(truncatingIfNeeded: step)
    }

    /// True once in a thousand times `perMille`.
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

    /// Nil only for an empty list.
    package mutating func pick<T>(_ list: [T]) -> T? {
        list.isEmpty ? nil : list[number(0...(list.count - 1))]
    }
}
