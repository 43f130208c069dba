import Glibc
import STPlatform

/// Standard input, to its end.
enum Input {
    static func all(limitBytes: Int) throws(Problem) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(STDIN_FILENO, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw SystemError.last("read") }
            if count == 0 { return bytes }
            guard bytes.count + count <= limitBytes else {
                throw tooLarge(limitBytes)
            }
            bytes += part[..<count]
        }
    }

    static func tooLarge(_ limitBytes: Int) -> Problem {
        Problem(
            "draw.request_too_large",
            "The request is larger than \(TextFormat.bytes(Int64(limitBytes))); leave "
                + "the picture out of it or make it smaller."
        )
    }
}
