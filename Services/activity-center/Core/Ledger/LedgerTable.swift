import STContracts
import STEngine
import STPlatform
import STStore

/// The rows of the ledger.
enum LedgerTable {
    /// A row's number comes from the chain, so a row deleted by hand leaves a hole.
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

    /// An imported row is found by its id, one that was seen here by its time.
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

    static func append(_ segment: Segment, _ chain: inout LedgerChain, _ database: Database) throws {
        let content = LedgerChain.content(segment)
        chain.append(content: content)
        // In the order of `columns`. The statement is short, because it is looked up by its text for every row.
        try database.run(
            "INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)",
            [
                .integer(chain.row), .text(segment.segment), .text(segment.agent), .text(segment.run),
                .integer(segment.sequence), .text(segment.member), .text(segment.presence.rawValue),
                SQLValue(segment.app), SQLValue(segment.domain), SQLValue(segment.category),
                .text(segment.bootId), .integer(segment.startBootMs), .integer(segment.endBootMs),
                .integer(segment.startWallMs), .text(segment.zone), SQLValue(segment.knownBy?.rawValue),
                SQLValue(segment.stepMs), .blob(content), .blob(chain.link),
                segment.shielded == true ? .integer(1) : .null, SQLValue(segment.device),
            ]
        )
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

    /// Nil before the first start of this version.
    static func head(_ database: Database) throws -> LedgerChain? {
        try database.first("SELECT row, chain_hash FROM ledger_head") {
            LedgerChain(row: try $0.int(0), link: try $0.blob(1))
        }
    }

    static let columns = """
        row, segment, agent, run, sequence, member, presence, app, domain, category, boot_id, start_boot_ms,
        end_boot_ms, start_wall_ms, zone, known_by, step_ms, forgotten, content_hash, chain_hash, shielded, device
        """

    /// Reads a row in the order of `columns`; it must not be a forgotten one.
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
            knownBy: try row.optionalText(15).map { KnownBy(rawValue: $0) ?? .unknown },
            stepMs: try row.optionalInt(16),
            shielded: row.isNull(20) ? nil : try row.bool(20),
            device: try row.optionalText(21)
        )
    }
}

/// Brings what earlier versions wrote into the chain.
enum LedgerUpgrade {
    private static let rowsAtOnce = 1_000

    static func begin(_ state: inout ActivityState, _ change: StoreTransaction) throws {
        let database = change.database
        guard try LedgerTable.head(database) == nil else { return }
        var chain = LedgerChain()
        while true {
            let rows = try database.query(
                // Rows: a page, of all once after an update.
                "SELECT \(LedgerTable.columns) FROM ledger WHERE row > ? ORDER BY row LIMIT ?",
                [.integer(chain.row), SQLValue(rowsAtOnce)]
            ) { LedgerChain.content(try LedgerTable.segment($0)) }
            if rows.isEmpty { break }
            for content in rows {
                chain.append(content: content)
                try database.run(
                    "UPDATE ledger SET content_hash = ?, chain_hash = ? WHERE row = ?",
                    [.blob(content), .blob(chain.link), .integer(chain.row)]
                )
            }
        }
        // Open stretches had a timeline for each agent, which is gone: they end where they were last seen.
        let open = try database.query(
            "SELECT open FROM timelines_1 WHERE open IS NOT NULL ORDER BY agent, member"
        ) {
            try Segment.decodedBody(try $0.blob(0))
        }
        for segment in open {
            try LedgerTable.append(segment, &chain, database)
            try change.emit(SegmentClosed.self, subject: segment.segment, segment)
        }
        try database.run("DELETE FROM timelines_1")
        try LedgerTable.save(chain, database)
        state.chain = chain
    }
}
