import STContracts
import STPlatform

/// What a notification may say, and under which names.
enum PostCheck {
    static func check(_ request: NotifyPost.Request) throws(Problem) {
        guard !request.app.isEmpty, request.app.utf8.count <= NotifyPost.nameBytesMax,
            request.app.utf8.allSatisfy(isNameByte)
        else {
            throw Problem(
                "notify.bad_app",
                "An app's id has 1 to \(NotifyPost.nameBytesMax) letters, digits, dots, dashes and underscores.",
                field: "/app"
            )
        }
        try name(request.id, "/id")
        if let member = request.member { try name(member, "/member") }
        if let cause = request.cause { try name(cause, "/cause") }
        guard request.title.contains(where: { !$0.isWhitespace }) else {
            throw Problem(
                "notify.bad_text",
                "A notification without a title says nothing; give it one.",
                field: "/title"
            )
        }
        try text(request.title, NotifyPost.titleBytesMax, mayBreak: false, "/title")
        try text(request.body, NotifyPost.bodyBytesMax, mayBreak: true, "/body")
    }

    private static func name(_ text: String, _ field: String) throws(Problem) {
        let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard !text.isEmpty, text.utf8.count <= NotifyPost.nameBytesMax, isPlain else {
            throw Problem(
                "notify.bad_name",
                "This has 1 to \(NotifyPost.nameBytesMax) bytes and no control characters.",
                field: field
            )
        }
    }

    /// Markup is text like any other here; whoever shows it must escape it.
    private static func text(_ text: String, _ bytesMax: Int, mayBreak: Bool, _ field: String)
        throws(Problem)
    {
        guard text.utf8.count <= bytesMax else {
            throw Problem(
                "notify.bad_text",
                "This text has \(text.utf8.count) bytes, and \(bytesMax) are the limit. Make it shorter.",
                field: field
            )
        }
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control || mayBreak && (scalar == "\n" || scalar == "\t")
        }
        guard isPlain else {
            throw Problem(
                "notify.bad_text",
                mayBreak
                    ? "Of control characters only line ends and tabs may stand in the body."
                    : "Control characters may not stand in a title, not even line ends.",
                field: field
            )
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
