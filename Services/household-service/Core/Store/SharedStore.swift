import Glibc
import STContracts
import STEngine
import STPlatform
import STPostgres
import STStore

/// A household in a PostgreSQL database that several services can share.
///
/// No service leads. Each keeps the household in memory, as with a file, and writes the changes of its requests in one
/// transaction. If another service has changed a row meanwhile, the transaction fails and is repeated with current data. Each
/// person's own row counts the places of the person's rows, and is locked until the rows are committed. Numbers of a sequence
/// could become visible in a different order, and a reader would miss some.
final class SharedStore: HouseholdStore, @unchecked Sendable {
    // @unchecked: used at the start, and later only on the thread of the database.
    private let connection: PostgresConnection
    let address: String
    /// Changes after each failure, because data that was read before may no longer be true.
    private(set) var epoch = 1
    private var generation = 0
    /// The numbers of members and the months with a table, which never change once they exist.
    private var members: [String: Int64] = [:]
    private var months: Set<Int64> = []

    /// Number of months before now for which usage has a table by month. Older usage is in one table.
    private static let monthsBefore: Int64 = 120

    init(_ address: String) {
        self.address = address
        connection = PostgresConnection(address) { connection in
            // A server that continues a statement that this service has given up would keep rows locked.
            try connection.execute(
                "SET statement_timeout = 9000; SET lock_timeout = 3000; SET jit = off; SET client_min_messages = warning"
            )
            try SharedTables.migrate(connection)
        }
    }

    // MARK: - Memory

    func refresh(_ state: inout HouseholdState, now: BootTime) throws {
        // A request of this transaction has changed memory. Its commit sends a notification, which triggers another refresh.
        guard state.unsaved.isEmpty else { return }
        let head = try connection.run(
            """
            SELECT pg_snapshot_xmin(pg_current_snapshot())::text::int8,
                places || '-' || (SELECT timeline_id FROM pg_control_checkpoint()) || '-' || 'uses'::regclass::oid, secret, next
            FROM household
            """
        )
        if connection.generation != generation {
            generation = connection.generation
            resetCaches()
        }
        let safe = try head.int(0, 0)
        let horizon = state.readPosition?.epoch == epoch ? state.readPosition?.horizon ?? 0 : 0
        if horizon == 0 {
            state.clear()
        }
        state.identity?.places = try head.text(0, 1)
        if let own = state.identity {
            // The first of the services has made the key that all of them use.
            state.identity?.secret = try head.optionalBlob(0, 2) ?? adoptSecret(on: own.secret)
            state.identity?.next = try head.optionalBlob(0, 3)
            try connection.run(
                "INSERT INTO doors (address) VALUES ($1) ON CONFLICT DO NOTHING",
                [.text(own.address)]
            )
        }
        try readDevices(&state, horizon)
        try readGuests(&state)
        try SharedTables.readLetters(&state, connection)
        try SharedTables.readRules(&state, connection, since: horizon)
        let doors = try connection.run("SELECT address FROM doors ORDER BY address LIMIT 64")
        state.addresses = try (0..<doors.count).map { try doors.text($0, 0) }
        try readOpen(&state, horizon, now: now)
        try readMembers(&state, horizon)
        state.readPosition = .init(horizon: safe, epoch: epoch)
    }

    private func resetCaches() {
        epoch += 1
        members = [:]
        months = []
    }

    private func readDevices(_ state: inout HouseholdState, _ horizon: Int64) throws {
        let rows = try connection.run(
            """
            SELECT number, version, device, name, key, accounts, joined_ms, removed, epoch, sequence, event, anew, seen_ms,
                clock_off_ms, rows, aside, forgets FROM devices WHERE tx >= $1 ORDER BY number
            """,
            [.integer(horizon)]
        )
        for row in 0..<rows.count {
            var device = try AccountList.decodedBody(Array(rows.text(row, 5).utf8)).device(
                id: try rows.text(row, 2),
                name: try rows.text(row, 3),
                key: try rows.blob(row, 4),
                joinedAt: WallTime(ms: try rows.int(row, 6))
            )
            device.number = try rows.int(row, 0)
            device.version = try rows.int(row, 1)
            device.isRemoved = try rows.flag(row, 7)
            device.cursor = HouseholdCursor(
                epoch: try rows.optionalText(row, 8),
                sequence: try rows.optionalInt(row, 9),
                id: try rows.optionalText(row, 10)
            )
            device.isRenewed = try rows.flag(row, 11)
            device.seenAt = try rows.optionalInt(row, 12).map(WallTime.init)
            device.clockOffset = .milliseconds(try rows.int(row, 13))
            device.rows = try rows.int(row, 14)
            device.rejectedUploads = try rows.int(row, 15)
            device.deletionCount = try rows.int(row, 16)
            if let before = state.device(device.id), before.accounts != device.accounts {
                state.upsert([], of: before, received: BootTime(ms: 0))
            }
            state.upsert(device)
        }
    }

    private func readGuests(_ state: inout HouseholdState) throws {
        let invitations = try connection.run(
            "SELECT id, key, until_ms, used_by, machines FROM invitations ORDER BY id"
        )
        state.invitations = try (0..<invitations.count).map { row in
            HouseholdState.Invitation(
                id: try invitations.text(row, 0),
                key: try invitations.blob(row, 1),
                until: WallTime(ms: try invitations.int(row, 2)),
                usedBy: try invitations.optionalBlob(row, 3),
                machines: try invitations.optionalInt(row, 4)
            )
        }
        let guests = try connection.run(
            "SELECT invitation, name, key, accounts, number FROM guests ORDER BY invitation"
        )
        state.pendingMachines = try (0..<guests.count).map { row in
            let list = try AccountList.decodedBody(Array(guests.text(row, 3).utf8))
            return list.guest(
                invitation: try guests.text(row, 0),
                name: try guests.text(row, 1),
                key: try guests.blob(row, 2),
                number: try guests.text(row, 4)
            )
        }
    }

    private func readOpen(_ state: inout HouseholdState, _ horizon: Int64, now: BootTime) throws {
        let rows = try connection.run(
            """
            SELECT d.device, u.body, (extract(epoch FROM clock_timestamp()) * 1000)::int8 - u.told_ms
            FROM under_way AS u JOIN devices AS d ON d.number = u.device WHERE u.tx >= $1
            """,
            [.integer(horizon)]
        )
        for row in 0..<rows.count {
            guard let device = state.device(try rows.text(row, 0)) else { continue }
            state.upsert(
                try OpenList.decodedBody(Array(rows.text(row, 1).utf8)).open,
                of: device,
                received: now - .milliseconds(max(0, try rows.int(row, 2)))
            )
        }
    }

    private func readMembers(_ state: inout HouseholdState, _ horizon: Int64) throws {
        let rows = try connection.run("SELECT name, last FROM members WHERE tx >= $1", [.integer(horizon)])
        for row in 0..<rows.count { state.recordPlace(try rows.int(row, 1), of: try rows.text(row, 0)) }
    }

    // MARK: - Changes

    func adoptSecret(on secret: [UInt8]) throws -> [UInt8] {
        let rows = try connection.run(
            """
            UPDATE household SET secret = coalesce(secret, $1) RETURNING secret
            """,
            [.blob(secret)]
        )
        return try rows.blob(0, 0)
    }

    func save(_ state: inout HouseholdState) throws {
        guard !state.unsaved.isEmpty else { return }
        // If this fails, the change is repeated with current data.
        var kept = state
        do {
            try connection.transaction {
                // After a restart of the server, numbers from the previous connection may belong to other rows.
                guard connection.generation == generation else { throw Self.conflict }
                try write(&kept)
            }
        } catch {
            resetCaches()
            throw error
        }
        kept.unsaved = []
        state = kept
        // Send it outside the transaction, because a commit with a notification waits for all others with one. If the notification
        // is lost, the other services check a little later.
        try? connection.execute("NOTIFY household")
    }

    private func write(_ state: inout HouseholdState) throws {
        let changes = state.unsaved
        var devices: [String] = []
        for case .device(let id) in changes where !devices.contains(id) { devices.append(id) }
        try assignNumbers(devices, &state)
        var opens: Set<String> = []
        // Write many machines together, but each only once, because a later part of a machine depends on its earlier ones.
        var used: [String: UsagePart] = [:]
        for change in changes {
            switch change {
            case .device: break
            case .invitation(let invitation): try write(invitation)
            case .invitationRemoved(let id):
                try connection.run("DELETE FROM guests WHERE invitation = $1", [.text(id)])
                try connection.run("DELETE FROM invitations WHERE id = $1", [.text(id)])
            case .pendingMachine(let guest): try write(guest)
            case .pendingMachineRemoved(let invitation):
                try connection.run("DELETE FROM guests WHERE invitation = $1", [.text(invitation)])
            case .message(let letter): try SharedTables.write(letter, connection)
            case .messageRemoved(let id): try connection.run("DELETE FROM letters WHERE id = $1", [.text(id)])
            case .rule(let rule):
                guard try SharedTables.write(rule, connection) else { throw Self.conflict }
            case .usage(let rows, let device, let epoch, let isAnew):
                if used[device] != nil { try write(&used, &state) }
                used[device] = UsagePart(rows: rows, epoch: epoch, isAnew: isAnew)
            case .fullLedger(let device, let epoch):
                if used[device] != nil { try write(&used, &state) }
                try forget(device, before: epoch, &state)
            case .returned(let device):
                if used[device] != nil { try write(&used, &state) }
                try connection.run(
                    // Rows of its earlier past stay unchanged. Most of them are in tables of past months.
                    "UPDATE uses SET epoch = $2 WHERE device = (SELECT number FROM devices WHERE device = $1) AND epoch <> $2",
                    [.text(device), .text(HouseholdChange.past)]
                )
            case .keys(let own, let before):
                let rows = try connection.run(
                    "UPDATE household SET secret = $1, next = $2 WHERE secret = $3 AND next IS NOT DISTINCT FROM $4",
                    [own.secret, own.next, before.secret, before.next].map { $0.map { .blob($0) } ?? .null }
                )
                guard rows.changed == 1 else { throw Self.conflict }
            case .openUsage(let id): opens.insert(id)
            case .address(let address, let before):
                try connection.run("DELETE FROM doors WHERE address = $1", [.text(before ?? "")])
                try connection.run(
                    "INSERT INTO doors (address) VALUES ($1) ON CONFLICT DO NOTHING",
                    [.text(address)]
                )
            }
        }
        try write(&used, &state)
        if !devices.isEmpty { try write(devices: devices, &state) }
        if !opens.isEmpty { try write(opens: opens, state) }
    }

    private func write(_ invitation: HouseholdState.Invitation) throws {
        let rows = try connection.run(
            """
            INSERT INTO invitations (id, key, until_ms, used_by, machines) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (id) DO UPDATE SET used_by = excluded.used_by
                WHERE invitations.used_by IS NULL OR invitations.used_by = excluded.used_by
            """,
            [
                .text(invitation.id), .blob(invitation.key), .integer(invitation.until.ms),
                invitation.usedBy.map { .blob($0) } ?? .null,
                invitation.machines.map { .integer($0) } ?? .null,
            ]
        )
        if rows.changed == 0 { throw Self.conflict }
    }

    private func write(_ guest: HouseholdState.PendingMachine) throws {
        try connection.run(
            """
            INSERT INTO guests (invitation, name, key, accounts, number) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (invitation) DO UPDATE
                SET name = excluded.name, key = excluded.key, accounts = excluded.accounts, number = excluded.number
            """,
            [
                .text(guest.invitation), .text(guest.name), .blob(guest.key),
                .text(try AccountList(guest).text), .text(guest.number),
            ]
        )
    }

    private static let conflict = Problem(
        PostgresConnection.busy,
        "Another service of the household has changed the same data. Try again.",
        key: "store.busy.another-service-of",
        retryable: true
    )

    private func assignNumbers(_ ids: [String], _ state: inout HouseholdState) throws {
        for id in ids {
            guard var device = state.device(id), device.number == nil else { continue }
            let rows = try connection.run(
                """
                INSERT INTO devices (device, name, key, accounts, joined_ms, tx)
                VALUES ($1, $2, $3, $4, $5, pg_current_xact_id()::text::int8) RETURNING number
                """,
                [
                    .text(device.id), .text(device.name), .blob(device.key),
                    .text(try AccountList(device).text),
                    .integer(device.joinedAt.ms),
                ]
            )
            device.number = try rows.int(0, 0)
            state.upsert(device)
        }
    }

    private func write(devices ids: [String], _ state: inout HouseholdState) throws {
        let devices = ids.compactMap { state.device($0) }
        for var device in devices {
            device.version += 1
            state.upsert(device)
        }
        let rows = try connection.run(
            SharedTables.deviceChange,
            [
                .integers(devices.compactMap(\.number)), .integers(devices.map(\.version)),
                .texts(try devices.map { try AccountList($0).text }),
                .integers(devices.map { $0.isRemoved ? 1 : 0 }),
                .texts(devices.map { $0.cursor.epoch ?? "" }),
                .integers(devices.map { $0.cursor.sequence ?? -1 }),
                .texts(devices.map { $0.cursor.id ?? "" }),
                .integers(devices.map { $0.isRenewed ? 1 : 0 }),
                .integers(devices.map { $0.seenAt?.ms ?? -1 }),
                .integers(devices.map(\.clockOffset.ms)), .integers(devices.map(\.rows)),
                .integers(devices.map(\.rejectedUploads)), .integers(devices.map(\.deletionCount)),
                .blobs(devices.map(\.key)),
            ]
        )
        guard rows.changed == devices.count else { throw Self.conflict }
    }

    private func write(opens ids: Set<String>, _ state: HouseholdState) throws {
        let devices = ids.compactMap { state.device($0) }.sorted { ($0.number ?? 0) < ($1.number ?? 0) }
        try connection.run(
            """
            INSERT INTO under_way (device, body, told_ms, tx)
            SELECT s.device, s.body, (extract(epoch FROM clock_timestamp()) * 1000)::int8, pg_current_xact_id()::text::int8
            FROM unnest($1::int8[], $2::text[]) AS s (device, body)
            ON CONFLICT (device) DO UPDATE SET body = excluded.body, told_ms = excluded.told_ms, tx = excluded.tx
                WHERE under_way.body <> excluded.body OR excluded.body <> '{"open":[]}'
            """,
            [
                .integers(devices.compactMap(\.number)),
                .texts(try devices.map { try OpenList(open: state.open(on: $0)).text }),
            ]
        )
    }

    // MARK: - Use

    private struct UsagePart {
        var rows: [UsageRow]
        var epoch: String
        var isAnew: Bool
    }

    private func write(_ used: inout [String: UsagePart], _ state: inout HouseholdState) throws {
        guard !used.isEmpty else { return }
        try cacheMembers(Set(used.values.flatMap { $0.rows.map(\.segment.member) }))
        let starts = used.values.flatMap(\.rows).map { WallTime(ms: $0.segment.startWallMs) }
        try makeMonths(Set(starts.map(Month.of)))
        let numbers = Set(used.values.flatMap { $0.rows.compactMap { members[$0.segment.member] } }).sorted()
        // Lock in this order, so that two services never wait for each other.
        let last = try connection.run(
            "SELECT number, last FROM members WHERE number = ANY ($1) ORDER BY number FOR UPDATE",
            [.integers(numbers)]
        )
        var rows = UsageColumns()
        guard last.count == numbers.count else { throw Self.conflict }
        for row in 0..<last.count { rows.last[try last.int(row, 0)] = try last.int(row, 1) }
        var ids: [Int64: String] = [:]
        for (id, part) in used {
            guard let device = state.device(id)?.number else { continue }
            ids[device] = id
            let isKept = part.isAnew ? try adoptRows(part.rows, device: device, epoch: part.epoch) : []
            for row in part.rows where !isKept.contains(row.segment.segment) {
                rows.add(row, member: members[row.segment.member] ?? 0, device: device, epoch: part.epoch)
            }
            state.addRows(-part.rows.count, of: id)
        }
        let added = try connection.run(SharedTables.addition, [.integer(1)] + rows.values)
        for row in 0..<added.count {
            if let id = ids[try added.int(row, 0)] { state.addRows(Int(try added.int(row, 1)), of: id) }
        }
        used = [:]
    }

    /// Assigns existing rows to the machine's new ledger. Their places stay. Returns these rows.
    private func adoptRows(_ rows: [UsageRow], device: Int64, epoch: String) throws -> Set<String> {
        let names = rows.map(\.segment.segment)
        let kept = try connection.run(
            """
            WITH sent AS (SELECT segment, md5(segment)::uuid AS key FROM unnest($1::text[]) AS s (segment)),
                kept AS (
                    UPDATE uses AS u SET epoch = $3 FROM sent WHERE u.device = $2 AND u.key = sent.key RETURNING u.key
                )
            SELECT segment FROM sent WHERE key IN (SELECT key FROM kept)
            """,
            [.texts(names), .integer(device), .text(epoch)]
        )
        return Set(try (0..<kept.count).map { try kept.text($0, 0) })
    }

    func deleteUsage(before day: Int64) throws -> [String: Int] {
        try SharedTables.deleteUsage(before: day, connection)
    }

    private func forget(_ device: String, before epoch: String, _ state: inout HouseholdState) throws {
        guard let known = state.device(device), let number = known.number else { return }
        try cacheMembers(Set(known.shared ?? []))
        let shared = known.shared.map { $0.compactMap { self.members[$0] } }
        var (members, missing) = (Set<Int64>(), 0)
        while true {
            let gone = try connection.run(
                SharedTables.removal,
                [
                    .integer(-1), .integer(number), .texts([epoch, HouseholdChange.past]),
                    shared.map { .integers($0) } ?? .null,
                ]
            )
            if gone.count == 0 { break }
            for row in 0..<gone.count {
                members.insert(try gone.int(row, 0))
                missing += Int(try gone.int(row, 1))
            }
        }
        guard !members.isEmpty else { return }
        state.recordDeletion(device, rows: missing)
        for statement in SharedTables.emptySums {
            try connection.run(statement, [.integers(members.sorted()), .integer(number)])
        }
    }

    private func cacheMembers(_ names: Set<String>, isAdding: Bool = true) throws {
        let unknown = names.filter { members[$0] == nil }.sorted()
        guard !unknown.isEmpty else { return }
        if isAdding {
            try connection.run(
                "INSERT INTO members (name, tx) SELECT name, 0 FROM unnest($1::text[]) AS s (name) ON CONFLICT DO NOTHING",
                [.texts(unknown)]
            )
        }
        let rows = try connection.run(
            "SELECT name, number FROM members WHERE name = ANY ($1)",
            [.texts(unknown)]
        )
        for row in 0..<rows.count { members[try rows.text(row, 0)] = try rows.int(row, 1) }
    }

    /// Creates a table for each month, so that the most used tables stay small.
    private func makeMonths(_ wanted: Set<Month>) throws {
        let nowMonth = Month.of(WallTime(ms: Int64(time(nil)) * 1_000)).number
        let missing = wanted.filter {
            !months.contains($0.number) && (nowMonth - Self.monthsBefore...nowMonth + 1).contains($0.number)
        }
        guard !missing.isEmpty else { return }
        try connection.run("SELECT pg_advisory_xact_lock(7415)")
        for month in missing.sorted(by: { $0.number < $1.number }) {
            try connection.execute(
                "CREATE TABLE IF NOT EXISTS \(month.table) PARTITION OF uses FOR VALUES FROM (\(month.start.ms)) TO (\(month.end.ms))"
            )
            months.insert(month.number)
        }
    }

    func rows(of member: String, after place: Int64, for device: HouseholdState.Device, limit: Int) throws
        -> UsageRowPage
    {
        // Read the last place first: all rows up to it are committed.
        let head = try connection.run("SELECT number, last FROM members WHERE name = $1", [.text(member)])
        guard head.count > 0 else { return UsageRowPage(head: 0) }
        var page = UsageRowPage(head: try head.int(0, 1))
        let rows = try connection.run(
            """
            SELECT place, body FROM uses WHERE member = $1 AND place > $2 AND start_ms >= $5 AND (device <> $3 OR epoch = $6)
            ORDER BY place LIMIT $4
            """,
            [
                .integer(try head.int(0, 0)), .integer(place), .integer(device.number ?? 0),
                .integer(Int64(limit)), .integer(device.pastStart.ms), .text(HouseholdChange.past),
            ]
        )
        page.rows = try (0..<rows.count).map { (try rows.int($0, 0), try rows.blob($0, 1)) }
        return page
    }

    func missing(_ segments: [String], of device: String) throws -> [String] {
        let rows = try connection.run(
            """
            SELECT s.segment FROM unnest($1::text[]) AS s (segment) WHERE NOT EXISTS (
                SELECT FROM uses WHERE device = (SELECT number FROM devices WHERE device = $2) AND key = md5(s.segment)::uuid
            )
            """,
            [.texts(segments), .text(device)]
        )
        return try (0..<rows.count).map { try rows.text($0, 0) }
    }

    // MARK: - Sums

    func sums(_ ask: UsageSumQuery) throws -> [UsageSumRow] {
        try cacheMembers(
            ask.groups.reduce(into: Set(ask.members ?? [])) { $0.formUnion($1.members) },
            isAdding: false
        )
        let parts: Int64 = ask.by.contains(.hour) ? 24 : 1
        var values: [PostgresValue] = [
            .integer(ask.days.lowerBound * parts), .integer(ask.days.upperBound * parts),
            .integer(Int64(UsageSumQuery.rowsMax) + 1),
        ]
        if let wanted = ask.members { values.append(.integers(wanted.compactMap { members[$0] })) }
        if ask.by.contains(.group) {
            let pairs = ask.groups.enumerated().flatMap { place, group in
                group.members.compactMap { members[$0] }.map { (Int64(place), $0) }
            }
            values += [.integers(pairs.map(\.0)), .integers(pairs.map(\.1))]
        }
        let rows = try connection.run(SharedTables.sum(by: ask.by, ofAll: ask.members == nil), values)
        return try (0..<rows.count).map { row in
            var keys: [HouseholdSumKey: String] = [:]
            for (column, key) in SharedTables.sumKeys.enumerated() where ask.by.contains(key) {
                keys[key] = try rows.text(row, Int32(column))
            }
            if let place = keys[.group].flatMap({ Int($0) }) { keys[.group] = ask.groups[place].name }
            return UsageSumRow(keys: keys, ms: try rows.int(row, Int32(SharedTables.sumKeys.count)))
        }
    }

    // MARK: - Moving in

    /// Moves the household of a file here, one page with each call.
    func move(_ file: FileStore) throws -> StartProgress? {
        var old = try HouseholdTables.load(file.database)
        try file.load(&old)
        guard let own = old.identity, !old.devices.isEmpty else { return nil }
        var state = try HouseholdTables.load(file.database)
        try refresh(&state, now: BootTime(ms: 0))
        guard try adoptSecret(on: own.secret) == own.secret else {
            throw Problem(
                "household.other_household",
                "The database in `store` already contains another household. Set `store` to an empty one."
            )
        }
        for device in old.devices where state.device(device.id) == nil {
            // The cursor is written when the rows are there.
            var begun = device
            begun.rows = 0
            begun.cursor = HouseholdCursor()
            state.upsert(begun)
            state.unsaved.append(.device(device.id))
        }
        for invitation in old.invitations where !state.invitations.contains(invitation) {
            state.upsert(invitation)
        }
        for guest in old.pendingMachines where !state.pendingMachines.contains(guest) { state.upsert(guest) }
        for (member, rules) in old.rules {
            for rule in rules.values where state.rules[member]?[rule.id] == nil { state.upsert(rule) }
        }
        let page = try file.page()
        state.unsaved += page.changes
        for case .usage(let rows, let device, _, _) in page.changes {
            state.addRows(rows.count, of: device)
            state.unsaved.append(.device(device))
        }
        if page.changes.isEmpty {
            for device in old.devices {
                guard var moved = state.device(device.id) else { continue }
                moved.cursor = device.cursor
                moved.isRenewed = device.isRenewed
                moved.isRemoved = device.isRemoved
                state.upsert(moved)
                state.unsaved.append(.device(device.id))
            }
        }
        try save(&state)
        try file.remove(through: page.through)
        if page.changes.isEmpty {
            try file.clear()
            return nil
        }
        return StartProgress(done: page.through, all: old.firstPlace)
    }
}

extension WireBody {
    fileprivate var text: String {
        get throws { String(decoding: try encodedBody(), as: UTF8.self) }
    }
}
