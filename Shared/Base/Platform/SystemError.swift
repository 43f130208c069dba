import Glibc

/// A failed system call, told with its errno text.
package enum SystemError {
    /// The problem to throw right after a call failed; reads `errno` first, before anything can overwrite it.
    package static func last(_ call: String, _ code: String = "system.call_failed") -> Problem {
        make(call, errno, code)
    }

    package static func make(_ call: String, _ number: Int32, _ code: String = "system.call_failed")
        -> Problem
    {
        Problem(code, "\(call) failed: \(text(number))", details: ["errno": String(number)])
    }

    /// The errno in words.
    ///
    /// `strerror_r` rather than `strerror`: several threads may ask at once.
    package static func text(_ number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        return strerror_r(number, &buffer, buffer.count) == 0
            ? String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            : "error \(number)"
    }
}
