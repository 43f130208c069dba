import STBus
import STContracts
import STEngine
import STStore

/// Invariants after every step and conditions at the end.
extension World {
    /// No follower has applied more than exists.
    func stepViolation() -> String? {
        for service in services {
            for follower in service.engine?.followers ?? [] {
                guard let applied = follower.applied, applied.sequence > 0 else { continue }
                let head = checks.heads[SimChecks.log(applied)] ?? 0
                if applied.sequence > head {
                    return
                        "\(service.name) has applied \(applied.sequence) of \(applied.stream), whose head is \(head)"
                }
            }
        }
        return nil
    }

    /// Every published event has been committed.
    func publishedViolation(_ event: WireEvent, _ service: SimService) -> String? {
        let found = try? service.database?.first(
            "SELECT id FROM events WHERE stream = ? AND sequence = ?",
            [.text(event.header.stream.rawValue), .integer(event.header.sequence)]
        ) { try $0.text(0) }
        return found == event.header.id
            ? nil
            : "\(service.name) published \(event.header.type) \(event.header.sequence), which is not in its log"
    }

    /// The state in memory equals the tables.
    func stateViolation(_ service: SimService) -> String? {
        guard let store = service.store, let database = service.database else { return nil }
        let stored = try? service.definition.load(database)
        return stored == store.state
            ? nil : "\(service.name) believes \(store.state), but its tables say \(stored as Any)"
    }

    /// A log has no holes.
    func logViolation(_ service: SimService) -> String? {
        guard let database = service.database else { return nil }
        let broken = try? database.query(
            """
            SELECT stream FROM streams WHERE head - max(trimmed, 1) + 1 != (
                SELECT count(*) FROM events WHERE events.stream = streams.stream
                    AND sequence BETWEEN max(trimmed, 1) AND head
            )
            """
        ) { try $0.text(0) }
        return broken == [] ? nil : "the log of \(service.name) has a hole: \(broken as Any)"
    }

    // MARK: - End

    var hasConverged: Bool {
        guard client.open.isEmpty, services.allSatisfy({ $0.isRunning && $0.jobs.isEmpty }) else {
            return false
        }
        return links.allSatisfy { $0.isConnected && $0.answers.isEmpty }
            && services.allSatisfy { service in
                service.definition.subscriptions.indices.allSatisfy { isCaughtUp(service, $0) }
            }
    }

    private func isCaughtUp(_ service: SimService, _ index: Int) -> Bool {
        let followed = service.definition.subscriptions[index]
        guard let follower = service.engine?.followers[index], follower.state == .live else { return false }
        let heads = (try? self.service(followed.source)?.store?.heads()) ?? []
        return heads.first { $0.stream == followed.stream.rawValue } == follower.applied
            && follower.latestHead == follower.applied?.sequence
    }

    var progress: String {
        let followers = services.flatMap { service in
            (service.engine?.followers ?? []).map {
                "\(service.name)/\($0.stream) \($0.state) \($0.applied?.sequence ?? -1) of \($0.latestHead)"
            }
        }
        return "open \(client.open.sorted()), \(followers.joined(separator: ", "))"
    }

    func finalViolation() -> String? {
        if let problem = itemsViolation() { return problem }
        for service in services {
            if let problem = logViolation(service) ?? stateViolation(service) { return problem }
            for index in service.definition.subscriptions.indices {
                if let problem = followerViolation(service, index) { return problem }
            }
        }
        return echoViolation()
    }

    /// An acknowledged request was done once, and a rejected one was not done.
    private func itemsViolation() -> String? {
        let rows = (try? services[0].database?.query("SELECT n FROM items") { try $0.int(0) }) ?? []
        let counts = Dictionary(rows.map { ($0, 1) }, uniquingKeysWith: +)
        if let twice = counts.filter({ $0.value > 1 }).keys.min() { return "item \(twice) was kept twice" }
        let missing = client.acknowledged.subtracting(rows).subtracting(checks.lost)
        if let gone = missing.min() { return "item \(gone) was acknowledged and is gone" }
        let wrong = client.refused.intersection(rows)
        return wrong.min().map { "item \($0) was refused and is there" }
    }

    /// The applied events are a fold over the publisher's log.
    private func followerViolation(_ service: SimService, _ index: Int) -> String? {
        let followed = service.definition.subscriptions[index]
        guard let source = self.service(followed.source)?.database, let own = service.database else {
            return "stopped"
        }
        let taken = LogRow.taken(own, followed.stream.rawValue)
        let log = LogRow.log(source, followed.stream.rawValue)
        let trimmed = (try? source.first("SELECT trimmed FROM streams") { try $0.int(0) }) ?? 0
        let name = "\(service.name), \(followed.stream)"
        let strange = taken.filter { row in row.sequence >= trimmed && !log.contains { $0.isSame(row) } }
        if let row = strange.first { return "\(name): \(row.sequence) is not what the log has" }
        let end = service.snapshotEnds[index] ?? 0
        for row in log where !row.isUnreadable && !taken.contains(where: { $0.isSame(row) }) {
            if row.sequence > end || !row.isSuperseded { return "\(name): \(row.sequence) was never applied" }
        }
        let unreadable = taken.first { $0.isUnreadable }
        return unreadable.map { "\(name): \($0.sequence) cannot be read and left something behind" }
    }

    /// Each event was republished exactly once, however often it was applied.
    private func echoViolation() -> String? {
        guard let beta = services[1].database else { return "stopped" }
        let counts =
            (try? beta.query(
                """
                SELECT sequence, (SELECT count(*) FROM events WHERE cause = taken.id),
                    (SELECT count(*) FROM sent WHERE id = taken.id) FROM taken
                """
            ) { (try $0.int(0), try $0.int(1), try $0.int(2)) }) ?? []
        let wasCut = services[1].wasTrimmed || services[1].wasReset
        for (sequence, events, sent) in counts where sent != 1 || events > 1 || (events == 0 && !wasCut) {
            return "beta passed \(sequence) on \(events) times"
        }
        return nil
    }
}

/// The checker's record of a run.
struct SimChecks {
    /// The highest sequence of each log (stream and epoch).
    var heads: [String: Int64] = [:]
    /// Items that a restored backup removed.
    var lost: Set<Int64> = []
    var asked = 0

    mutating func committed(_ service: SimService) {
        guard !service.definition.streams.isEmpty, let found = try? service.store?.heads() else { return }
        for head in found {
            heads[Self.log(head), default: 0] = max(heads[Self.log(head)] ?? 0, head.sequence)
        }
    }

    static func log(_ point: StreamPoint) -> String { "\(point.stream)/\(point.epoch)" }
}

/// One event of a log, or one that a follower has applied.
struct LogRow {
    var sequence: Int64
    var id: String
    var n: Int64
    /// The log contains a later event of the same subject, so a snapshot leaves this one out.
    var isSuperseded = false

    var isUnreadable: Bool { Item(n: n, subject: "").isUnreadable }

    func isSame(_ other: LogRow) -> Bool { (sequence, id, n) == (other.sequence, other.id, other.n) }

    static func taken(_ database: Database, _ stream: String) -> [LogRow] {
        (try? database.query(
            "SELECT sequence, id, n FROM taken WHERE stream = ? ORDER BY sequence",
            [.text(stream)]
        ) { LogRow(sequence: try $0.int(0), id: try $0.text(1), n: try $0.int(2)) }) ?? []
    }

    static func log(_ database: Database, _ stream: String) -> [LogRow] {
        (try? database.query(
            """
            SELECT sequence, id, body, EXISTS (
                SELECT 1 FROM events AS later WHERE later.stream = event.stream
                    AND later.subject = event.subject AND later.sequence > event.sequence
            ) FROM events AS event WHERE stream = ? ORDER BY sequence
            """,
            [.text(stream)]
        ) { row in
            let item = try Item.decodedBody(try row.blob(2))
            return LogRow(
                sequence: try row.int(0),
                id: try row.text(1),
                n: item.n,
                isSuperseded: try row.bool(3)
            )
        }) ?? []
    }
}
