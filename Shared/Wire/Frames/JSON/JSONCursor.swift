/// Walks over JSON text without building values. The header codec and the check of every incoming body use it.
///
/// Headers are read hundreds of thousands of times a second, and a general decoder costs ten times as much. Every step checks its
/// bounds. The depth limit prevents nesting from overflowing the stack.
package struct JSONCursor {
    private let base: UnsafeBufferPointer<UInt8>
    package private(set) var index = 0
    private var depth = 0
    private let depthLimit: Int

    package init(_ base: UnsafeBufferPointer<UInt8>, depthLimit: Int) {
        self.base = base
        self.depthLimit = depthLimit
    }

    package var isAtEnd: Bool { index >= base.count }

    private var malformed: JSONFault { .malformed(at: index) }

    @inline(__always)
    private var current: UInt8? { index < base.count ? base[index] : nil }

    @inline(__always)
    package mutating func skipSpace() {
        while index < base.count {
            switch base[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    // MARK: - Structure

    /// Calls `member` for each key with the cursor at the value, which `member` must read or skip.
    package mutating func object(_ member: (Range<Int>, inout JSONCursor) throws -> Void) throws {
        try beginContainer(UInt8(ascii: "{"))
        skipSpace()
        if current == UInt8(ascii: "}") { return endContainer() }
        while true {
            skipSpace()
            let key = try stringRange()
            skipSpace()
            try expect(UInt8(ascii: ":"))
            try member(key, &self)
            skipSpace()
            if current == UInt8(ascii: ",") {
                index += 1
                continue
            }
            guard current == UInt8(ascii: "}") else { throw malformed }
            return endContainer()
        }
    }

    /// Calls `element` with the cursor at each element, which `element` must read or skip.
    package mutating func array(_ element: (inout JSONCursor) throws -> Void) throws {
        try beginContainer(UInt8(ascii: "["))
        skipSpace()
        if current == UInt8(ascii: "]") { return endContainer() }
        while true {
            try element(&self)
            skipSpace()
            if current == UInt8(ascii: ",") {
                index += 1
                continue
            }
            guard current == UInt8(ascii: "]") else { throw malformed }
            return endContainer()
        }
    }

    private mutating func beginContainer(_ opening: UInt8) throws {
        skipSpace()
        guard current == opening else { throw malformed }
        depth += 1
        guard depth <= depthLimit else { throw JSONFault.tooDeep(limit: depthLimit) }
        index += 1
    }

    private mutating func endContainer() {
        index += 1
        depth -= 1
    }

    private mutating func expect(_ byte: UInt8) throws {
        guard current == byte else { throw malformed }
        index += 1
    }

    // MARK: - Values

    package enum Kind {
        case object, array, string, bool, null, number
    }

    /// The kind of the value at the cursor, determined from its first byte. Reading the value detects if it is malformed.
    package mutating func kind() throws -> Kind {
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        case nil: throw malformed
        default: return .number
        }
    }

    /// Skips one value and returns its range.
    @discardableResult
    package mutating func skipValue() throws -> Range<Int> {
        skipSpace()
        let start = index
        switch current {
        case UInt8(ascii: "{"): try object { _, cursor in try cursor.skipValue() }
        case UInt8(ascii: "["): try array { try $0.skipValue() }
        case UInt8(ascii: "\""): _ = try stringRange()
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: try skipNumber()
        }
        return start..<index
    }

    /// A string value. For another value, skips it and returns `nil`.
    package mutating func stringIfPresent() throws -> String? {
        skipSpace()
        guard current == UInt8(ascii: "\"") else {
            try skipValue()
            return nil
        }
        return try JSONStringText.decode(base, try stringRange())
    }

    /// A string value. Returns `known` itself if the text is the same, to avoid an allocation.
    package mutating func stringIfPresent(or known: String?) throws -> String? {
        skipSpace()
        guard let known, current == UInt8(ascii: "\"") else { return try stringIfPresent() }
        let range = try stringRange()
        return isText(range, known) ? known : try JSONStringText.decode(base, range)
    }

    private func isText(_ range: Range<Int>, _ text: String) -> Bool {
        var position = range.lowerBound
        let utf8 = text.utf8
        guard range.count == utf8.count else { return false }
        for byte in utf8 {
            if base[position] != byte { return false }
            position += 1
        }
        return true
    }

    /// The text after a prefix in a string value. `nil` if the string does not begin with it.
    package mutating func stringIfPresent(after prefix: StaticString, or known: String?) throws -> String? {
        skipSpace()
        guard current == UInt8(ascii: "\"") else {
            try skipValue()
            return nil
        }
        let range = try stringRange()
        let count = prefix.utf8CodeUnitCount
        guard range.count >= count, isKey(range.lowerBound..<(range.lowerBound + count), prefix) else {
            return nil
        }
        let rest = (range.lowerBound + count)..<range.upperBound
        if let known, isText(rest, known) { return known }
        return try JSONStringText.decode(base, rest)
    }

    /// The digits at the end of a string value as a number.
    package mutating func trailingNumberIfPresent() throws -> Int64? {
        skipSpace()
        guard current == UInt8(ascii: "\"") else {
            try skipValue()
            return nil
        }
        let range = try stringRange()
        var start = range.upperBound
        while start > range.lowerBound, base[start - 1] >= 0x30, base[start - 1] <= 0x39 { start -= 1 }
        return number(start..<range.upperBound)
    }

    /// A whole number. For another value, skips it and returns `nil`.
    package mutating func integerIfPresent() throws -> Int64? {
        number(try skipValue())
    }

    private func number(_ range: Range<Int>) -> Int64? { Self.number(base, range) }

    /// The text of a range as a whole number. `nil` for another value, and for a number that is too large.
    package static func number(_ base: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int64? {
        guard range.count <= 20, let first = range.first else { return nil }
        let isNegative = base[first] == UInt8(ascii: "-")
        var value: Int64 = 0
        var digits = 0
        for position in range.dropFirst(isNegative ? 1 : 0) {
            let byte = base[position]
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
            // Subtract digits of a negative number, because the lowest number has no positive counterpart.
            let digit = Int64(byte - 0x30)
            let (sum, overflowedToo) = product.addingReportingOverflow(isNegative ? -digit : digit)
            guard !overflowed, !overflowedToo else { return nil }
            value = sum
            digits += 1
        }
        return digits == 0 ? nil : value
    }

    package mutating func boolIfPresent() throws -> Bool? {
        let range = try skipValue()
        guard let first = range.first else { return nil }
        switch base[first] {
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "f"): return false
        default: return nil
        }
    }

    package func bytes(_ range: Range<Int>) -> [UInt8] { Array(base[range]) }

    /// True if the raw text of a key is this name.
    ///
    /// Names on the wire are plain ASCII and need no escapes.
    @inline(__always)
    package func isKey(_ range: Range<Int>, _ name: StaticString) -> Bool {
        guard range.count == name.utf8CodeUnitCount else { return false }
        for offset in 0..<range.count where base[range.lowerBound + offset] != name.utf8Start[offset] {
            return false
        }
        return true
    }

    package func text(_ range: Range<Int>) throws -> String { try JSONStringText.decode(base, range) }

    /// The bytes between the quotes, with escapes unchanged.
    private mutating func stringRange() throws -> Range<Int> {
        try expect(UInt8(ascii: "\""))
        let start = index
        while index < base.count {
            let byte = base[index]
            if byte == UInt8(ascii: "\"") {
                index += 1
                return start..<(index - 1)
            }
            guard byte >= 0x20 else { throw malformed }
            if byte == UInt8(ascii: "\\") { try skipEscape() } else { index += 1 }
        }
        throw malformed
    }

    private mutating func skipEscape() throws {
        index += 1
        switch current {
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                index += 1
                guard let byte = current, Character(UnicodeScalar(byte)).isHexDigit else { throw malformed }
            }
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            break
        default: throw malformed
        }
        index += 1
    }

    private mutating func literal(_ word: StaticString) throws {
        for offset in 0..<word.utf8CodeUnitCount { try expect(word.utf8Start[offset]) }
    }

    private mutating func skipNumber() throws {
        if current == UInt8(ascii: "-") { index += 1 }
        // A number has no leading zero.
        if current == UInt8(ascii: "0") { index += 1 } else { try skipDigits() }
        if current == UInt8(ascii: ".") {
            index += 1
            try skipDigits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            index += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { index += 1 }
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws {
        let start = index
        while let byte = current, byte >= 0x30, byte <= 0x39 { index += 1 }
        guard index > start else { throw malformed }
    }
}

/// Checks of text that came from outside.
package enum JSONText {
    /// Throws unless the bytes are exactly one JSON object, nested no deeper than the limit.
    package static func requireObject(_ bytes: [UInt8], depthLimit: Int = BusLimits.depth) throws {
        try bytes.withUnsafeBufferPointer { buffer in
            var cursor = JSONCursor(buffer, depthLimit: depthLimit)
            cursor.skipSpace()
            guard !cursor.isAtEnd, buffer[cursor.index] == UInt8(ascii: "{") else {
                // A separate error from malformed text, because the correction is different.
                try cursor.skipValue()
                throw JSONFault.notAnObject
            }
            try cursor.skipValue()
            cursor.skipSpace()
            guard cursor.isAtEnd else { throw JSONFault.malformed(at: cursor.index) }
        }
    }

    /// Reads a top-level object member by member.
    package static func object(
        _ bytes: [UInt8],
        _ member: (Range<Int>, inout JSONCursor) throws -> Void
    ) throws {
        try bytes.withUnsafeBufferPointer { buffer in
            var cursor = JSONCursor(buffer, depthLimit: BusLimits.depth)
            try cursor.object(member)
            cursor.skipSpace()
            guard cursor.isAtEnd else { throw JSONFault.malformed(at: cursor.index) }
        }
    }
}

/// The text of a JSON string with escapes decoded.
enum JSONStringText {
    static func decode(_ base: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) throws -> String {
        let raw = UnsafeBufferPointer(rebasing: base[range])
        guard raw.contains(UInt8(ascii: "\\")) else { return String(decoding: raw, as: UTF8.self) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var index = 0
        while index < raw.count {
            guard raw[index] == UInt8(ascii: "\\") else {
                bytes.append(raw[index])
                index += 1
                continue
            }
            index = try unescape(raw, at: index + 1, into: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func unescape(
        _ raw: UnsafeBufferPointer<UInt8>,
        at index: Int,
        into bytes: inout [UInt8]
    ) throws -> Int {
        guard index < raw.count else { throw JSONFault.malformed(at: index) }
        switch raw[index] {
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(raw[index])
        case UInt8(ascii: "u"): return try unicode(raw, at: index + 1, into: &bytes)
        default: throw JSONFault.malformed(at: index)
        }
        return index + 1
    }

    private static func unicode(
        _ raw: UnsafeBufferPointer<UInt8>,
        at index: Int,
        into bytes: inout [UInt8]
    ) throws -> Int {
        let first = try unit(raw, at: index)
        var units = [first]
        var next = index + 4
        if UTF16.isLeadSurrogate(first), next + 6 <= raw.count, raw[next] == UInt8(ascii: "\\"),
            raw[next + 1] == UInt8(ascii: "u")
        {
            units.append(try unit(raw, at: next + 2))
            next += 6
        }
        // A lone surrogate becomes U+FFFD here, as everywhere in Swift.
        bytes.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
        return next
    }

    private static func unit(_ raw: UnsafeBufferPointer<UInt8>, at index: Int) throws -> UInt16 {
        guard index + 4 <= raw.count else { throw JSONFault.malformed(at: index) }
        var value: UInt16 = 0
        for offset in 0..<4 {
            guard let digit = Character(UnicodeScalar(raw[index + offset])).hexDigitValue else {
                throw JSONFault.malformed(at: index)
            }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}

/// The reason why bytes are not the expected JSON.
package enum JSONFault: Error, Equatable {
    case malformed(at: Int)
    case tooDeep(limit: Int)
    case notAnObject
}
