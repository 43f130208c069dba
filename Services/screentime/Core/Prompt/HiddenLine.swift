/// A line that is typed without being shown, key by key, with the editing that a terminal would have done.
package struct HiddenLine {
    package enum Step: Equatable {
        case more
        case done
        /// Ctrl-D on an empty line.
        case ended
        case interrupted
        case tooLong
    }

    private let bytesMax: Int
    private var bytes: [UInt8] = []

    package init(bytesMax: Int) {
        self.bytesMax = bytesMax
        // Grown later, it would leave copies of what it held behind.
        bytes.reserveCapacity(bytesMax)
    }

    package mutating func take(_ byte: UInt8) -> Step {
        switch byte {
        case 0x0A, 0x0D: return .done
        case 0x03, 0x1C: return .interrupted
        case 0x04: return bytes.isEmpty ? .ended : .done
        case 0x08, 0x7F: removeCharacter()
        case 0x15: wipe()
        default:
            guard bytes.count < bytesMax else { return .tooLong }
            bytes.append(byte)
        }
        return .more
    }

    /// The line; what was kept of it is overwritten.
    package mutating func text() -> String {
        defer { wipe() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A character of several bytes goes as one.
    private mutating func removeCharacter() {
        while let last = bytes.popLast() {
            if last & 0xC0 != 0x80 { return }
        }
    }

    private mutating func wipe() {
        for index in bytes.indices { bytes[index] = 0 }
        bytes.removeAll(keepingCapacity: true)
    }
}
