/// Moments as text, in UTC with milliseconds: `2026-11-20T17:00:00.000Z`.
///
/// Written by hand because every event has one and the services do not use Foundation's formatters.
package enum RFC3339 {
    /// 0001-01-01 to the end of 9999, the range of four-digit years.
    private static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// The text of a moment. A moment outside the range is written as the nearest end of the range.
    package static func text(wallMs: Int64) -> String {
        let wallMs = min(max(wallMs, range.lowerBound), range.upperBound)
        let days = floorDivide(wallMs, 86_400_000)
        var rest = Int(wallMs - days * 86_400_000)
        let date = CivilDate(daysSinceEpoch: Int(days))
        return String(unsafeUninitializedCapacity: 24) { buffer in
            put(date.year, width: 4, at: 0, in: buffer)
            buffer[4] = UInt8(ascii: "-")
            put(date.month, width: 2, at: 5, in: buffer)
            buffer[7] = UInt8(ascii: "-")
            put(date.day, width: 2, at: 8, in: buffer)
            buffer[10] = UInt8(ascii: "T")
            put(rest / 3_600_000, width: 2, at: 11, in: buffer)
            rest %= 3_600_000
            buffer[13] = UInt8(ascii: ":")
            put(rest / 60_000, width: 2, at: 14, in: buffer)
            rest %= 60_000
            buffer[16] = UInt8(ascii: ":")
            put(rest / 1000, width: 2, at: 17, in: buffer)
            buffer[19] = UInt8(ascii: ".")
            put(rest % 1000, width: 3, at: 20, in: buffer)
            buffer[23] = UInt8(ascii: "Z")
            return 24
        }
    }

    /// The moment of a date and time with `Z` or a numeric offset. `nil` for any other text. Fractions below milliseconds are cut.
    package static func wallMs(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 40, bytes[4] == 0x2D, bytes[7] == 0x2D,
            bytes[10] == 0x54 || bytes[10] == 0x74 || bytes[10] == 0x20, bytes[13] == 0x3A, bytes[16] == 0x3A,
            let year = number(bytes, start: 0, count: 4), let month = number(bytes, start: 5, count: 2),
            let day = number(bytes, start: 8, count: 2),
            let hour = number(bytes, start: 11, count: 2), let minute = number(bytes, start: 14, count: 2),
            let second = number(bytes, start: 17, count: 2),
            (1...12).contains(month), (1...CivilDate.daysIn(month: month, year: year)).contains(day),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        var index = 19
        var fraction = 0
        if bytes[index] == 0x2E {
            index += 1
            var scale = 100
            let start = index
            while index < bytes.count, bytes[index] >= 0x30, bytes[index] <= 0x39 {
                fraction += Int(bytes[index] - 0x30) * scale
                scale /= 10
                index += 1
            }
            guard index > start else { return nil }
        }
        guard let offset = offsetMinutes(bytes, at: index) else { return nil }
        let days = CivilDate(year: year, month: month, day: day).daysSinceEpoch
        let minutes = hour * 60 + minute - offset
        return Int64(days) * 86_400_000 + Int64(minutes) * 60_000 + Int64(second) * 1000 + Int64(fraction)
    }

    private static func offsetMinutes(_ bytes: [UInt8], at index: Int) -> Int? {
        guard index < bytes.count else { return nil }
        if bytes[index] == 0x5A || bytes[index] == 0x7A { return index + 1 == bytes.count ? 0 : nil }
        guard bytes[index] == 0x2B || bytes[index] == 0x2D, index + 6 == bytes.count,
            bytes[index + 3] == 0x3A,
            let hours = number(bytes, start: index + 1, count: 2),
            let minutes = number(bytes, start: index + 4, count: 2),
            hours < 24, minutes < 60
        else { return nil }
        return (bytes[index] == 0x2D ? -1 : 1) * (hours * 60 + minutes)
    }

    private static func number(_ bytes: [UInt8], start: Int, count: Int) -> Int? {
        var value = 0
        for byte in bytes[start..<(start + count)] {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return value
    }

    private static func put(
        _ value: Int,
        width: Int,
        at start: Int,
        in buffer: UnsafeMutableBufferPointer<UInt8>
    ) {
        var value = value
        for index in stride(from: start + width - 1, through: start, by: -1) {
            buffer[index] = UInt8(ascii: "0") + UInt8(value % 10)
            value /= 10
        }
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }
}
