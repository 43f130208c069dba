import STContracts
import STEngine
import STPlatform
import STStore

/// The table of the ledger's rows.
enum LedgerTable {
    /// A row's number comes from the chain, so a row that is deleted by hand leaves a gap.
    static let migration = Migration(
        name: "ledger chain",
        sql: """
            ALTER TABLE ledger RENAME TO ledger_1;
            CREATE TABLE ledger (
                row INTEGER PRIMARY KEY, segment TEXT, agent TEXT, run TEXT, sequence INTEGER, member TEXT,
                presence TEXT, app TEXT, domain TEXT, category TEXT, boot_id TEXT, start_boot_ms INTEGER,
                end_boot_ms INTEGER, start_wall_ms INTEGER, zone TEXT, known_by TEXT, step_ms INTEGER,
                forgotten INTEGER NOT NULL CHECK (forgotten = (segment IS NULL)),
                content_hash BLOB NOT NULL, chain_hash BLOB NOT NULL
            ) STRICT;
            INSERT INTO ledger (row, segment, agent, run, sequence, member, presence, app, domain, boot_id,
                    start_boot_ms, end_boot_ms, start_wall_ms, zone, forgotten, content_hash, chain_hash)
                SELECT row_number() OVER (ORDER BY row), segment, agent, run, sequence, member, presence, app,
                    domain, boot_id, start_boot_ms, end_boot_ms, start_wall_ms, zone, 0, x'', x'' FROM ledger_1;
            DROP TABLE ledger_1;
            CREATE INDEX ledger_by_time ON ledger (member, start_wall_ms);
            CREATE TABLE ledger_head (
                only INTEGER PRIMARY KEY CHECK (only = 1), row INTEGER NOT NULL, chain_hash BLOB NOT NULL
            ) STRICT;
            ALTER TABLE timelines RENAME TO timelines_1;
            CREATE TABLE timelines (member TEXT PRIMARY KEY, lanes BLOB NOT NULL) STRICT;
            CREATE TABLE past_boots (member TEXT PRIMARY KEY, boots BLOB NOT NULL) STRICT;
            CREATE TABLE agents (agent TEXT PRIMARY KEY, first_wall_ms INTEGER NOT NULL) STRICT;
            INSERT INTO agents (agent, first_wall_ms)
                SELECT runs.agent, coalesce(
                    (SELECT min(start_wall_ms) FROM ledger WHERE ledger.agent = runs.agent), 0
                ) FROM runs GROUP BY runs.agent;
            ALTER TABLE members ADD COLUMN role TEXT;
            -- Who is what was not written down before: the stream is read again from its snapshot.
            DELETE FROM cursors WHERE source = 'auth-service';
            """
    )

    static let shieldedMigration = Migration(
        name: "time in front of a shield",
        sql: "ALTER TABLE ledger ADD COLUMN shielded INTEGER CHECK (shielded = 1)"
    )

    /// An imported row is found by its id, and an observed row by its time.
    static let importedMigration = Migration(
        name: "the past of this and other devices",
        sql: """
            ALTER TABLE ledger ADD COLUMN device TEXT;
            CREATE UNIQUE INDEX ledger_imported ON ledger (segment, ifnull(device, '')) WHERE known_by = 'imported';
            CREATE TABLE imported_devices (
                device TEXT PRIMARY KEY, name TEXT NOT NULL, model TEXT NOT NULL, imported_at TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            """
    )

    /// Stores repeated values once: the agent, run, boot and zone as a source, and the observed values as a sight. A row has no
    /// name if the name follows from its source and sequence. It has no content hash until it is forgotten, because the content
    /// determines the hash.
    static let smallMigration = Migration(
        name: "a small ledger",
        sql: """
            DROP INDEX ledger_by_time;
            DROP INDEX ledger_long;
            DROP INDEX ledger_imported;
            DROP INDEX ledger_of_device;
            ALTER TABLE ledger RENAME TO ledger_2;
            CREATE TABLE ledger_members (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
            CREATE TABLE ledger_sources (
                id INTEGER PRIMARY KEY, agent TEXT NOT NULL, run TEXT NOT NULL, boot_id TEXT NOT NULL,
                zone TEXT NOT NULL, known_by TEXT, device TEXT
            ) STRICT;
            CREATE INDEX ledger_sources_by_word ON ledger_sources (run, boot_id, agent, zone, known_by, device);
            CREATE INDEX ledger_sources_of_device ON ledger_sources (device) WHERE device IS NOT NULL;
            CREATE TABLE ledger_sights (
                id INTEGER PRIMARY KEY, presence TEXT NOT NULL, app TEXT, domain TEXT, category TEXT,
                shielded INTEGER CHECK (shielded = 1)
            ) STRICT;
            CREATE INDEX ledger_sights_by_word ON ledger_sights (app, domain, presence, category, shielded);
            CREATE TABLE ledger (
                row INTEGER PRIMARY KEY, member INTEGER, source INTEGER, sight INTEGER, sequence INTEGER,
                start_boot_ms INTEGER, length_ms INTEGER, start_wall_ms INTEGER, segment TEXT, step_ms INTEGER,
                content_hash BLOB, chain_hash BLOB NOT NULL, CHECK ((member IS NULL) = (content_hash IS NOT NULL))
            ) STRICT;
            CREATE INDEX ledger_by_time ON ledger (member, start_wall_ms);
            CREATE INDEX ledger_long ON ledger (member, start_wall_ms) WHERE length_ms > 3600000;
            CREATE INDEX ledger_named ON ledger (segment) WHERE segment IS NOT NULL;
            """
    )

    /// Appends a row to the chain, and publishes it.
    static func append(_ segment: Segment, state: inout ActivityState, change: StoreTransaction) throws {
        state.chain.append(content: LedgerChain.content(segment))
        try insert(segment, chain: state.chain, words: &state.ledgerTexts, database: change.database)
        try change.emit(SegmentClosed.self, subject: subject(segment), row: state.chain.row, segment)
    }

    /// Returns the subject of a row's events. Two devices may use the same name, and an imported name must not replace an observed
    /// one. Names of observed rows never begin with a slash.
    static func subject(_ segment: Segment) -> String {
        segment.isExternal ? "/\(segment.device ?? "")/\(segment.segment)" : segment.segment
    }

    fileprivate static func insert(
        _ segment: Segment,
        chain: LedgerChain,
        words: inout LedgerTexts,
        database: Database
    ) throws {
        let ownName = "\(segment.agent)/\(segment.run)/\(segment.sequence)"
        // An imported row may have any name, and is found by it.
        let isNamed = segment.isExternal || segment.segment != ownName
        let numbers = try words.ids(of: segment, database)
        // Keep the statement short, because it is looked up by its text for every row.
        try database.run(
            "INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)",
            [
                .integer(chain.row), .integer(numbers.member), .integer(numbers.source),
                .integer(numbers.sight),
                .integer(segment.sequence), .integer(segment.startBootMs), .integer(segment.durationMs),
                .integer(segment.startWallMs),
                isNamed ? .text(segment.segment) : .null, SQLValue(segment.stepMs), .blob(chain.link),
            ]
        )
    }

    /// Rebuilds the old events about rows from the rows.
    static let rebuiltEvents = DerivedEvents(SegmentClosed.self) { database, first, last in
        try database.query(
            // Rows: a page.
            """
            SELECT \(columns) FROM ledger \(textJoins) WHERE row BETWEEN ? AND ? AND ledger.member IS NOT NULL ORDER BY row
            """,
            [.integer(first), .integer(last)]
        ) { row in
            let segment = try segment(row)
            return DerivedEvents.Row(
                row: try row.int(0),
                subject: subject(segment),
                timeMs: segment.startWallMs + segment.durationMs,
                body: try segment.encodedBody()
            )
        }
    }

    static func save(_ chain: LedgerChain, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO ledger_head (only, row, chain_hash) VALUES (1, ?, ?)
            ON CONFLICT (only) DO UPDATE SET row = excluded.row, chain_hash = excluded.chain_hash
            """,
            [.integer(chain.row), .blob(chain.link)]
        )
    }

    /// Returns the end of the chain, or nil before the first start of this version.
    static func head(_ database: Database) throws -> LedgerChain? {
        try database.first("SELECT row, chain_hash FROM ledger_head") {
            LedgerChain(row: try $0.int(0), link: try $0.blob(1))
        }
    }

    /// Returns the link of `row`, if it is given and exists, and the end of the chain.
    static func links(through row: Int64?, _ database: Database) throws -> [LedgerChain] {
        let before = try database.first("SELECT row, chain_hash FROM ledger WHERE row = ?", [SQLValue(row)]) {
            LedgerChain(row: try $0.int(0), link: try $0.blob(1))
        }
        return [before, try head(database)].compactMap(\.self).filter { $0.row > 0 }
    }

    /// The columns in the order in which `segment` reads them. The hashes are last.
    static let columns = """
        ledger.row, coalesce(ledger.segment, agent || '/' || run || '/' || ledger.sequence), agent, run,
        ledger.sequence, name, presence, app, domain, category, boot_id, start_boot_ms, start_boot_ms + length_ms,
        start_wall_ms, zone, known_by, step_ms, shielded, device, content_hash, chain_hash
        """

    /// Joins the tables of repeated values.
    static let textJoins = """
        LEFT JOIN ledger_members ON ledger_members.id = ledger.member
        LEFT JOIN ledger_sources ON ledger_sources.id = ledger.source
        LEFT JOIN ledger_sights ON ledger_sights.id = ledger.sight
        """

    /// Reads a row in the order of `columns`. The row must not be forgotten.
    static func segment(_ row: borrowing Row) throws -> Segment {
        Segment(
            segment: try row.text(1),
            agent: try row.text(2),
            run: try row.text(3),
            sequence: try row.int(4),
            member: try row.text(5),
            presence: Presence(rawValue: try row.text(6)) ?? .unknown,
            app: try row.optionalText(7),
            domain: try row.optionalText(8),
            bootId: try row.text(10),
            startBootMs: try row.int(11),
            endBootMs: try row.int(12),
            startWallMs: try row.int(13),
            zone: try row.text(14),
            category: try row.optionalText(9),
            knownBy: try row.optionalText(15).map { SegmentProvenance(rawValue: $0) ?? .unknown },
            stepMs: try row.optionalInt(16),
            shielded: row.isNull(17) ? nil : try row.bool(17),
            device: try row.optionalText(18)
        )
    }
}

/// The ids of values that many rows of the ledger repeat. Each member, source and sight is stored once in its own table.
struct LedgerTexts: Sendable, Equatable {
    private enum Table: Hashable {
        case members
        case sources
        case sights

        var select: String {
            switch self {
            case .members: "SELECT id FROM ledger_members WHERE name = ?"
            case .sources:
                // Rows: one.
                """
                SELECT id FROM ledger_sources INDEXED BY ledger_sources_by_word
                WHERE run = ? AND boot_id = ? AND agent = ? AND zone = ? AND known_by IS ? AND device IS ?
                """
            case .sights:
                // Rows: one.
                """
                SELECT id FROM ledger_sights WHERE app IS ?1 AND domain IS ?2 AND presence = ?3 AND category IS ?4
                    AND shielded IS CAST(?5 AS INTEGER)
                """
            }
        }

        var insert: String {
            switch self {
            case .members: "INSERT INTO ledger_members (name) VALUES (?) RETURNING id"
            case .sources:
                """
                INSERT INTO ledger_sources (run, boot_id, agent, zone, known_by, device) VALUES (?, ?, ?, ?, ?, ?)
                RETURNING id
                """
            case .sights:
                """
                INSERT INTO ledger_sights (app, domain, presence, category, shielded)
                VALUES (?, ?, ?, ?, CAST(? AS INTEGER)) RETURNING id
                """
            }
        }
    }

    private struct TextRow: Hashable {
        var table: Table
        var texts: [String?]
    }

    private static let keptMax = 1_000
    /// A cache of ids. The others are read from the database.
    private var cachedIDs: [TextRow: Int64] = [:]

    mutating func ids(of row: Segment, _ database: Database) throws
        -> (member: Int64, source: Int64, sight: Int64)
    {
        let source = [row.run, row.bootId, row.agent, row.zone, row.knownBy?.rawValue, row.device]
        let shielded = row.shielded == true ? "1" : nil
        let sight = [row.app, row.domain, row.presence.rawValue, row.category, shielded]
        return (
            try id(TextRow(table: .members, texts: [row.member]), database),
            try id(TextRow(table: .sources, texts: source), database),
            try id(TextRow(table: .sights, texts: sight), database)
        )
    }

    private mutating func id(_ words: TextRow, _ database: Database) throws -> Int64 {
        if let number = cachedIDs[words] { return number }
        let texts = words.texts.map { SQLValue($0) }
        let found =
            try database.first(words.table.select, texts) { try $0.int(0) }
            ?? database.first(words.table.insert, texts) { try $0.int(0) }
        guard let found else {
            throw Problem(
                "internal",
                "The database did not return an ID for a string in the ledger.",
                key: "internal.a-word-of"
            )
        }
        if cachedIDs.count == Self.keptMax { cachedIDs = [:] }
        cachedIDs[words] = found
        return found
    }

    /// Deletes the values that no row uses any more, and clears the cache.
    mutating func deleteUnused(_ database: Database) throws {
        cachedIDs = [:]
        for sql in [
            // Rows: all, when a person deletes their past.
            "DELETE FROM ledger_members WHERE id NOT IN (SELECT member FROM ledger WHERE member IS NOT NULL)",
            "DELETE FROM ledger_sources WHERE id NOT IN (SELECT source FROM ledger WHERE source IS NOT NULL)",
            "DELETE FROM ledger_sights WHERE id NOT IN (SELECT sight FROM ledger WHERE sight IS NOT NULL)",
        ] { try database.run(sql) }
    }
}

/// Converts the data of earlier versions to the form of this one.
enum LedgerUpgrade {
    private static let rowsAtOnce: Int64 = 2_000

    /// Moves some rows out of the table that repeated all values in each row, and chains those that had no hashes yet.
    ///
    /// Returns nil when all rows are moved.
    static func move(_ database: Database) throws -> StartProgress? {
        // Rows: the few tables.
        let isThere = try database.first("SELECT 1 FROM sqlite_schema WHERE name = 'ledger_2'") {
            try $0.int(0)
        }
        guard isThere != nil else { return nil }
        var chain =
            try database.first("SELECT row, chain_hash FROM ledger ORDER BY row DESC LIMIT 1") {
                LedgerChain(row: try $0.int(0), link: try $0.blob(1))
            } ?? LedgerChain()
        var words = LedgerTexts()
        var last: Int64?
        try database.query(
            // Rows: a page, of all once after an update.
            """
            SELECT row, segment, agent, run, sequence, member, presence, app, domain, category, boot_id, start_boot_ms,
                end_boot_ms, start_wall_ms, zone, known_by, step_ms, shielded, device, content_hash, chain_hash,
                forgotten
            FROM ledger_2 ORDER BY row LIMIT ?
            """,
            [.integer(rowsAtOnce)]
        ) { row in
            let number = try row.int(0)
            let link = try row.blob(20)
            last = number
            if try row.bool(21) {
                chain = LedgerChain(row: number, link: link)
                return try database.run(
                    "INSERT INTO ledger (row, content_hash, chain_hash) VALUES (?, ?, ?)",
                    [.integer(number), .blob(try row.blob(19)), .blob(link)]
                )
            }
            let segment = try LedgerTable.segment(row)
            if link.isEmpty {
                chain.append(content: LedgerChain.content(segment))
            } else {
                chain = LedgerChain(row: number, link: link)
            }
            try LedgerTable.insert(segment, chain: chain, words: &words, database: database)
            return try database.run(
                // Rows: the events of one subject.
                """
                INSERT INTO event_rows (event, source, row)
                    SELECT sequence, 0, ?1 FROM events WHERE stream = 'usage' AND subject = ?2 AND type = ?3
                """,
                [.integer(number), .text(LedgerTable.subject(segment)), .text(SegmentClosed.type)]
            )
        }
        guard let last else {
            if try LedgerTable.head(database) == nil { try LedgerTable.save(chain, database) }
            try database.execute("DROP TABLE ledger_2")
            return nil
        }
        try database.run("DELETE FROM ledger_2 WHERE row <= ?", [.integer(last)])
        let end = try database.first("SELECT max(row) FROM ledger_2") { try $0.optionalInt(0) } ?? nil
        return StartProgress(done: last, all: max(last, end ?? 0))
    }

    /// Closes open segments of a version that had one timeline per agent. They end at their last observation.
    static func begin(_ state: inout ActivityState, _ change: StoreTransaction) throws {
        let open = try change.database.query(
            "SELECT open FROM timelines_1 WHERE open IS NOT NULL ORDER BY agent, member"
        ) {
            try Segment.decodedBody(try $0.blob(0))
        }
        guard !open.isEmpty else { return }
        for segment in open {
            try LedgerTable.append(segment, state: &state, change: change)
        }
        try change.database.run("DELETE FROM timelines_1")
        try LedgerTable.save(state.chain, change.database)
    }
}
