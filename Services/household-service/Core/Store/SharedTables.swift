import STContracts
import STPlatform
import STPostgres

/// The tables of a household in PostgreSQL, and the statements for usage, sums, letters and rules.
enum SharedTables {
    /// The migrations. A released one never changes: a later one corrects it.
    private static let steps = [
        """
        CREATE TABLE household (only_one bool PRIMARY KEY DEFAULT true CHECK (only_one), places text NOT NULL, secret bytea);
        INSERT INTO household (places) VALUES (gen_random_uuid()::text);
        CREATE TABLE devices (
            number int8 PRIMARY KEY GENERATED ALWAYS AS IDENTITY, version int8 NOT NULL DEFAULT 0, tx int8 NOT NULL,
            device text NOT NULL UNIQUE, name text NOT NULL UNIQUE, key bytea NOT NULL UNIQUE, accounts text NOT NULL,
            joined_ms int8 NOT NULL, removed bool NOT NULL DEFAULT false, epoch text, sequence int8, event text,
            anew bool NOT NULL DEFAULT false, seen_ms int8, clock_off_ms int8 NOT NULL DEFAULT 0,
            rows int8 NOT NULL DEFAULT 0, aside int8 NOT NULL DEFAULT 0, forgets int8 NOT NULL DEFAULT 0
        ) WITH (fillfactor = 50);
        CREATE TABLE doors (address text PRIMARY KEY);
        CREATE TABLE invitations (id text PRIMARY KEY, key bytea NOT NULL, until_ms int8 NOT NULL, used_by bytea,
            machines int8);
        CREATE TABLE guests (
            invitation text PRIMARY KEY, name text NOT NULL, key bytea NOT NULL, accounts text NOT NULL, number text NOT NULL
        );
        CREATE UNLOGGED TABLE letters (
            place int8 PRIMARY KEY GENERATED ALWAYS AS IDENTITY, id text NOT NULL UNIQUE, sender text NOT NULL,
            receiver text NOT NULL, answers text, sealed text NOT NULL, until_ms int8 NOT NULL
        );
        CREATE TABLE rules (
            member text NOT NULL, id text NOT NULL, version int8 NOT NULL, rule text NOT NULL, tx int8 NOT NULL,
            PRIMARY KEY (member, id)
        );
        CREATE TABLE members (
            number int8 PRIMARY KEY GENERATED ALWAYS AS IDENTITY, name text NOT NULL UNIQUE, last int8 NOT NULL DEFAULT 0,
            tx int8 NOT NULL
        ) WITH (fillfactor = 50);
        CREATE UNLOGGED TABLE under_way (device int8 PRIMARY KEY, body text NOT NULL, told_ms int8 NOT NULL, tx int8 NOT NULL)
            WITH (fillfactor = 50);
        CREATE TABLE uses (
            place int8 NOT NULL, start_ms int8 NOT NULL, local_ms int8 NOT NULL, key uuid NOT NULL, member int4 NOT NULL,
            device int4 NOT NULL, length_ms int8 NOT NULL, used bool NOT NULL, epoch text NOT NULL, app text NOT NULL,
            site text NOT NULL, category text NOT NULL, body bytea NOT NULL, UNIQUE (device, key, start_ms)
        ) PARTITION BY RANGE (start_ms);
        CREATE INDEX uses_of_member ON uses (member, place);
        CREATE TABLE uses_rest PARTITION OF uses DEFAULT;
        CREATE TABLE hour_sums (
            member int4 NOT NULL, hour int4 NOT NULL, device int4 NOT NULL, ms int8 NOT NULL, app text NOT NULL, site text NOT NULL,
            category text NOT NULL, PRIMARY KEY (member, hour, device, app, site, category)
        );
        CREATE TABLE day_sums (
            member int4 NOT NULL, day int4 NOT NULL, device int4 NOT NULL, ms int8 NOT NULL, app text NOT NULL, site text NOT NULL,
            category text NOT NULL, PRIMARY KEY (member, day, device, app, site, category)
        );
        CREATE INDEX day_sums_of_day ON day_sums (day);
        """,
        "ALTER TABLE household ADD COLUMN next bytea",
    ]

    /// Creates missing tables. Only one of several services does it.
    static func migrate(_ connection: PostgresConnection) throws {
        let tables = try connection.run(
            "SELECT count(*) FROM pg_tables WHERE tablename = 'household_steps' AND schemaname = ANY (current_schemas(false))"
        )
        if try tables.int(0, 0) == 1, try version(connection) == steps.count { return }
        try connection.transaction {
            try connection.run("SELECT pg_advisory_xact_lock(7415)")
            try connection.execute(
                "CREATE TABLE IF NOT EXISTS household_steps (step int4 PRIMARY KEY)"
            )
            for step in try version(connection)..<steps.count {
                try connection.execute(steps[step])
                try connection.run(
                    "INSERT INTO household_steps (step) VALUES ($1::int8)",
                    [.integer(Int64(step) + 1)]
                )
            }
        }
    }

    private static func version(_ connection: PostgresConnection) throws -> Int {
        let rows = try connection.run("SELECT coalesce(max(step), 0) FROM household_steps")
        let done = Int(try rows.int(0, 0))
        guard done <= steps.count else {
            throw Problem(
                "store.newer_version",
                """
                A newer version of Screen Time has upgraded the PostgreSQL database in the setting `store`. \
                Update Screen Time on this machine, too.
                """
            )
        }
        return done
    }

    /// Adds new rows to the sums. Returns the number of rows of each machine.
    static let addition =
        """
        WITH sent AS (
            SELECT * FROM unnest($2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::int8[], $9::text[],
                $10::text[], $11::text[], $12::text[], $13::text[], $14::bytea[])
                AS s (place, member, device, start_ms, local_ms, length_ms, used, epoch, segment, app, site, category, body)
        ), moved AS (
            INSERT INTO uses
                (place, start_ms, local_ms, key, member, device, length_ms, used, epoch, app, site, category, body)
            SELECT place, start_ms, local_ms, md5(segment)::uuid, member, device, length_ms, used = 1, epoch, app, site, category,
                body FROM sent
            ON CONFLICT (device, key, start_ms) DO NOTHING
            RETURNING place, member, device, local_ms, length_ms, used, app, site, category
        ), told AS (
            UPDATE members AS m SET last = n.last, tx = pg_current_xact_id()::text::int8
            FROM (SELECT member, max(place) AS last FROM moved GROUP BY member) AS n WHERE m.number = n.member
        ),
        """ + sums + " SELECT device, count(*) FROM moved GROUP BY device"

    /// Writes the final state of machines, unless another service has changed one of them meanwhile.
    static let deviceChange =
        """
        UPDATE devices AS d SET key = s.key, accounts = s.accounts, removed = s.removed = 1, epoch = nullif(s.epoch, ''),
            sequence = nullif(s.sequence, -1), event = nullif(s.event, ''), anew = s.anew = 1, seen_ms = nullif(s.seen_ms, -1),
            clock_off_ms = s.clock_off_ms, rows = s.rows, aside = s.aside, forgets = s.forgets, version = d.version + 1,
            tx = pg_current_xact_id()::text::int8
        FROM unnest($1::int8[], $2::int8[], $3::text[], $4::int8[], $5::text[], $6::int8[], $7::text[], $8::int8[],
            $9::int8[], $10::int8[], $11::int8[], $12::int8[], $13::int8[], $14::bytea[])
            AS s (number, version, accounts, removed, epoch, sequence, event, anew, seen_ms, clock_off_ms, rows, aside, forgets, key)
        WHERE d.number = s.number AND d.version = s.version
        """

    static let removal =
        """
        WITH moved AS (
            DELETE FROM uses WHERE (device, key, start_ms) IN (
                SELECT device, key, start_ms FROM uses WHERE device = $2 AND epoch <> ALL ($3) AND ($4::int8[] IS NULL OR member = ANY ($4))
                    LIMIT 20000
            )
            RETURNING member, device, local_ms, length_ms, used, app, site, category
        ),
        """ + sums + " SELECT member, count(*) FROM moved GROUP BY member"

    /// An empty sum would still name an app or a site.
    static let emptySums = ["hour_sums", "day_sums"].map {
        "DELETE FROM \($0) WHERE member = ANY ($1::int8[]) AND device = $2 AND ms <= 0"
    }

    static func deleteUsage(before day: Int64, _ connection: PostgresConnection) throws -> [String: Int] {
        let gone = try connection.run(
            // A time zone differs from UTC by at most 14 hours, so the old months are sufficient.
            """
            WITH gone AS (
                DELETE FROM uses WHERE start_ms < $1 + 86400000 AND (device, key, start_ms) IN (
                    SELECT device, key, start_ms FROM uses WHERE start_ms < $1 + 86400000 AND local_ms < $1 LIMIT $2
                )
                RETURNING device
            ), counted AS (SELECT device, count(*) AS rows FROM gone GROUP BY device)
            UPDATE devices AS d SET rows = d.rows - c.rows, version = d.version + 1, tx = pg_current_xact_id()::text::int8
            FROM counted AS c WHERE d.number = c.device RETURNING d.device, c.rows
            """,
            [.integer(day * UsageRow.day.ms), .integer(Int64(HouseholdStores.forgottenMax))]
        )
        var rows: [String: Int] = [:]
        for row in 0..<gone.count { rows[try gone.text(row, 0)] = Int(try gone.int(row, 1)) }
        if rows.values.reduce(0, +) < HouseholdStores.forgottenMax {
            try connection.run("DELETE FROM hour_sums WHERE hour < $1", [.integer(day * 24)])
            try connection.run("DELETE FROM day_sums WHERE day < $1", [.integer(day)])
        }
        return rows
    }

    private static let sums =
        """
        pieces AS MATERIALIZED (
            SELECT member, device, app, site, category, hour,
                sum(least(local_ms + length_ms, (hour + 1) * 3600000) - greatest(local_ms, hour * 3600000)) * $1 AS ms
            FROM moved, generate_series(local_ms / 3600000, (local_ms + length_ms - 1) / 3600000) AS hour
            WHERE used AND length_ms > 0
            GROUP BY member, hour, device, app, site, category
        ), by_hour AS (
            INSERT INTO hour_sums AS s (member, hour, device, app, site, category, ms)
            SELECT member, hour, device, app, site, category, ms FROM pieces ORDER BY member, hour, device, app, site, category
            ON CONFLICT (member, hour, device, app, site, category) DO UPDATE SET ms = s.ms + excluded.ms
        ), by_day AS (
            INSERT INTO day_sums AS s (member, day, device, app, site, category, ms)
            SELECT member, hour / 24, device, app, site, category, sum(ms) FROM pieces
            GROUP BY member, hour / 24, device, app, site, category ORDER BY member, hour / 24, device, app, site, category
            ON CONFLICT (member, day, device, app, site, category) DO UPDATE SET ms = s.ms + excluded.ms
        )
        """

    /// The columns of a reply with sums.
    static let sumKeys: [HouseholdSumKey] = [.member, .device, .day, .hour, .app, .site, .category, .group]

    /// Returns one statement for each kind of request, so that each reads only the rows it needs and has its own plan.
    ///
    /// The parameters are the first day or hour, the one after the last, and the maximum number of sums. If `ofAll` is false, the
    /// members follow. For sums by group, the groups' numbers and the members in them follow.
    static func sum(by: Set<HouseholdSumKey>, ofAll: Bool) -> String {
        let isHourly = by.contains(.hour)
        let terms = sumKeys.filter(by.contains).map { ($0.rawValue, term($0, isHourly)) }
        let empty = sumKeys.filter { !by.contains($0) }.map { "NULL::int4 AS \($0.rawValue)_" }
        let columns = (terms.map { "\($1) AS \($0)_" } + empty).joined(separator: ", ")
        let part = isHourly ? "s.hour" : "s.day"
        return "SELECT " + sumKeys.map { answer($0, by) }.joined(separator: ", ") + ", ms FROM (SELECT "
            + columns
            + ", sum(s.ms)::int8 AS ms FROM " + (isHourly ? "hour_sums AS s" : "day_sums AS s")
            + (by.contains(.group)
                ? " JOIN unnest($\(ofAll ? 4 : 5)::int8[], $\(ofAll ? 5 : 6)::int8[]) AS g (number, member) ON g.member = s.member"
                : "")
            + " WHERE " + part + " >= $1 AND " + part + " < $2"
            + (ofAll ? "" : " AND s.member = ANY ($4::int8[])")
            + " GROUP BY " + terms.map(\.1).joined(separator: ", ") + ") AS picked"
            + (by.contains(.member) ? " JOIN members AS m ON m.number = member_" : "")
            + (by.contains(.device) ? " JOIN devices AS d ON d.number = device_" : "")
            + " WHERE ms > 0 ORDER BY ms DESC, day_, hour_, app_, site_, category_ LIMIT $3"
    }

    private static func term(_ key: HouseholdSumKey, _ isHourly: Bool) -> String {
        switch key {
        case .day: isHourly ? "s.hour / 24" : "s.day"
        case .hour: "s.hour % 24"
        case .group: "g.number"
        default: "s." + key.rawValue
        }
    }

    private static func answer(_ key: HouseholdSumKey, _ by: Set<HouseholdSumKey>) -> String {
        switch key {
        case .member where by.contains(key): "m.name"
        case .device where by.contains(key): "d.name"
        default: key.rawValue + "_::text"
        }
    }

    // MARK: - Letters

    /// Adds the letters that other services have written, and removes deleted ones.
    static func readLetters(_ state: inout HouseholdState, _ connection: PostgresConnection) throws {
        let rows = try connection.run("SELECT id FROM letters")
        let ids = try Set((0..<rows.count).map { try rows.text($0, 0) })
        state.removeMessages(isSaid: true) { !ids.contains($0.id) }
        let known = state.messages.map(\.id)
        guard known.count < ids.count else { return }
        let new = try connection.run(
            """
            SELECT id, sender, receiver, answers, sealed, until_ms FROM letters WHERE id <> ALL ($1) ORDER BY place
            """,
            [.texts(known)]
        )
        for row in 0..<new.count {
            state.insertSavedMessage(
                HouseholdState.RelayMessage(
                    id: try new.text(row, 0),
                    from: try new.text(row, 1),
                    to: try new.text(row, 2),
                    answers: try new.optionalText(row, 3),
                    sealed: try new.text(row, 4),
                    until: WallTime(ms: try new.int(row, 5))
                )
            )
        }
    }

    static func write(_ letter: HouseholdState.RelayMessage, _ connection: PostgresConnection) throws {
        try connection.run(
            """
            INSERT INTO letters (id, sender, receiver, answers, sealed, until_ms) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (id) DO NOTHING
            """,
            [
                .text(letter.id), .text(letter.from), .text(letter.to),
                letter.answers.map { .text($0) } ?? .null,
                .text(letter.sealed), .integer(letter.until.ms),
            ]
        )
    }

    // MARK: - Rules

    static func readRules(
        _ state: inout HouseholdState,
        _ connection: PostgresConnection,
        since horizon: Int64
    ) throws {
        let rows = try connection.run("SELECT rule FROM rules WHERE tx >= $1", [.integer(horizon)])
        for row in 0..<rows.count {
            state.insertSaved(try HouseholdRule.decodedBody(Array(rows.text(row, 0).utf8)))
        }
    }

    /// Returns false if another service has changed the rule meanwhile.
    static func write(_ rule: HouseholdRule, _ connection: PostgresConnection) throws -> Bool {
        let rows = try connection.run(
            """
            INSERT INTO rules (member, id, version, rule, tx) VALUES ($1, $2, $3, $4, pg_current_xact_id()::text::int8)
            ON CONFLICT (member, id) DO UPDATE SET version = excluded.version, rule = excluded.rule, tx = excluded.tx
                WHERE rules.version = excluded.version - 1
            """,
            [
                .text(rule.member), .text(rule.id), .integer(rule.version),
                .text(String(decoding: try rule.encodedBody(), as: UTF8.self)),
            ]
        )
        return rows.changed > 0
    }
}

/// A calendar month.
struct Month: Hashable {
    /// Months since the year 0.
    var number: Int64

    static func of(_ moment: WallTime) -> Month {
        let date = CivilDate(daysSinceEpoch: Int((Double(moment.ms) / 86_400_000).rounded(.down)))
        return Month(number: Int64(date.year) * 12 + Int64(date.month) - 1)
    }

    private static func start(_ number: Int64) -> WallTime {
        let date = CivilDate(year: Int(number / 12), month: Int(number % 12) + 1, day: 1)
        return WallTime(ms: Int64(date.daysSinceEpoch) * 86_400_000)
    }

    var start: WallTime { Self.start(number) }
    var end: WallTime { Self.start(number + 1) }
    var table: String { "uses_\(number / 12)_\(number % 12 + 1)" }
}

/// Rows of many machines, by columns, as parameters of `unnest`.
struct UsageColumns {
    /// The last place of each member.
    var last: [Int64: Int64] = [:]
    private var numbers: [[Int64]] = Array(repeating: [], count: 7)
    private var texts: [[String]] = Array(repeating: [], count: 5)
    private var bodies: [[UInt8]] = []

    mutating func add(_ row: UsageRow, member: Int64, device: Int64, epoch: String) {
        let segment = row.segment
        let place = (last[member] ?? 0) + 1
        last[member] = place
        let columns = [
            place, member, device, segment.startWallMs, row.localStart.ms, segment.durationMs,
            row.countsAsUsage ? 1 : 0,
        ]
        for (index, value) in columns.enumerated() { numbers[index].append(value) }
        let words = [epoch, segment.segment, segment.app ?? "", segment.domain ?? "", segment.category ?? ""]
        for (index, value) in words.enumerated() { texts[index].append(value) }
        bodies.append(row.body)
    }

    var values: [PostgresValue] {
        numbers.map { .integers($0) } + texts.map { .texts($0) } + [.blobs(bodies)]
    }
}
