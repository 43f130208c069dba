import Glibc
package import STContracts
import STPlatform
import STStore

/// The routes that every service answers, except those that need data of its process (`ServiceEngine`).
enum CommonRoutes {
    /// Returns these routes and those of the definition, by name.
    static func byName<State: Sendable>(
        with definition: ServiceDefinition<State>,
        source: String
    ) -> [String: ServiceRoute<State>] {
        let all = definition.routes + all(of: definition, source: source)
        return Dictionary(all.map { ($0.info.name, $0) }) { first, _ in first }
    }

    private static func all<State: Sendable>(of definition: ServiceDefinition<State>, source: String)
        -> [ServiceRoute<State>]
    {
        let service = definition.name
        return [
            .query(EventsSince.self) { _, request, _, database in
                try since(request, EventLog(database), source: source)
            },
            .query(EventsSnapshot.self) { _, request, _, database in
                try snapshot(request, definition.log(database), source: source)
            },
            .query(DataBackup.self) { _, request, _, database in
                guard request.path.hasPrefix("/") else {
                    throw Problem(
                        "body.invalid",
                        "The path of a backup must be absolute.",
                        key: "body.invalid.the-path-of",
                        field: "/path"
                    )
                }
                try database.backup(to: request.path)
                var info = stat()
                _ = stat(request.path, &info)
                return DataBackup.Reply(path: request.path, bytes: Int64(info.st_size))
            },
            .query(DataCheck.self) { _, _, _, database in
                do {
                    try database.releaseCache()
                    try database.check()
                    return DataCheck.Reply()
                } catch let problem as Problem where problem.code == "store.corrupt" {
                    return DataCheck.Reply(damage: problem.text)
                }
            },
            .read(BusDescribe.self) { _, _, _ in
                let entry = Catalogue.entry(service)
                return BusDescribe.Reply(
                    service: service,
                    routes: Catalogue.common + (entry?.routes ?? []),
                    events: entry?.events ?? []
                )
            },
        ]
    }

    private static func since(_ request: EventsSince.Request, _ log: EventLog, source: String) throws
        -> EventPage
    {
        let head = try requireStream(request.stream, log)
        let position = StreamPosition(
            epoch: request.epoch ?? head.epoch,
            sequence: max(0, request.sequence ?? 0),
            id: request.id
        )
        let page = try log.since(
            request.stream,
            position: position,
            limit: try rows(request.limit),
            byteLimit: BusLimits.pageBytes
        )
        let (events, isCut) = fitting(page.events, source: source)
        return EventPage(
            head: StreamPoint(page.head),
            events: events,
            next: page.more || isCut ? events.last.map { String($0.header.sequence) } : nil
        )
    }

    private static func snapshot(
        _ request: EventsSnapshot.Request,
        _ log: EventLog,
        source: String
    ) throws -> EventPage {
        _ = try requireStream(request.stream, log)
        let place = try request.next.map { try SnapshotPlace(text: $0) }
        let page = try log.snapshot(
            request.stream,
            after: place?.after ?? 0,
            through: place?.through,
            limit: try rows(request.limit),
            byteLimit: BusLimits.pageBytes
        )
        let through = page.through
        let (events, isCut) = fitting(page.events, source: source)
        let last = page.more || isCut ? events.last?.header.sequence : nil
        let next = last.map { SnapshotPlace(after: $0, through: through).text }
        return EventPage(
            head: StreamPoint(
                stream: request.stream,
                epoch: through.epoch,
                sequence: through.sequence,
                id: through.id
            ),
            events: events,
            next: next
        )
    }

    /// Returns as many events as fit into a reply. An encoded event takes more room than its row. At least one is returned, or the
    /// subscriber could never get past it.
    private static func fitting(_ rows: [StoredEvent], source: String) -> (events: [WireEvent], isCut: Bool) {
        var events: [WireEvent] = []
        var bytes = 0
        for row in rows {
            let event = WireEvent(row, source: source)
            bytes += event.body.count + event.header.encodedBytes + 24
            if bytes > BusLimits.pageBytes, !events.isEmpty { return (events, true) }
            events.append(event)
        }
        return (events, false)
    }

    private static func requireStream(_ stream: String, _ log: EventLog) throws -> StreamHead {
        let heads = try log.heads()
        guard let head = heads.first(where: { $0.stream == stream }) else {
            let names = heads.map(\.stream).joined(separator: ", ")
            throw Problem(
                "stream.not_found",
                text: names.isEmpty
                    ? Message("stream.not_found.no-streams", "This service publishes no streams.")
                    : Message(
                        "stream.not_found",
                        "This service has no such stream. It publishes: \(names, "names")."
                    ),
                field: "/stream"
            )
        }
        return head
    }

    private static func rows(_ limit: Int64?) throws -> Int {
        guard let limit else { return BusLimits.pageRows }
        guard limit > 0 else {
            throw Problem(
                "body.invalid",
                "The limit must be at least 1.",
                key: "body.invalid.a-limit-is",
                field: "/limit"
            )
        }
        return Int(min(limit, Int64(BusLimits.pageRows)))
    }
}

/// A page of a list that is computed again for every request. `next` is the position of the following page.
package enum OffsetPage {
    /// Returns as many rows as a page allows and as fit into a reply. A name may take six times its length when it is encoded.
    ///
    /// At least one row is returned, or a reader could never get past it.
    package static func slice<Row: WireBody>(_ all: [Row], next: String?) throws -> (
        rows: [Row], next: String?
    ) {
        let start = try next.map { text -> Int in
            guard let start = Int(text), start >= 0 else {
                throw Problem(
                    "page.invalid",
                    "Send `next` exactly as it was in the reply.",
                    field: "/next"
                )
            }
            return start
        }
        var rows: [Row] = []
        var bytes = 0
        for row in all.dropFirst(start ?? 0).prefix(BusLimits.pageRows) {
            bytes += try row.encodedBody().count
            if bytes > BusLimits.pageBytes, !rows.isEmpty { break }
            rows.append(row)
        }
        let (end, isBeyond) = (start ?? 0).addingReportingOverflow(rows.count)
        return (rows, !isBeyond && end < all.count && !rows.isEmpty ? String(end) : nil)
    }
}

/// The beginning of a snapshot's next page and the end of the snapshot, as the opaque `next` of a reply.
struct SnapshotPlace: Equatable {
    var after: Int64
    var through: StreamPosition

    init(after: Int64, through: StreamPosition) {
        self.after = after
        self.through = through
    }

    init(text: String) throws {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, let after = Int64(parts[0]), let sequence = Int64(parts[2]), after >= 0 else {
            throw Problem("page.invalid", "Send `next` exactly as it was in the reply.", field: "/next")
        }
        let id = parts[3].isEmpty ? nil : String(parts[3])
        self.init(after: after, through: StreamPosition(epoch: String(parts[1]), sequence: sequence, id: id))
    }

    var text: String { "\(after)/\(through.epoch)/\(through.sequence)/\(through.id ?? "")" }
}
