import Glibc

/// The only error type: a stable code for programs, and a sentence for a person that says what to do next.
///
/// Codes are an open set of `area.reason` strings, because a newer peer may send a code that this version does not have. On the
/// wire a problem is the body of a reply with `"ok":false`.
package struct Problem: Error, Sendable, Equatable {
    package var code: String
    package var text: Message
    /// JSON pointer to the rejected input, such as `/schedule/interval_end`.
    package var field: String?
    /// True if the same request may succeed later.
    package var retryable: Bool
    /// A command that helps, such as `screentime system up`.
    package var help: String?
    package var details: [String: String]

    package init(
        _ code: String,
        text: Message,
        field: String? = nil,
        retryable: Bool = false,
        help: String? = nil,
        details: [String: String] = [:]
    ) {
        self.code = code
        self.text = text
        self.field = field
        self.retryable = retryable
        self.help = help
        self.details = details
    }

    /// The key of the message defaults to the code. Pass `key` if the code has several messages.
    package init(
        _ code: String,
        _ text: MessageText,
        key: String? = nil,
        field: String? = nil,
        retryable: Bool = false,
        help: String? = nil,
        details: [String: String] = [:]
    ) {
        self.init(
            code,
            text: Message(key ?? code, text),
            field: field,
            retryable: retryable,
            help: help,
            details: details
        )
    }

    /// A problem with a text that has no translation, because another program or a library wrote it.
    package init(
        _ code: String,
        verbatim text: String,
        field: String? = nil,
        retryable: Bool = false,
        help: String? = nil,
        details: [String: String] = [:]
    ) {
        self.init(
            code,
            text: Message(key: "", english: text, values: [:]),
            field: field,
            retryable: retryable,
            help: help,
            details: details
        )
    }

    /// The text in English. A text that is set here has no translation.
    package var message: String {
        get { text.english }
        set { text = Message(key: "", english: newValue, values: [:]) }
    }

    /// Converts any error to a problem.
    package init(_ error: any Error) {
        self = (error as? Problem) ?? Problem("internal", verbatim: "\(error)")
    }
}

extension Problem: CustomStringConvertible {
    package var description: String {
        let location = field.map { " (at \($0))" } ?? ""
        let advice = help.map { "\n  try: \($0)" } ?? ""
        return "\(message)\(location) [\(code)]\(advice)"
    }
}

/// Problems of failed system calls, with the text of their errno.
package enum SystemError {
    /// The problem to throw immediately after a call failed. Reads `errno` first, before another call can overwrite it.
    package static func last(_ call: String, _ code: String = "system.call_failed") -> Problem {
        make(call, number: errno, code: code)
    }

    package static func make(_ call: String, number: Int32, code: String = "system.call_failed")
        -> Problem
    {
        Problem(
            code,
            "\(call, "call") failed: \(text(number), "reason")",
            key: "system.call_failed.reason",
            details: ["errno": String(number)]
        )
    }

    /// The meaning of an errno. Only the frequent ones have translations.
    package static func text(_ number: Int32) -> Message {
        switch number {
        case ENOENT: return Message("system.no-such-file", "No such file or directory")
        case EACCES: return Message("system.permission-denied", "Permission denied")
        case ENOTDIR: return Message("system.not-a-directory", "Not a directory")
        case EISDIR: return Message("system.is-a-directory", "Is a directory")
        case ENOSPC: return Message("system.no-space", "No space left on device")
        case ECONNREFUSED: return Message("system.connection-refused", "Connection refused")
        default: break
        }
        // Not `strerror`, because several threads may call it at the same time.
        var buffer = [CChar](repeating: 0, count: 256)
        return Message(
            verbatim: strerror_r(number, &buffer, buffer.count) == 0
                ? String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                : "error \(number)"
        )
    }
}
