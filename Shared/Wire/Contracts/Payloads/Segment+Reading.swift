/// By hand: when figures are made anew, the past of years is read a row at a time.
extension Segment {
    package static func decodedBody(_ bytes: [UInt8]) throws -> Segment {
        var draft = Draft()
        try BodyText.read(bytes) { key, cursor in
            guard try draft.readText(key, &cursor) else { return try draft.readRest(key, &cursor) }
        }
        return try draft.made()
    }

    private struct Draft {
        var segment: String?
        var agent: String?
        var run: String?
        var member: String?
        var presence: String?
        var app: String?
        var domain: String?
        var bootId: String?
        var zone: String?
        var category: String?
        var knownBy: String?
        var device: String?
        var sequence: Int64?
        var startBootMs: Int64?
        var endBootMs: Int64?
        var startWallMs: Int64?
        var stepMs: Int64?
        var shielded: Bool?

        /// False, with the cursor where it was, for what is no text.
        mutating func readText(_ key: Range<Int>, _ cursor: inout JSONCursor) throws -> Bool {
            if cursor.isKey(key, "segment") {
                segment = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "agent") {
                agent = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "run") {
                run = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "member") {
                member = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "presence") {
                presence = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "app") {
                app = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "domain") {
                domain = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "boot_id") {
                bootId = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "zone") {
                zone = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "category") {
                category = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "known_by") {
                knownBy = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "device") {
                device = try cursor.stringIfPresent()
            } else {
                return false
            }
            return true
        }

        mutating func readRest(_ key: Range<Int>, _ cursor: inout JSONCursor) throws {
            if cursor.isKey(key, "sequence") {
                sequence = try cursor.integerIfPresent()
            } else if cursor.isKey(key, "start_boot_ms") {
                startBootMs = try cursor.integerIfPresent()
            } else if cursor.isKey(key, "end_boot_ms") {
                endBootMs = try cursor.integerIfPresent()
            } else if cursor.isKey(key, "start_wall_ms") {
                startWallMs = try cursor.integerIfPresent()
            } else if cursor.isKey(key, "step_ms") {
                stepMs = try cursor.integerIfPresent()
            } else if cursor.isKey(key, "shielded") {
                shielded = try cursor.boolIfPresent()
            } else {
                try cursor.skipValue()
            }
        }

        func made() throws -> Segment {
            Segment(
                segment: try BodyText.need(segment, "/segment"),
                agent: try BodyText.need(agent, "/agent"),
                run: try BodyText.need(run, "/run"),
                sequence: try BodyText.need(sequence, "/sequence"),
                member: try BodyText.need(member, "/member"),
                presence: Presence(rawValue: try BodyText.need(presence, "/presence")) ?? .unknown,
                app: app,
                domain: domain,
                bootId: try BodyText.need(bootId, "/boot_id"),
                startBootMs: try BodyText.need(startBootMs, "/start_boot_ms"),
                endBootMs: try BodyText.need(endBootMs, "/end_boot_ms"),
                startWallMs: try BodyText.need(startWallMs, "/start_wall_ms"),
                zone: try BodyText.need(zone, "/zone"),
                category: category,
                knownBy: knownBy.map { KnownBy(rawValue: $0) ?? .unknown },
                stepMs: stepMs,
                shielded: shielded,
                device: device
            )
        }
    }
}
