import STContracts
import STDomain
import STPlatform
import STStore

/// The tables of report-service: sums per local day, and the stretches still open.
enum ReportStore {
    /// Where the presence stands: somebody was there, and looked at a shield.
    static let shielded = "shielded"

    static let migrations = [
        Migration(
            name: "days",
            sql: """
                CREATE TABLE day_use (
                    day TEXT NOT NULL, member TEXT NOT NULL, presence TEXT NOT NULL, app TEXT NOT NULL,
                    domain TEXT NOT NULL, ms INTEGER NOT NULL, PRIMARY KEY (day, member, presence, app, domain)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE open_use (
                    agent TEXT NOT NULL, member TEXT NOT NULL, segment BLOB NOT NULL, PRIMARY KEY (agent, member)
                ) STRICT;
                CREATE TABLE first_seen (only INTEGER PRIMARY KEY CHECK (only = 1), wall_ms INTEGER NOT NULL) STRICT;
                """
        ),
        Migration(
            name: "one timeline for each member",
            sql: """
                ALTER TABLE open_use RENAME TO open_use_1;
                -- A member has one stretch under way for each start of the machine that is told of.
                CREATE TABLE open_use (
                    member TEXT NOT NULL, boot_id TEXT NOT NULL, segment BLOB NOT NULL, PRIMARY KEY (member, boot_id)
                ) STRICT;
                INSERT OR REPLACE INTO open_use (member, boot_id, segment)
                    SELECT member, json_extract(CAST(segment AS TEXT), '$.boot_id'), segment FROM open_use_1;
                DROP TABLE open_use_1;
                """
        ),
    ]

    static func open(_ segment: Segment, _ database: Database) throws {
        try noteFirst(segment, database)
        try database.run(
            """
            INSERT INTO open_use (member, boot_id, segment) VALUES (?, ?, ?)
            ON CONFLICT (member, boot_id) DO UPDATE SET segment = excluded.segment
            """,
            [.text(segment.member), .text(segment.bootId), .blob(try segment.encodedBody())]
        )
    }

    static func close(_ segment: Segment, _ database: Database) throws {
        try noteFirst(segment, database)
        for part in parts(of: segment) {
            try database.run(
                """
                INSERT INTO day_use (day, member, presence, app, domain, ms) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (day, member, presence, app, domain) DO UPDATE SET ms = ms + excluded.ms
                """,
                [
                    .text(part.day.text), .text(segment.member),
                    .text(segment.shielded == true ? shielded : segment.presence.rawValue),
                    .text(segment.app ?? ""), .text(segment.domain ?? ""), .integer(part.ms),
                ]
            )
        }
        // Only its own: the next stretch may have been opened by a later event already.
        if try openSegments(database).contains(where: { $0.segment == segment.segment }) {
            try database.run(
                "DELETE FROM open_use WHERE member = ? AND boot_id = ?",
                [.text(segment.member), .text(segment.bootId)]
            )
        }
    }

    static func forget(_ database: Database) throws {
        try database.execute("DELETE FROM day_use; DELETE FROM open_use; DELETE FROM first_seen;")
    }

    static func openSegments(_ database: Database) throws -> [Segment] {
        try database.query("SELECT segment FROM open_use") { try Segment.decodedBody(try $0.blob(0)) }
    }

    static func firstSeen(_ database: Database) throws -> Int64? {
        try database.first("SELECT wall_ms FROM first_seen") { try $0.int(0) }
    }

    /// The stretch in the days of the zone it was lived in.
    static func parts(of segment: Segment) -> [(day: CivilDate, ms: Int64)] {
        LocalDay(zone: segment.zone).split(startWallMs: segment.startWallMs, durationMs: segment.durationMs)
    }

    private static func noteFirst(_ segment: Segment, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO first_seen (only, wall_ms) VALUES (1, ?)
            ON CONFLICT (only) DO UPDATE SET wall_ms = min(wall_ms, excluded.wall_ms)
            """,
            [.integer(segment.startWallMs)]
        )
    }
}
