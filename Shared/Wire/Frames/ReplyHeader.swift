/// The first frame of a reply.
package struct ReplyHeader: Sendable, Equatable {
    package var v: Int64 = 1
    /// Nil (`null` on the wire) when the request had no id that could be read.
    package var id: String?
    package var ok: Bool
    /// Set when the answer was kept from an earlier arrival of the same idempotency key.
    package var repeated: Bool

    package init(id: String?, ok: Bool, repeated: Bool = false) {
        self.id = id
        self.ok = ok
        self.repeated = repeated
    }

    package func encoded() -> [UInt8] {
        var writer = JSONWriter(capacity: 96)
        writer.field("v", v)
        if let id { writer.field("id", id) } else { writer.null("id") }
        writer.field("ok", ok)
        if repeated { writer.field("repeated", true) }
        return writer.finish()
    }

    /// Nil when the bytes are no reply header.
    package static func read(_ bytes: [UInt8]) -> ReplyHeader? {
        var header = ReplyHeader(id: nil, ok: false)
        var outcome: Bool?
        do {
            try JSONText.object(bytes) { key, cursor in
                if cursor.isKey(key, "id") {
                    header.id = try cursor.stringIfPresent()
                } else if cursor.isKey(key, "ok") {
                    outcome = try cursor.boolIfPresent()
                } else if cursor.isKey(key, "repeated") {
                    header.repeated = try cursor.boolIfPresent() ?? false
                } else {
                    try cursor.skipValue()
                }
            }
        } catch {
            return nil
        }
        guard let outcome else { return nil }
        header.ok = outcome
        return header
    }
}
