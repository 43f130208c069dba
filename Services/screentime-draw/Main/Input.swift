import Glibc
import STPlatform

/// Reads standard input to its end.
enum Input {
    static func readAll(limitBytes: Int) throws(Problem) -> [UInt8] {
        try OwnedDescriptor.readAll(STDIN_FILENO, limitBytes: limitBytes, tooLarge: tooLarge(limitBytes))
    }

    static func tooLarge(_ limitBytes: Int) -> Problem {
        Problem(
            "draw.request_too_large",
            """
            The request is larger than \(TextFormat.bytes(Int64(limitBytes)), "limitBytes"). Leave out its \
            picture, or make the picture smaller.
            """
        )
    }
}

/// Reads lines of standard input, one at a time.
struct LineInput {
    enum Next {
        case line([UInt8])
        /// The line was longer than the limit. The rest of it was skipped.
        case tooLong
        /// There was no line in time, or the input has ended.
        case end
    }

    private let limitBytes: Int
    private var buffer: [UInt8] = []
    /// The number of bytes that were searched and contain no line break.
    private var searched = 0
    private var isSkipping = false
    private var hasEnded = false

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    mutating func next(within timeout: Duration) -> Next {
        let deadline = SuspendingClock.now + timeout
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                let line = Array(buffer[..<end])
                buffer.removeSubrange(...end)
                searched = 0
                if isSkipping || line.count > limitBytes {
                    isSkipping = false
                    return .tooLong
                }
                if line.isEmpty { continue }
                return .line(line)
            }
            searched = buffer.count
            if buffer.count > limitBytes {
                isSkipping = true
                buffer.removeAll()
                searched = 0
            }
            if hasEnded {
                defer { buffer = [] }
                // The last line may have no line break.
                return buffer.isEmpty || isSkipping ? .end : .line(buffer)
            }
            guard Descriptor.isReadable(STDIN_FILENO, by: deadline) else { return .end }
            hasEnded = !Descriptor.readSome(STDIN_FILENO, into: &buffer)
        }
    }
}

/// Waits for descriptors with a deadline, or without one if it is `nil`.
enum Descriptor {
    /// Returns false if the deadline passes first.
    static func isReadable(_ number: Int32, by deadline: SuspendingClock.Instant?) -> Bool {
        while true {
            var item = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            let rest = deadline.map { max(0, ($0 - SuspendingClock.now).ms) } ?? .max
            let count = poll(&item, 1, Int32(clamping: rest))
            if count < 0 && errno == EINTR { continue }
            return count > 0
        }
    }

    /// Appends the available bytes. Returns false at the end of the input.
    static func readSome(_ number: Int32, into bytes: inout [UInt8], atMost: Int = 64 * 1024) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: atMost, alignment: 1) { part in
            var count = Glibc.read(number, part.baseAddress, part.count)
            while count < 0 && errno == EINTR { count = Glibc.read(number, part.baseAddress, part.count) }
            guard count > 0 else { return false }
            bytes += part[..<count]
            return true
        }
    }

    /// Returns exactly this number of bytes, or nil if they do not arrive in time.
    static func read(_ number: Int32, count: Int, by deadline: SuspendingClock.Instant?) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard isReadable(number, by: deadline),
                readSome(number, into: &bytes, atMost: min(64 * 1024, count - bytes.count))
            else { return nil }
        }
        return bytes
    }
}
