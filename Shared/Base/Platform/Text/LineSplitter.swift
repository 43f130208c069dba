/// Splits a stream of bytes into lines.
package struct LineSplitter {
    private let lineBytesMax: Int
    private var buffer: [UInt8] = []
    /// True while the rest of a line that is too long is skipped.
    private var isSkipping = false

    package init(lineBytesMax: Int = 64 * 1024) { self.lineBytesMax = lineBytesMax }

    package mutating func add(_ bytes: ArraySlice<UInt8>, _ emit: (String) -> Void) {
        var rest = bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            append(rest[..<end], emit)
            if !isSkipping { emit(text()) }
            isSkipping = false
            buffer.removeAll(keepingCapacity: true)
            rest = rest[(end + 1)...]
        }
        append(rest, emit)
    }

    /// Emits a last line without a line end. Call this at the end of the stream.
    package mutating func finish(_ emit: (String) -> Void) {
        if !buffer.isEmpty && !isSkipping { emit(text()) }
        buffer = []
        isSkipping = false
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>, _ emit: (String) -> Void) {
        guard !isSkipping else { return }
        let room = lineBytesMax - buffer.count
        buffer += bytes.prefix(room)
        guard bytes.count > room else { return }
        // Emit it immediately, because the line's end may never come.
        emit(text() + " … [cut here: the line is longer than \(lineBytesMax) bytes]")
        isSkipping = true
        buffer.removeAll(keepingCapacity: true)
    }

    private func text() -> String {
        let line = buffer.last == UInt8(ascii: "\r") ? buffer.dropLast() : buffer[...]
        return String(decoding: line, as: UTF8.self)
    }
}
