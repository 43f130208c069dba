import STContracts
import STEngine
import STStore

/// Deletes the shields of a time that its person had deleted: their rows, and what the events said of them.
enum ForgottenShields {
    static func strip(_ body: EvidenceForgotten.Body, _ change: StoreTransaction) throws {
        let segments = Set(body.segments)
        func isForgotten(_ member: String, _ wallMs: Int64, _ segment: String?) -> Bool {
            guard member == body.member else { return false }
            if let segment, segments.contains(segment) { return true }
            guard let from = body.fromWallMs, let to = body.toWallMs else { return false }
            return from <= wallMs && wallMs < to
        }
        let database = change.database
        var numbers: [Int64] = []
        try database.query(
            "SELECT number, wall_ms, segment FROM shields WHERE member = ?",
            [.text(body.member)]
        ) { row in
            if isForgotten(body.member, try row.int(1), try row.optionalText(2)) {
                numbers.append(try row.int(0))
            }
        }
        for number in numbers {
            try database.run("DELETE FROM shields WHERE number = ?", [.integer(number)])
        }
        // Events are kept for longer than rows.
        var told: Set<String> = []
        try change.rewrite(.shield, types: [ShieldShown.type]) { bytes in
            let shown = try ShownShield.decodedBody(bytes)
            if isForgotten(shown.member, shown.wallMs, shown.segment) { told.insert(shown.shield) }
            return nil
        }
        if !told.isEmpty { _ = try change.redact(told.sorted(), of: .shield, as: ShieldRedacted.self) }
        guard !numbers.isEmpty || !told.isEmpty else { return }
        try change.forgetReplies(to: [ShieldShow.name, ShieldPress.name])
        try change.scrubAfterCommit()
    }
}
