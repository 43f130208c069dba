import STContracts
import STDomain
import STPlatform

/// Requests the data of each service page by page, and writes it line by line.
struct ExportWriter {
    private static let timeoutMs: Int64 = 30_000
    /// Interval of the progress line.
    private static let tellEveryMs: Int64 = 1_000

    let clients: ServiceClients
    let file: ExportFile
    let scope: ExportScope
    let terminal: Terminal
    private(set) var counts: [ExportLine.Kind: Int64] = [:]
    /// The services that did not reply. Their data is missing from the file.
    private(set) var missing: [(service: ServiceName, problem: Problem)] = []
    /// The number of entries that were too long for a line.
    private(set) var tooLong: Int64 = 0
    private var toldMs = Stopwatch.milliseconds()

    init(_ clients: ServiceClients, _ file: ExportFile, _ scope: ExportScope, _ terminal: Terminal) {
        self.clients = clients
        self.file = file
        self.scope = scope
        self.terminal = terminal
    }

    mutating func write() async throws {
        let household = try await clients.call(MemberList.self, Empty(), timeoutMs: Self.timeoutMs)
        if let name = scope.member, !household.members.contains(where: { $0.name == name }) {
            try await KnownNames.checkMember(name, clients)
        }
        try writeHeader(household.device)
        let devices = try await clients.call(UsageNow.self, Empty(), timeoutMs: Self.timeoutMs).devices ?? []
        let theirs = devices.isEmpty ? nil : try await devicesOfMember()
        for device in devices where theirs?.contains(device.device) != false { try put(.device, device) }
        for member in household.members where scope.holds(member: member.name) { try put(.member, member) }
        // Moved apps and lists of sites belong to the household, so an export of one person omits them.
        if scope.member == nil { try await writeCategories() }
        try await writeRules()
        try await unlessMissing(.shield) { try await $0.writeAllowed(household.members) }
        try await unlessMissing(.shield) { try await $0.writeStores() }
        try await writeUsage()
        try await writeNotified()
        try await unlessMissing(.notifier) { try await $0.writeNotifications() }
        try await unlessMissing(.shield) { try await $0.writeRequests() }
        let names = Set(missing.map(\.service.rawValue)).sorted()
        let end = ExportEnd(
            end: RFC3339.text(wallMs: SystemTimeSource().now().wallMs),
            lines: file.lines,
            missing: names.isEmpty ? nil : names
        )
        _ = try file.add(end.encodedBody())
    }

    private func writeHeader(_ device: Device) throws {
        let header = ExportHeader(
            screentime: ExportHeader.mark,
            version: ExportLine.version,
            exportedAt: RFC3339.text(wallMs: SystemTimeSource().now().wallMs),
            device: .init(id: device.id, name: device.name, model: .mac),
            fromWallMs: scope.fromWallMs,
            toWallMs: scope.toWallMs,
            member: scope.member
        )
        _ = try file.add(header.encodedBody())
    }

    private mutating func put(_ kind: ExportLine.Kind, _ body: some WireBody) throws {
        guard try file.add(try ExportLine.text(kind, body)) else {
            tooLong += 1
            return
        }
        counts[kind, default: 0] += 1
        guard !file.isStandardOutput, Stopwatch.milliseconds() - toldMs >= Self.tellEveryMs else { return }
        toldMs = Stopwatch.milliseconds()
        terminal.progress(
            Speech.say(
                "data.lines-written",
                count: Int(file.lines),
                one: "\(file.lines, "count") line, \(TextFormat.bytes(file.bytes), "bytes")",
                other: "\(file.lines, "count") lines, \(TextFormat.bytes(file.bytes), "bytes")"
            )
        )
    }

    /// Runs the body. If the service does not reply, records it as missing and continues.
    private mutating func unlessMissing(
        _ service: ServiceName,
        _ body: (inout ExportWriter) async throws -> Void
    ) async throws {
        if missing.contains(where: { $0.service == service }) { return }
        do {
            try await body(&self)
        } catch let problem as Problem where problem.retryable || problem.code == "service.not_running" {
            missing.append((service, problem))
        }
    }

    // MARK: - Settings

    private mutating func writeCategories() async throws {
        var request = CategoryList.Request()
        var lists: [DomainList] = []
        repeat {
            let page = try await ask(CategoryList.self, request)
            for choice in page.choices { try put(.category, choice) }
            lists += page.lists ?? []
            request.next = page.next
        } while request.next != nil
        if !lists.isEmpty { try await writeLists(lists) }
    }

    /// Writes the sites of the lists from the stream of activity-center, because no route returns them.
    private mutating func writeLists(_ lists: [DomainList]) async throws {
        let known = Dictionary(lists.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        var request = EventsSnapshot.Request(stream: StreamName.activity.rawValue)
        repeat {
            let page = try await clients.call(
                EventsSnapshot.self,
                to: .activity,
                request,
                timeoutMs: Self.timeoutMs
            )
            for event in page.events where event.header.type == DomainListKnown.type {
                let part = try event.decoded(DomainListKnown.self)
                guard let list = known[part.name], !part.domains.isEmpty else { continue }
                try put(list, part.domains)
            }
            request.next = page.next
        } while request.next != nil
    }

    private mutating func put(_ list: DomainList, _ domains: [String]) throws {
        var rest = domains[...]
        while !rest.isEmpty {
            var bytes = 0
            let part = rest.prefix {
                bytes += $0.utf8.count + 3
                return bytes <= ExportedList.partBytes
            }
            rest = rest.dropFirst(part.count)
            let body = ExportedList(
                name: list.name,
                category: list.category,
                count: list.count,
                domains: Array(part)
            )
            try put(.list, body)
        }
    }

    /// Writes the rows of all pages for which `isIn` returns true.
    private mutating func put<R: Route, Row: WireBody>(
        _ kind: ExportLine.Kind,
        _ route: R.Type,
        _ start: R.Request,
        _ rows: KeyPath<R.Reply, [Row]>,
        _ next: (WritableKeyPath<R.Request, String?>, KeyPath<R.Reply, String?>),
        isIn: (Row) -> Bool = { _ in true }
    ) async throws {
        var request = start
        repeat {
            let page = try await ask(route, request)
            for row in page[keyPath: rows] where isIn(row) { try put(kind, row) }
            request[keyPath: next.0] = page[keyPath: next.1]
        } while request[keyPath: next.0] != nil
    }

    private mutating func writeRules() async throws {
        try await put(.rule, RuleList.self, .init(member: scope.member), \.rules, (\.next, \.next))
    }

    private mutating func writeAllowed(_ members: [Member]) async throws {
        for member in members where scope.holds(member: member.name) {
            let reply = try await ask(ShieldAllowed.self, .init(member: member.name))
            if !reply.items.isEmpty { try put(.allowed, reply) }
        }
    }

    private mutating func writeStores() async throws {
        var request = SettingsList.Request(member: scope.member)
        repeat {
            let page = try await ask(SettingsList.self, request)
            for store in page.stores {
                let address = SettingsGet.Request(app: store.app, member: store.member, store: store.store)
                try put(.store, try await ask(SettingsGet.self, address))
            }
            request.next = page.next
        } while request.next != nil
    }

    // MARK: - Records

    private mutating func writeUsage() async throws {
        let request = UsageList.Request(
            fromWallMs: scope.fromWallMs,
            toWallMs: scope.toWallMs,
            member: scope.member
        )
        try await put(.usage, UsageList.self, request, \.rows, (\.next, \.next))
    }

    private mutating func writeNotified() async throws {
        let scope = scope
        let request = UsageNotifications.Request(member: scope.member)
        try await put(.notified, UsageNotifications.self, request, \.rows, (\.next, \.next)) {
            scope.holds($0.member, wallMs: $0.wallMs)
        }
    }

    private mutating func writeNotifications() async throws {
        let scope = scope
        let request = NotifyList.Request(member: scope.member)
        try await put(.notification, NotifyList.self, request, \.notifications, (\.next, \.next)) {
            scope.holds($0.member, wallMs: RFC3339.wallMs($0.postedAt) ?? 0)
        }
    }

    private mutating func writeRequests() async throws {
        let scope = scope
        let request = RequestList.Request(member: scope.member)
        try await put(.request, RequestList.self, request, \.requests, (\.next, \.next)) {
            scope.holds($0.member, wallMs: RFC3339.wallMs($0.askedAt) ?? 0)
        }
    }

    /// Returns the devices with records of the member in the exported period. Returns `nil` if all people are exported.
    private func devicesOfMember() async throws -> Set<String>? {
        guard let member = scope.member else { return nil }
        var devices: Set<String> = []
        var usage = UsageList.Request(
            fromWallMs: scope.fromWallMs,
            toWallMs: scope.toWallMs,
            member: member
        )
        repeat {
            let page = try await ask(UsageList.self, usage)
            for row in page.rows where row.member == member {
                if let device = row.device { devices.insert(device) }
            }
            usage.next = page.next
        } while usage.next != nil
        var notified = UsageNotifications.Request(member: member)
        repeat {
            let page = try await ask(UsageNotifications.self, notified)
            for row in page.rows where scope.holds(row.member, wallMs: row.wallMs) {
                if let device = row.device { devices.insert(device) }
            }
            notified.next = page.next
        } while notified.next != nil
        return devices
    }

    private func ask<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply {
        try await clients.call(route, request, timeoutMs: Self.timeoutMs)
    }
}

/// The period and the person of an export.
struct ExportScope {
    var fromWallMs: Int64?
    var toWallMs: Int64?
    var member: String?

    func holds(member name: String) -> Bool { member == nil || member == name }

    func holds(_ name: String, wallMs: Int64) -> Bool {
        holds(member: name) && wallMs >= fromWallMs ?? .min && wallMs < toWallMs ?? .max
    }
}
