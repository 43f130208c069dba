import STContracts
import STEngine
import STStore

/// Takes what somebody had deleted out of the reasons that deliveries carry.
enum ForgottenEvidence {
    static func strip(_ body: EvidenceForgotten.Body, _ change: StoreTransaction) throws {
        let segments = Set(body.segments)
        var changed: [(number: Int64, occurrence: [UInt8])] = []
        try change.database.query(
            "SELECT number, occurrence FROM deliveries WHERE member = ?",
            [.text(body.member)]
        ) { row in
            var occurrence = try ActivityOccurrence.decodedBody(try row.blob(1))
            if occurrence.evidence.forget(segments).isEmpty { return }
            changed.append((try row.int(0), try occurrence.encodedBody()))
        }
        for (number, occurrence) in changed {
            try change.database.run(
                "UPDATE deliveries SET occurrence = ? WHERE number = ?",
                [.blob(occurrence), .integer(number)]
            )
        }
        if !changed.isEmpty { try change.scrubAfterCommit() }
    }
}
