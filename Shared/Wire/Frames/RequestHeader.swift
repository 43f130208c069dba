/// The first frame of a request.
package struct RequestHeader: Sendable, Equatable, Codable {
    package var v: Int64
    package var id: String
    package var route: String
    package var timeoutMs: Int64?
    /// A deadline as boot time of the same machine. Overrides `timeoutMs`, so that a request expires while it waits for a stopped
    /// service.
    package var deadlineBootMs: Int64?
    package var idempotencyKey: String?
    package var traceparent: String?
    package var cause: String?
    /// The member for whom an account's door forwards the request. The request can access only that member's data.
    package var behalf: String?
    /// Proves which service sends the request, for routes that only one other service may call.
    package var proof: String?

    package init(
        v: Int64 = 1,
        id: String,
        route: String,
        timeoutMs: Int64? = nil,
        deadlineBootMs: Int64? = nil,
        idempotencyKey: String? = nil,
        traceparent: String? = nil,
        cause: String? = nil,
        behalf: String? = nil,
        proof: String? = nil
    ) {
        self.v = v
        self.id = id
        self.route = route
        self.timeoutMs = timeoutMs
        self.deadlineBootMs = deadlineBootMs
        self.idempotencyKey = idempotencyKey
        self.traceparent = traceparent
        self.cause = cause
        self.behalf = behalf
        self.proof = proof
    }

    package func encoded() -> [UInt8] {
        var writer = JSONWriter()
        writer.field("v", v)
        writer.field("id", id)
        writer.field("route", route)
        writer.field("timeout_ms", timeoutMs)
        writer.field("deadline_boot_ms", deadlineBootMs)
        writer.field("idempotency_key", idempotencyKey)
        writer.field("traceparent", traceparent)
        writer.field("cause", cause)
        writer.field("behalf", behalf)
        writer.field("proof", proof)
        return writer.finish()
    }

    /// The readable parts of a header, because a request without a readable id or route must still be answered.
    package struct Partial: Sendable, Equatable {
        package var v: Int64?
        package var id: String?
        package var route: String?
        package var rest = RequestHeader(id: "", route: "")

        package init() {}
    }

    package static func read(_ bytes: [UInt8]) throws -> Partial {
        var partial = Partial()
        try JSONText.object(bytes) { key, cursor in
            if cursor.isKey(key, "v") {
                partial.v = try cursor.integerIfPresent()
            } else if cursor.isKey(key, "id") {
                partial.id = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "route") {
                partial.route = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "timeout_ms") {
                partial.rest.timeoutMs = try cursor.integerIfPresent()
            } else if cursor.isKey(key, "deadline_boot_ms") {
                partial.rest.deadlineBootMs = try cursor.integerIfPresent()
            } else if cursor.isKey(key, "idempotency_key") {
                partial.rest.idempotencyKey = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "traceparent") {
                partial.rest.traceparent = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "cause") {
                partial.rest.cause = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "behalf") {
                partial.rest.behalf = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "proof") {
                partial.rest.proof = try cursor.stringIfPresent()
            } else {
                try cursor.skipValue()
            }
        }
        return partial
    }
}

/// The first frame of a reply.
package struct ReplyHeader: Sendable, Equatable {
    package var v: Int64 = 1
    /// The id of the request. `nil` (`null` on the wire) if the request had no readable id.
    package var id: String?
    package var ok: Bool
    /// True if the reply is the stored one to an earlier request with the same idempotency key.
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

    /// Parses a header. Returns `nil` if the bytes are not a reply header.
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
