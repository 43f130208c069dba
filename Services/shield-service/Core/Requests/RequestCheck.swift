import STContracts
import STPlatform

/// Whether a request for more time can be meant.
enum RequestCheck {
    static let durationMs: ClosedRange<Int64> = 1_000...86_400_000
    /// Apple's number of things that one setting may name.
    static let itemsMax = 50
    static let wordsBytesMax = 500
    static let shieldBytesMax = 128

    /// With its items as they are kept.
    static func checked(_ request: RequestAdd.Request) throws -> RequestAdd.Request {
        var checked = request
        try duration(request.durationMs)
        guard request.items.count <= itemsMax else {
            throw Problem(
                "request.bad_items",
                "A request names at most \(itemsMax) apps, categories and sites; with none it is for everything.",
                field: "/items"
            )
        }
        checked.items = try ItemCheck.checked(request.items, "/items", code: "request.bad_items")
        checked.because = try words(request.because, "/because")
        if let shield = request.shield,
            shield.isEmpty || shield.utf8.count > shieldBytesMax || !isPlain(shield)
        {
            throw Problem(
                "request.bad_shield",
                "The name of a shield has 1 to \(shieldBytesMax) bytes and no control characters.",
                field: "/shield"
            )
        }
        return checked
    }

    static func duration(_ ms: Int64) throws(Problem) {
        guard durationMs.contains(ms) else {
            throw Problem(
                "request.bad_duration",
                "More time is from 1s to 24h.",
                field: "/duration_ms"
            )
        }
    }

    /// What a person writes; empty is none.
    static func words(_ text: String?, _ field: String) throws(Problem) -> String? {
        guard let text, !text.isEmpty else { return nil }
        guard text.utf8.count <= wordsBytesMax, isPlain(text) else {
            throw Problem(
                "request.bad_words",
                "A reason has at most \(wordsBytesMax) bytes and no control characters.",
                field: field
            )
        }
        return text
    }

    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
