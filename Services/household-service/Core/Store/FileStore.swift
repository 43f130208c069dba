import STContracts
import STPlatform
import STStore

/// A household in the database file of its service.
struct FileStore: HouseholdStore {
    let database: Database

    init(_ database: Database) { self.database = database }

    func load(_ state: inout HouseholdState) throws {
        let devices = try database.query(
            // Rows: all machines, and of each the count of its rows, at the start.
            """
            SELECT device, name, key, accounts, joined_ms, removed, epoch, sequence, event, anew, seen_ms, clock_off_ms,
                (SELECT count(*) FROM uses WHERE uses.device = devices.device), aside, forgets FROM devices ORDER BY place
            """
        ) { row in
            var device = try AccountList.decodedBody(try row.blob(3)).device(
                id: try row.text(0),
                name: try row.text(1),
                key: try row.blob(2),
                joinedAt: WallTime(ms: try row.int(4))
            )
            device.isRemoved = try row.bool(5)
            device.cursor = HouseholdCursor(
                epoch: try row.optionalText(6),
                sequence: try row.optionalInt(7),
                id: try row.optionalText(8)
            )
            device.isRenewed = try row.bool(9)
            device.seenAt = try row.optionalInt(10).map(WallTime.init)
            device.clockOffset = .milliseconds(try row.int(11))
            device.rows = try row.int(12)
            device.rejectedUploads = try row.int(13)
            device.deletionCount = try row.int(14)
            return device
        }
        for device in devices { state.upsert(device) }
        state.invitations = try database.query(
            "SELECT id, key, until_ms, used_by, machines FROM invitations ORDER BY id"
        ) {
            .init(
                id: try $0.text(0),
                key: try $0.blob(1),
                until: WallTime(ms: try $0.int(2)),
                usedBy: try $0.optionalBlob(3),
                machines: try $0.optionalInt(4)
            )
        }
        state.pendingMachines = try database.query(
            "SELECT invitation, name, key, accounts, number FROM guests"
        ) {
            let list = try AccountList.decodedBody(try $0.blob(3))
            return list.guest(
                invitation: try $0.text(0),
                name: try $0.text(1),
                key: try $0.blob(2),
                number: try $0.text(4)
            )
        }
        try loadLetters(&state)
        try loadRules(&state)
        state.firstPlace = try lastPlace()
    }

    private func loadLetters(_ state: inout HouseholdState) throws {
        let letters = try database.query(
            "SELECT id, sender, receiver, answers, sealed, until_ms FROM letters ORDER BY place"
        ) {
            HouseholdState.RelayMessage(
                id: try $0.text(0),
                from: try $0.text(1),
                to: try $0.text(2),
                answers: try $0.optionalText(3),
                sealed: try $0.text(4),
                until: WallTime(ms: try $0.int(5))
            )
        }
        for letter in letters { state.insertSavedMessage(letter) }
    }

    private func loadRules(_ state: inout HouseholdState) throws {
        // Rows: all, at the start: as many as people have rules.
        let rules = try database.query("SELECT rule FROM house_rules") {
            try HouseholdRule.decodedBody(try $0.blob(0))
        }
        for rule in rules { state.insertSaved(rule) }
    }

    private func lastPlace() throws -> Int64 {
        // Rows: one of the counter that AUTOINCREMENT keeps.
        try database.first("SELECT seq FROM sqlite_sequence WHERE name = 'uses'") { try $0.int(0) } ?? 0
    }

    func adoptSecret(on secret: [UInt8]) throws -> [UInt8] { secret }

    func save(_ state: inout HouseholdState) throws {
        for change in state.unsaved {
            switch change {
            case .device(let id): if let device = state.device(id) { try save(device) }
            case .invitation(let invitation): try save(invitation)
            case .invitationRemoved(let id):
                try database.run("DELETE FROM invitations WHERE id = ?", [.text(id)])
            case .pendingMachine(let guest): try add(guest)
            case .pendingMachineRemoved(let invitation):
                try database.run("DELETE FROM guests WHERE invitation = ?", [.text(invitation)])
            case .message(let letter): try add(letter)
            case .messageRemoved(let id): try database.run("DELETE FROM letters WHERE id = ?", [.text(id)])
            case .rule(let rule):
                try database.run(
                    "INSERT OR REPLACE INTO house_rules (member, id, rule) VALUES (?, ?, ?)",
                    [.text(rule.member), .text(rule.id), .blob(try rule.encodedBody())]
                )
            case .usage(let rows, let device, let epoch, let isAnew):
                let added = try add(rows, of: device, epoch: epoch, isAnew: isAnew, &state)
                state.addRows(added - rows.count, of: device)
            case .fullLedger(let device, let epoch):
                let gone = try forget(of: device, before: epoch, state.device(device)?.shared)
                if gone > 0 {
                    state.recordDeletion(device, rows: gone)
                    if let device = state.device(device) { try save(device) }
                    try database.run(
                        "UPDATE devices SET forgets = forgets + 1 WHERE device = ?",
                        [.text(device)]
                    )
                }
            case .returned(let device):
                try database.run(
                    // Rows: all of one machine that has lost its data.
                    "UPDATE uses SET epoch = ? WHERE device = ? AND epoch <> ?",
                    [.text(HouseholdChange.past), .text(device), .text(HouseholdChange.past)]
                )
            case .keys(let own, _): try HouseholdTables.save(own, database)
            case .openUsage, .address: break
            }
        }
        state.unsaved = []
    }

    private func save(_ device: HouseholdState.Device) throws {
        try database.run(
            """
            INSERT INTO devices
                (device, name, key, accounts, joined_ms, removed, epoch, sequence, event, anew, seen_ms, clock_off_ms,
                aside)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (device) DO UPDATE SET
                key = excluded.key, accounts = excluded.accounts, aside = excluded.aside, removed = excluded.removed, epoch = excluded.epoch, sequence = excluded.sequence,
                event = excluded.event, anew = excluded.anew, seen_ms = excluded.seen_ms,
                clock_off_ms = excluded.clock_off_ms
            """,
            [
                .text(device.id), .text(device.name), .blob(device.key),
                .blob(try AccountList(device).encodedBody()),
                .integer(device.joinedAt.ms),
                .integer(device.isRemoved ? 1 : 0), SQLValue(device.cursor.epoch),
                SQLValue(device.cursor.sequence),
                SQLValue(device.cursor.id), .integer(device.isRenewed ? 1 : 0), SQLValue(device.seenAt?.ms),
                .integer(device.clockOffset.ms), .integer(device.rejectedUploads),
            ]
        )
    }

    private func save(_ invitation: HouseholdState.Invitation) throws {
        try database.run(
            """
            INSERT INTO invitations (id, key, until_ms, used_by, machines) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET used_by = excluded.used_by
            """,
            [
                .text(invitation.id), .blob(invitation.key), .integer(invitation.until.ms),
                invitation.usedBy.map { .blob($0) } ?? .null, SQLValue(invitation.machines),
            ]
        )
    }

    private func add(_ guest: HouseholdState.PendingMachine) throws {
        try database.run(
            "INSERT INTO guests (invitation, name, key, accounts, number) VALUES (?, ?, ?, ?, ?)",
            [
                .text(guest.invitation), .text(guest.name), .blob(guest.key),
                .blob(try AccountList(guest).encodedBody()), .text(guest.number),
            ]
        )
    }

    private func add(_ letter: HouseholdState.RelayMessage) throws {
        try database.run(
            "INSERT INTO letters (id, sender, receiver, answers, sealed, until_ms) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .text(letter.id), .text(letter.from), .text(letter.to), SQLValue(letter.answers),
                .text(letter.sealed), .integer(letter.until.ms),
            ]
        )
    }

    // MARK: - Use

    /// Adds rows. Returns the number of new ones.
    private func add(
        _ rows: [UsageRow],
        of device: String,
        epoch: String,
        isAnew: Bool,
        _ state: inout HouseholdState
    ) throws -> Int {
        var added = 0
        for row in rows {
            let segment = row.segment
            let place = try database.first(
                """
                INSERT INTO uses (device, segment, epoch, member, start_wall_ms, local_ms, length_ms, body)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (device, segment) DO NOTHING RETURNING place
                """,
                [
                    .text(device), .text(segment.segment), .text(epoch), .text(segment.member),
                    .integer(segment.startWallMs), .integer(row.localStart.ms), .integer(segment.durationMs),
                    .blob(row.body),
                ]
            ) { try $0.int(0) }
            if let place {
                added += 1
                state.recordPlace(place, of: segment.member)
                try sum(row, sign: 1)
            } else if isAnew {
                // An existing row keeps its place, and now belongs to the machine's new ledger.
                try database.run(
                    "UPDATE uses SET epoch = ? WHERE device = ? AND segment = ?",
                    [.text(epoch), .text(device), .text(segment.segment)]
                )
            }
        }
        return added
    }

    /// Deletes rows that a machine no longer has. Returns their number.
    private func forget(of device: String, before epoch: String, _ members: [String?]?) throws -> Int {
        let gone = try (members ?? [nil]).flatMap { member in
            try database.query(
                // Rows: all of one machine, once, when its ledger is new.
                """
                DELETE FROM uses WHERE device = ?1 AND epoch NOT IN (?2, ?3) AND (?4 IS NULL OR member = ?4)
                RETURNING body, local_ms
                """,
                [.text(device), .text(epoch), .text(HouseholdChange.past), SQLValue(member)]
            ) { try UsageRow(Segment.decodedBody(try $0.blob(0)), localStart: .milliseconds(try $0.int(1))) }
        }
        for row in gone { try sum(row, sign: -1) }
        for member in Set(gone.map(\.segment.member)) {
            // An empty sum would still name an app or a site.
            for empty in [
                // Rows: the hours of a member on one machine.
                "DELETE FROM hour_sums WHERE member = ? AND device = ? AND ms <= 0",
                // Rows: the days of a member on one machine.
                "DELETE FROM day_sums WHERE member = ? AND device = ? AND ms <= 0",
            ] { try database.run(empty, [.text(member), .text(device)]) }
        }
        return gone.count
    }

    func deleteUsage(before day: Int64) throws -> [String: Int] {
        let devices = try database.query(
            // Rows: all that are too old, some with each step; once a day this reads all rows.
            """
            DELETE FROM uses WHERE place IN (SELECT place FROM uses WHERE local_ms < ? ORDER BY place LIMIT ?)
            RETURNING device
            """,
            [.integer(day * UsageRow.day.ms), SQLValue(HouseholdStores.forgottenMax)]
        ) { try $0.text(0) }
        if devices.count < HouseholdStores.forgottenMax {
            // Rows: all, once a day.
            try database.run("DELETE FROM hour_sums WHERE hour < ?", [.integer(day * 24)])
            // Rows: all, once a day.
            try database.run("DELETE FROM day_sums WHERE day < ?", [.integer(day)])
        }
        return devices.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    private func sum(_ row: UsageRow, sign: Int64) throws {
        let keys: [SQLValue] = [
            .text(row.segment.device ?? ""), .text(row.segment.app ?? ""), .text(row.segment.domain ?? ""),
            .text(row.segment.category ?? ""),
        ]
        for (hour, ms) in row.hours {
            try database.run(
                """
                INSERT INTO hour_sums (member, hour, device, app, site, category, ms) VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (member, hour, device, app, site, category) DO UPDATE SET ms = ms + excluded.ms
                """,
                [.text(row.segment.member), .integer(hour)] + keys + [.integer(sign * ms)]
            )
            try database.run(
                """
                INSERT INTO day_sums (member, day, device, app, site, category, ms) VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (member, day, device, app, site, category) DO UPDATE SET ms = ms + excluded.ms
                """,
                [.text(row.segment.member), .integer(hour / 24)] + keys + [.integer(sign * ms)]
            )
        }
    }

    func rows(of member: String, after place: Int64, for device: HouseholdState.Device, limit: Int) throws
        -> UsageRowPage
    {
        var page = UsageRowPage(head: try lastPlace())
        page.rows = try database.query(
            // Rows: a page.
            """
            SELECT place, body FROM uses WHERE member = ? AND place > ? AND start_wall_ms >= ? AND (device <> ? OR epoch = ?)
            ORDER BY place LIMIT ?
            """,
            [
                .text(member), .integer(place), .integer(device.pastStart.ms), .text(device.id),
                .text(HouseholdChange.past),
                SQLValue(limit),
            ]
        ) { (try $0.int(0), try $0.blob(1)) }
        return page
    }

    func missing(_ segments: [String], of device: String) throws -> [String] {
        try segments.filter { segment in
            try database.first(
                "SELECT 1 FROM uses WHERE device = ? AND segment = ?",
                [.text(device), .text(segment)]
            ) { try $0.int(0) } == nil
        }
    }

    // MARK: - Sums

    func sums(_ ask: UsageSumQuery) throws -> [UsageSumRow] {
        var groups: [String: [String]] = [:]
        for group in ask.groups {
            for member in group.members { groups[member, default: []].append(group.name) }
        }
        let names = try database.query("SELECT device, name FROM devices") {
            (try $0.text(0), try $0.text(1))
        }
        let devices = Dictionary(uniqueKeysWithValues: names)
        // Rows: the first of each member.
        let all = try database.query("SELECT DISTINCT member FROM day_sums") { try $0.text(0) }
        var sums: [[HouseholdSumKey: String]: Int64] = [:]
        for member in all where ask.members?.contains(member) != false {
            let ofMember = ask.by.contains(.group) ? groups[member] ?? [] : [""]
            for (row, ms) in try pieces(member, ask) {
                for group in ofMember {
                    var keys = row
                    keys[.member] = member
                    keys[.group] = group
                    keys[.device] = devices[row[.device] ?? ""] ?? ""
                    sums[keys.filter { ask.by.contains($0.key) }, default: 0] += ms
                }
            }
        }
        return sums.filter { $0.value > 0 }.map { UsageSumRow(keys: $0.key, ms: $0.value) }
            .sorted { ($1.ms, $0.order) < ($0.ms, $1.order) }
            .prefix(UsageSumQuery.rowsMax + 1).map(\.self)
    }

    private func pieces(_ member: String, _ ask: UsageSumQuery) throws -> [([HouseholdSumKey: String], Int64)]
    {
        let parts: Int64 = ask.by.contains(.hour) ? 24 : 1
        let values: [SQLValue] = [
            .text(member), .integer(ask.days.lowerBound * parts), .integer(ask.days.upperBound * parts),
        ]
        func piece(_ row: borrowing Row) throws -> ([HouseholdSumKey: String], Int64) {
            let part = try row.int(0)
            let keys: [HouseholdSumKey: String] = [
                .day: String(part / parts), .hour: String(part % parts), .device: try row.text(1),
                .app: try row.text(2), .site: try row.text(3), .category: try row.text(4),
            ]
            return (keys, try row.int(5))
        }
        if parts > 1 {
            return try database.query(
                // Rows: the usage of a member in these hours.
                "SELECT hour, device, app, site, category, ms FROM hour_sums WHERE member = ? AND hour >= ? AND hour < ?",
                values
            ) { try piece($0) }
        }
        return try database.query(
            // Rows: the usage of a member on these days.
            "SELECT day, device, app, site, category, ms FROM day_sums WHERE member = ? AND day >= ? AND day < ?",
            values
        ) { try piece($0) }
    }

    // MARK: - Moving out

    /// Returns the first rows that are still in the file.
    func page() throws -> (changes: [HouseholdChange], through: Int64) {
        var through: Int64 = 0
        var rows: [(device: String, epoch: String, row: UsageRow)] = []
        try database.scan(
            // Rows: a page.
            "SELECT place, device, epoch, body, local_ms FROM uses ORDER BY place LIMIT 2000"
        ) { row in
            through = try row.int(0)
            rows.append(
                (
                    try row.text(1), try row.text(2),
                    try UsageRow(
                        Segment.decodedBody(try row.blob(3)),
                        localStart: .milliseconds(try row.int(4))
                    )
                )
            )
            return true
        }
        let parts = Dictionary(grouping: rows) { [$0.device, $0.epoch] }
        return (
            parts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, rows in
                .usage(rows.map(\.row), device: key[0], epoch: key[1], isAnew: false)
            },
            through
        )
    }

    func remove(through place: Int64) throws {
        // Rows: those of a page.
        try database.run("DELETE FROM uses WHERE place <= ?", [.integer(place)])
    }

    /// Deletes a household that is now in the shared store. The machine's own address and keys stay.
    func clear() throws {
        for table in [
            "DELETE FROM devices", "DELETE FROM invitations", "DELETE FROM guests", "DELETE FROM house_rules",
        ] {
            try database.run(table)
        }
        // Rows: all, once.
        try database.run("DELETE FROM hour_sums")
        // Rows: all, once.
        try database.run("DELETE FROM day_sums")
    }
}

extension UsageSumRow {
    fileprivate var order: String { HouseholdSumKey.allCases.map { keys[$0] ?? "" }.joined(separator: "\n") }
}
