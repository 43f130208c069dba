import Glibc
import STPlatform

/// Lines of standard input, one at a time.
struct LineInput {
    enum Next {
        case line([UInt8])
        /// Longer than the limit; the rest of it was left out.
        case tooLong
        /// Nothing came for so long, or nothing will any more.
        case over
    }

    private let limitBytes: Int
    private var buffer: [UInt8] = []
    /// Up to here there is no line break in it.
    private var searched = 0
    private var isSkipping = false
    private var hasEnded = false

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    mutating func next(withinMs: Int64) -> Next {
        let deadline = Stopwatch.milliseconds() + withinMs
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
                // The last line may lack its end.
                return buffer.isEmpty || isSkipping ? .over : .line(buffer)
            }
            guard Descriptor.isReadable(STDIN_FILENO, by: deadline) else { return .over }
            hasEnded = !Descriptor.readSome(STDIN_FILENO, into: &buffer)
        }
    }
}
