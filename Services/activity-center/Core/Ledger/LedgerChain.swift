import Glibc
package import STContracts
import STCrypto
import STPlatform
import STStore

/// The end of the chain of hashes. Each row's link covers its content and the previous link.
///
/// The chain reveals damage and careless edits. It has no key, so a program that can write the file can also rewrite the chain.
/// Only a copy of a link, kept elsewhere, reveals that.
package struct LedgerChain: Sendable, Equatable {
    package private(set) var row: Int64
    package private(set) var link: [UInt8]

    package init(row: Int64 = 0, link: [UInt8] = [UInt8](repeating: 0, count: Digest.bytes)) {
        self.row = row
        self.link = link
    }

    func link(of record: LinkedRecord) -> RecordLink {
        RecordLink(record: record, row: row, link: TextFormat.hex(link))
    }

    package mutating func append(content: [UInt8]) {
        row += 1
        link = Digest.blake2b(link + content)
    }

    /// Returns the BLAKE2b hash of all fields. Integers are eight little-endian bytes, and texts follow their length. An absent
    /// text is a length that no text has.
    ///
    /// Rows behind a shield and rows of another device have their own formats, so that the hashes of older rows stay the same.
    package static func content(_ segment: Segment) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        let isShielded = segment.shielded == true
        bytes.append(segment.device != nil ? deviceVersion : isShielded ? shieldedVersion : formatVersion)
        for text in [segment.segment, segment.agent, segment.run] { append(text, &bytes) }
        append(segment.sequence, &bytes)
        for text in [segment.member, segment.presence.rawValue] { append(text, &bytes) }
        for text in [segment.app, segment.domain, segment.category] { append(text, &bytes) }
        append(segment.bootId, &bytes)
        for number in [segment.startBootMs, segment.endBootMs, segment.startWallMs] { append(number, &bytes) }
        append(segment.zone, &bytes)
        append(segment.knownBy?.rawValue, &bytes)
        append(segment.stepMs == nil ? 0 : 1, &bytes)
        append(segment.stepMs ?? 0, &bytes)
        if let device = segment.device {
            append(device, &bytes)
            append(isShielded ? 1 : 0, &bytes)
        }
        return Digest.blake2b(bytes)
    }

    private static let formatVersion: UInt8 = 1
    private static let shieldedVersion: UInt8 = 2
    private static let deviceVersion: UInt8 = 3

    private static func append(_ number: Int64, _ bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func append(_ text: String?, _ bytes: inout [UInt8]) {
        let length = text.map { UInt32(truncatingIfNeeded: $0.utf8.count) } ?? .max
        withUnsafeBytes(of: length.littleEndian) { bytes.append(contentsOf: $0) }
        if let text { bytes.append(contentsOf: text.utf8) }
    }
}

/// Checks the ledger against its chain, a page of rows at a time.
package enum LedgerCheck {
    static let pageRows = 2_000

    /// Checks a file that no service has open: a copy, or the ledger of a system that does not run.
    package static func verifyAll(_ path: String) throws -> UsageVerify.Reply {
        let hadLog = FileMark(path + "-wal") != nil
        let database = try Database(
            path: path,
            options: DatabaseOptions(readOnly: true, applicationID: StoreMigrations.applicationID)
        )
        defer {
            try? database.close()
            // SQLite creates these files for a reader too, and a copy should stay unchanged.
            if !hadLog { for part in ["-wal", "-shm"] { unlink(path + part) } }
        }
        guard try database.schemaVersion() == StoreMigrations.base.count + ActivityTables.migrations.count
        else {
            throw Problem(
                "data.other_version",
                """
                \(path, "path") was written by another version of Screen Time. Start this version once with \
                that file, then check it again.
                """
            )
        }
        var reply = try page(.init(), database)
        while let next = reply.next { reply = try page(.init(next: next), database) }
        return reply
    }

    static func page(_ request: UsageVerify.Request, _ database: Database) throws -> UsageVerify.Reply {
        if request.next == nil { try database.releaseCache() }
        var walk = try LedgerVerifier(request.next, database)
        let head = try LedgerTable.head(database) ?? LedgerChain()
        var count = 0
        do {
            try database.scan(
                // Rows: a page.
                "SELECT \(LedgerTable.columns) FROM ledger \(LedgerTable.textJoins) WHERE row > ? ORDER BY row LIMIT ?",
                [.integer(walk.place.row), SQLValue(pageRows)]
            ) { row in
                try walk.verify(row)
                count += 1
                return walk.fault == nil
            }
            try walk.completeFault(head, database)
        } catch let problem as Problem where isDamage(problem) {
            walk.fault = LedgerFault(
                row: walk.place.row + 1,
                reason: .unreadable,
                text: Message(
                    "ledger.row-unreadable",
                    "Row \(walk.place.row + 1, "row") cannot be read: the file is damaged."
                )
            )
        }
        let isLast = count < pageRows
        if walk.fault == nil, isLast { walk.fault = try endFault(walk, head) ?? damage(walk, database) }
        let isOver = isLast || walk.fault != nil
        return UsageVerify.Reply(
            checked: walk.place.row,
            total: max(head.row, walk.place.row),
            forgotten: walk.place.forgotten,
            fault: walk.fault,
            historyFault: isOver ? try HistoryLog.fault(database) : nil,
            chain: isOver && walk.fault == nil ? hex(walk.chain.link) : nil,
            next: isOver ? nil : try walk.place.text()
        )
    }

    private static func endFault(_ walk: LedgerVerifier, _ head: LedgerChain) -> LedgerFault? {
        let next = walk.place.row + 1
        if head.row >= next {
            return LedgerFault(
                row: next,
                reason: .rowMissing,
                text: Message(
                    "ledger.row-missing",
                    "Row \(next, "row") of the usage records is missing. Rows recorded: \(head.row, "count")."
                )
            )
        }
        guard head != walk.chain else { return nil }
        return LedgerFault(
            row: walk.place.row,
            reason: .chainBroken,
            text: Message(
                "ledger.other-hash",
                "After row \(walk.place.row, "row"), the hash of the chain differs from the recorded hash."
            )
        )
    }

    /// Returns damage that no row shows, for example a free page that overlaps a used one.
    private static func damage(_ walk: LedgerVerifier, _ database: Database) throws -> LedgerFault? {
        let finding: String?
        do {
            finding = try ["ledger", "ledger_members", "ledger_sources", "ledger_sights"].compactMap {
                table in
                try database.first("PRAGMA quick_check('\(table)')") { try $0.text(0) }
            }.first { $0 != "ok" }
        } catch let problem as Problem where isDamage(problem) {
            finding = problem.message
        }
        guard let finding else { return nil }
        return LedgerFault(
            row: 0,
            reason: .unreadable,
            text: Message(
                "ledger.file-damaged",
                "The rows are unchanged, but the file is damaged in other places: \(finding, "finding")."
            )
        )
    }

    private static func isDamage(_ problem: Problem) -> Bool {
        ["store.corrupt", "store.wrong_type"].contains(problem.code)
    }

    static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self
        )
    }
}

/// One pass over the rows, from link to link.
struct LedgerVerifier {
    /// The position at which the next page begins.
    struct Place: WireBody, Codable {
        struct End: WireBody, Codable {
            var member: String
            var boot: String
            var bootMs: Int64
        }

        var row: Int64 = 0
        var forgotten: Int64 = 0
        /// The end of each member's latest row, by boot.
        var ends: [End] = []

        /// Upper bound on `ends`. A member has at most two boots under way, and a household has a few members.
        static let endsMax = 64

        func text() throws -> String { String(decoding: try encodedBody(), as: UTF8.self) }
    }

    private(set) var place: Place
    private(set) var chain: LedgerChain
    var fault: LedgerFault?

    init(_ next: String?, _ database: Database) throws {
        place = Place()
        chain = LedgerChain()
        guard let next else { return }
        guard let place = try? Place.decodedBody(Array(next.utf8)), place.row > 0 else {
            throw Problem("page.invalid", "Send `next` exactly as it was in the reply.", field: "/next")
        }
        self.place = place
        let link = try database.first("SELECT chain_hash FROM ledger WHERE row = ?", [.integer(place.row)]) {
            try $0.blob(0)
        }
        chain = LedgerChain(row: place.row, link: link ?? [])
    }

    mutating func verify(_ row: borrowing Row) throws {
        let number = try row.int(0)
        guard number == place.row + 1 else {
            let missing = place.row + 1
            return fail(
                missing,
                reason: .rowMissing,
                text: Message(
                    "ledger.row-skipped",
                    "Row \(missing, "row") is missing. The next row is \(number, "next")."
                )
            )
        }
        let content: [UInt8]
        let kept = try row.optionalBlob(19)
        if kept != nil || row.isNull(5) {
            guard let kept, (1...18).allSatisfy({ row.isNull($0) }) else {
                return fail(
                    number,
                    reason: .contentChanged,
                    text: Message(
                        "ledger.not-empty",
                        "Row \(number, "row") is marked as deleted but is not empty."
                    )
                )
            }
            content = kept
            place.forgotten += 1
        } else {
            let segment = try LedgerTable.segment(row)
            content = LedgerChain.content(segment)
            if let fault = faultOfTimes(segment, number) { self.fault = fault }
        }
        let link = try row.blob(20)
        chain.append(content: content)
        if link == chain.link {
            place.row = number
        } else {
            chain = LedgerChain(row: number, link: link)
            fail(
                number,
                reason: .chainBroken,
                text: Message(
                    "ledger.chain-broken",
                    "Row \(number, "row") does not continue the hash chain of the row before it."
                )
            )
        }
    }

    /// Determines if the link or the content of a broken row was changed.
    ///
    /// A row has no hash of its own content. If the next row still follows from the broken row's link, the content was changed.
    mutating func completeFault(_ head: LedgerChain, _ database: Database) throws {
        guard let broken = fault, broken.reason == .chainBroken, chain.row == broken.row else { return }
        let next = try database.first(
            // Rows: one.
            "SELECT \(LedgerTable.columns) FROM ledger \(LedgerTable.textJoins) WHERE row = ?",
            [.integer(chain.row + 1)]
        ) { row in
            var after = chain
            after.append(content: try row.optionalBlob(19) ?? LedgerChain.content(LedgerTable.segment(row)))
            return try row.blob(20) == after.link
        }
        if next ?? (head == chain) {
            let row = broken.row
            let text = Message("ledger.row-changed", "Row \(row, "row") was changed after it was written.")
            fail(row, reason: .contentChanged, text: text)
        }
    }

    private mutating func fail(_ row: Int64, reason: LedgerFaultReason, text: Message) {
        fault = LedgerFault(row: row, reason: reason, text: text)
    }

    private mutating func faultOfTimes(_ segment: Segment, _ row: Int64) -> LedgerFault? {
        guard segment.endBootMs >= segment.startBootMs else {
            return LedgerFault(
                row: row,
                reason: .timesReversed,
                text: Message("ledger.times-reversed", "Row \(row, "row") ends before it begins.")
            )
        }
        // Imported rows arrive in any order. The import has checked that they do not overlap.
        if segment.isExternal { return nil }
        let index = place.ends.firstIndex { $0.member == segment.member && $0.boot == segment.bootId }
        if let index {
            let end = place.ends.remove(at: index).bootMs
            guard segment.startBootMs >= end else {
                return LedgerFault(
                    row: row,
                    reason: .rowsOverlap,
                    text: Message(
                        "ledger.rows-overlap",
                        """
                        Row \(row, "row") begins before an earlier row of the same person ends, so the \
                        overlap counts twice.
                        """
                    )
                )
            }
        }
        place.ends.append(.init(member: segment.member, boot: segment.bootId, bootMs: segment.endBootMs))
        if place.ends.count > Place.endsMax { place.ends.removeFirst() }
        return nil
    }
}
