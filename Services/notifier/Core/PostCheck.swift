import STContracts
import STDomain
import STPlatform

/// Checks the text and the names of a notification.
enum PostCheck {
    static func check(_ request: NotifyPost.Request) throws {
        try app(request.app)
        try name(request.id, "/id")
        if let member = request.member { try name(member, "/member") }
        if let cause = request.cause { try name(cause, "/cause") }
        guard request.title.contains(where: { !$0.isWhitespace }) else {
            throw Problem(
                "notify.bad_text",
                "A notification needs a title.",
                field: "/title"
            )
        }
        try text(request.title, bytesMax: NotifyPost.titleBytesMax, mayBreak: false, field: "/title")
        try text(request.body, bytesMax: NotifyPost.bodyBytesMax, mayBreak: true, field: "/body")
        try values(request.values ?? [:])
        try actions(request.actions ?? [])
        _ = try request.urgency?.required("/urgency")
    }

    static func app(_ app: String) throws(Problem) {
        guard !app.isEmpty, app.utf8.count <= NotifyPost.nameBytesMax, app.utf8.allSatisfy(isNameByte) else {
            throw Problem(
                "notify.bad_app",
                """
                An app's id must consist of 1 to \(NotifyPost.nameBytesMax, "bytes") letters, digits, dots, \
                dashes and underscores.
                """,
                field: "/app"
            )
        }
    }

    static func name(_ text: String, _ field: String) throws(Problem) {
        guard !text.isEmpty, text.utf8.count <= NotifyPost.nameBytesMax, text.isPlain else {
            throw Problem(
                "notify.bad_name",
                "This name must have 1 to \(NotifyPost.nameBytesMax, "bytes") bytes and no control characters.",
                field: field
            )
        }
    }

    private static func values(_ values: [String: String]) throws(Problem) {
        guard values.count <= NotifyPost.valuesMax else {
            throw Problem(
                "notify.bad_values",
                "There are \(values.count, "count") values, but at most \(NotifyPost.valuesMax, "most") are allowed.",
                field: "/values"
            )
        }
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            // A key that cannot be written in braces would have no effect.
            guard !key.isEmpty, key.utf8.count <= 32, key.utf8.allSatisfy(isNameByte) else {
                throw Problem(
                    "notify.bad_values",
                    "The name of a value must consist of 1 to 32 letters, digits, dots, dashes and underscores.",
                    key: "notify.bad_values.a-value-is",
                    field: "/values"
                )
            }
            try text(value, bytesMax: NotifyPost.valueBytesMax, mayBreak: false, field: "/values/\(key)")
        }
    }

    private static func actions(_ actions: [NotifyAction]) throws(Problem) {
        guard actions.count <= NotifyPost.actionsMax else {
            throw Problem(
                "notify.bad_actions",
                """
                There are \(actions.count, "count") buttons, but at most \(NotifyPost.actionsMax, "most") \
                are allowed.
                """,
                field: "/actions"
            )
        }
        var seen: Set<String> = []
        for (index, action) in actions.enumerated() {
            let field = "/actions/\(index)"
            try name(action.id, field + "/id")
            guard !NoticeAnswers.reserved.contains(action.id) else {
                throw Problem(
                    "notify.bad_actions",
                    "The answer \(action.id, "id") is already part of every notification. Give the button another id.",
                    key: "notify.bad_actions.every-notification-has",
                    field: field + "/id"
                )
            }
            guard seen.insert(action.id).inserted else {
                throw Problem(
                    "notify.bad_actions",
                    "Two buttons have the same id.",
                    key: "notify.bad_actions.two-buttons-have",
                    field: field + "/id"
                )
            }
            guard action.label.contains(where: { !$0.isWhitespace }) else {
                throw Problem(
                    "notify.bad_text",
                    "A button needs a label.",
                    key: "notify.bad_text.a-button-needs",
                    field: field + "/label"
                )
            }
            try text(
                action.label,
                bytesMax: NotifyPost.labelBytesMax,
                mayBreak: false,
                field: field + "/label"
            )
        }
    }

    /// Checks a text. Markup counts as plain text: the program that shows it must escape it.
    private static func text(_ text: String, bytesMax: Int, mayBreak: Bool, field: String)
        throws(Problem)
    {
        guard text.utf8.count <= bytesMax else {
            throw Problem(
                "notify.bad_text",
                """
                This text has \(text.utf8.count, "count") bytes, but at most \(bytesMax, "bytes") are \
                allowed. Shorten it.
                """,
                key: "notify.bad_text.this-text-has",
                field: field
            )
        }
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control || mayBreak && (scalar == "\n" || scalar == "\t")
        }
        guard isPlain else {
            throw Problem(
                "notify.bad_text",
                text: mayBreak
                    ? Message(
                        "notify.bad_text.the-body-may",
                        "The body may contain line breaks and tabs, but no other control characters."
                    )
                    : Message(
                        "notify.bad_text.this-may-not",
                        "This text must not contain control characters, not even line breaks."
                    ),
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
