/// Converts the bytes of a terminal to keys, also when a key's bytes arrive separately.
package struct PickKeyReader: Sendable {
    private static let sequenceMax = 16

    private var pending: [UInt8] = []

    package init() {}

    /// True after the beginning of a sequence, which may also be the escape key.
    package var isWaiting: Bool { !pending.isEmpty }

    package mutating func decode(_ bytes: some Sequence<UInt8>) -> [PickKey] {
        var keys: [PickKey] = []
        for byte in bytes { decode(byte, &keys) }
        return keys
    }

    /// Returns the keys of pending bytes. Call this when nothing else arrived for a while.
    package mutating func flush() -> [PickKey] {
        let isEscape = pending.first == 0x1B
        pending = []
        return isEscape ? [.escape] : []
    }

    private mutating func decode(_ byte: UInt8, _ keys: inout [PickKey]) {
        guard let first = pending.first else { return begin(byte, &keys) }
        if first == 0x1B { return sequence(byte, &keys) }
        // An incomplete character is dropped.
        guard byte & 0xC0 == 0x80 else {
            pending = []
            return begin(byte, &keys)
        }
        pending.append(byte)
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard pending.count == length else { return }
        let text = String(validating: pending, as: UTF8.self)
        pending = []
        if let character = text?.first, Self.isShown(character) { keys.append(.text(character)) }
    }

    private mutating func begin(_ byte: UInt8, _ keys: inout [PickKey]) {
        switch byte {
        case 0x1B, 0xC2...0xF4: pending = [byte]
        case 0x03, 0x1C: keys.append(.interrupt)
        case 0x09: keys.append(.tab)
        case 0x0A, 0x0D: keys.append(.enter)
        case 0x08, 0x7F: keys.append(.backspace)
        case 0x15, 0x17: keys.append(.clear)
        case 0x10: keys.append(.up)
        case 0x0E: keys.append(.down)
        case 0x01: keys.append(.home)
        case 0x05: keys.append(.end)
        case 0x20: keys.append(.space)
        case 0x21..<0x7F: keys.append(.text(Character(Unicode.Scalar(byte))))
        default: break
        }
    }

    /// Parses `ESC [ A`, `ESC O A`, `ESC [ 1 ; 5 A` and `ESC [ 5 ~`.
    private mutating func sequence(_ byte: UInt8, _ keys: inout [PickKey]) {
        if pending.count == 1 {
            if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") {
                pending.append(byte)
            } else {
                // The escape key, followed immediately by another key.
                pending = []
                keys.append(.escape)
                begin(byte, &keys)
            }
            return
        }
        guard (0x40...0x7E).contains(byte) || pending.count >= Self.sequenceMax else {
            pending.append(byte)
            return
        }
        let number = pending.dropFirst(2).prefix { (0x30...0x39).contains($0) }
        pending = []
        if let key = Self.key(byte, String(decoding: number, as: UTF8.self)) { keys.append(key) }
    }

    private static func key(_ end: UInt8, _ number: String) -> PickKey? {
        switch Character(Unicode.Scalar(end)) {
        case "A": .up
        case "B": .down
        case "C": .right
        case "D": .left
        case "H": .home
        case "F": .end
        case "Z": .backTab
        case "M": .enter
        case "~":
            ["1": .home, "7": .home, "4": .end, "8": .end, "5": .pageUp, "6": .pageDown, "3": .backspace][
                number
            ]
        default: nil
        }
    }

    private static func isShown(_ character: Character) -> Bool {
        character.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: false
            default: true
            }
        }
    }
}

/// A key, by its meaning for a list.
package enum PickKey: Sendable, Equatable {
    case text(Character)
    case space
    case enter
    case escape
    case interrupt
    case tab
    case backTab
    case up
    case down
    case left
    case right
    case pageUp
    case pageDown
    case home
    case end
    case backspace
    case clear
}
