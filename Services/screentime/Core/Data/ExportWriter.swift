import STContracts
import STDomain
import STPlatform

/// Requests the data of each service page by page, and writes it line by line.
struct ExportWriter {
    private static let timeout: Duration = .seconds(30)
    /// Interval of the progress line.
    private static let progressInterval: Duration = .seconds(1)

    let clients: ServiceClients
    let file: ExportFile
    let scope: ExportScope
    let terminal: Terminal
    private(set) var counts: [ExportLine.Kind: Int64] = [:]
    /// The services that did not reply. Their data is missing from the file.
    private(set) var missing: [(service: ServiceName, problem: Problem)] = []
    /// The number of entries that were too long for a line.
    private(set) var tooLong: Int64 = 0
    private var lastProgress = SuspendingClock.now

    init(_ clients: ServiceClients, file: ExportFile, scope: ExportScope, terminal: Terminal) {
        self.clients = clients
        self.file = file
        self.scope = scope
        self.terminal = terminal
    }

    mutating func write() async throws {
        let household = try await clients.call(MemberList.self, Empty(), timeout: Self.timeout)
        if let name = scope.member, !household.members.contains(where: { $0.name == name }) {
            try await NameCheck.checkMember(name, clients)
        }
        try writeHeader(household.device)
        let devices = try await clients.call(UsageNow.self, Empty(), timeout: Self.timeout).devices ?? []
        let theirs = devices.isEmpty ? nil : try await devicesOfMember()
        for device in devices where theirs?.contains(device.device) != false {
            try writeLine(.device, device)
        }
        for member in household.members where scope.includes(member: member.name) {
            try writeLine(.member, member)
        }
        // Moved apps and lists of sites belong to the household, so an export of one person omits them.
        if scope.member == nil { try await writeCategories() }
        try await writeRules()
        try await skippingIfUnavailable(.shield) { try await $0.writeAllowed(household.members) }
        try await skippingIfUnavailable(.shield) { try await $0.writeStores() }
        try await writeUsage()
        try await writeNotified()
        try await skippingIfUnavailable(.notifier) { try await $0.writeNotifications() }
        try await skippingIfUnavailable(.shield) { try await $0.writeRequests() }
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
            fromWallMs: scope.from?.ms,
            toWallMs: scope.to?.ms,
            member: scope.member
        )
        _ = try file.add(header.encodedBody())
    }

    private mutating func writeLine(_ kind: ExportLine.Kind, _ body: some WireBody) throws {
        guard try file.add(try ExportLine.text(kind, body)) else {
            tooLong += 1
            return
        }
        counts[kind, default: 0] += 1
        guard !file.isStandardOutput, SuspendingClock.now - lastProgress >= Self.progressInterval
        else { return }
        lastProgress = .now
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
    private mutating func skippingIfUnavailable(
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
            let page = try await call(CategoryList.self, request)
            for choice in page.choices { try writeLine(.category, choice) }
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
                timeout: Self.timeout
            )
            for event in page.events where event.header.type == DomainListKnown.type {
                let part = try event.decoded(DomainListKnown.self)
                guard let list = known[part.name], !part.domains.isEmpty else { continue }
                try writeLine(list, part.domains)
            }
            request.next = page.next
        } while request.next != nil
    }

    private mutating func writeLine(_ list: DomainList, _ domains: [String]) throws {
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
            try writeLine(.list, body)
        }
    }

    /// Writes the rows of all pages for which `isIn` returns true.
    private mutating func writeLine<R: Route, Row: WireBody>(
        _ kind: ExportLine.Kind,
        route: R.Type,
        start: R.Request,
        rows: KeyPath<R.Reply, [Row]>,
        next: (WritableKeyPath<R.Request, String?>, KeyPath<R.Reply, String?>),
        isIn: (Row) -> Bool = { _ in true }
    ) async throws {
        var request = start
        repeat {
            let page = try await call(route, request)
            for row in page[keyPath: rows] where isIn(row) { try writeLine(kind, row) }
            request[keyPath: next.0] = page[keyPath: next.1]
        } while request[keyPath: next.0] != nil
    }

    private mutating func writeRules() async throws {
        try await writeLine(
            .rule,
            route: RuleList.self,
            start: .init(member: scope.member),
            rows: \.rules,
            next: (\.next, \.next)
        )
    }

    private mutating func writeAllowed(_ members: [Member]) async throws {
        for member in members where scope.includes(member: member.name) {
            let reply = try await call(ShieldAllowed.self, .init(member: member.name))
            if !reply.items.isEmpty { try writeLine(.allowed, reply) }
        }
    }

    private mutating func writeStores() async throws {
        var request = SettingsList.Request(member: scope.member)
        repeat {
            let page = try await call(SettingsList.self, request)
            for store in page.stores {
                let address = SettingsGet.Request(app: store.app, member: store.member, store: store.store)
                try writeLine(.store, try await call(SettingsGet.self, address))
            }
            request.next = page.next
        } while request.next != nil
    }

    // MARK: - Records

    private mutating func writeUsage() async throws {
        let request = UsageList.Request(
            fromWallMs: scope.from?.ms,
            toWallMs: scope.to?.ms,
            member: scope.member
        )
        try await writeLine(
            .usage,
            route: UsageList.self,
            start: request,
            rows: \.rows,
            next: (\.next, \.next)
        )
    }

    private mutating func writeNotified() async throws {
        let scope = scope
        let request = UsageNotifications.Request(member: scope.member)
        try await writeLine(
            .notified,
            route: UsageNotifications.self,
            start: request,
            rows: \.rows,
            next: (\.next, \.next)
        ) {
            scope.includes($0.member, at: WallTime(ms: $0.wallMs))
        }
    }

    private mutating func writeNotifications() async throws {
        let scope = scope
        let request = NotifyList.Request(member: scope.member)
        try await writeLine(
            .notification,
            route: NotifyList.self,
            start: request,
            rows: \.notifications,
            next: (\.next, \.next)
        ) {
            scope.includes($0.member, at: WallTime(ms: RFC3339.wallMs($0.postedAt) ?? 0))
        }
    }

    private mutating func writeRequests() async throws {
        let scope = scope
        let request = RequestList.Request(member: scope.member)
        try await writeLine(
            .request,
            route: RequestList.self,
            start: request,
            rows: \.requests,
            next: (\.next, \.next)
        ) {
            scope.includes($0.member, at: WallTime(ms: RFC3339.wallMs($0.askedAt) ?? 0))
        }
    }

    /// Returns the devices with records of the member in the exported period. Returns `nil` if all people are exported.
    private func devicesOfMember() async throws -> Set<String>? {
        guard let member = scope.member else { return nil }
        var devices: Set<String> = []
        var usage = UsageList.Request(
            fromWallMs: scope.from?.ms,
            toWallMs: scope.to?.ms,
            member: member
        )
        repeat {
            let page = try await call(UsageList.self, usage)
            for row in page.rows where row.member == member {
                if let device = row.device { devices.insert(device) }
            }
            usage.next = page.next
        } while usage.next != nil
        var notified = UsageNotifications.Request(member: member)
        repeat {
            let page = try await call(UsageNotifications.self, notified)
            for row in page.rows where scope.includes(row.member, at: WallTime(ms: row.wallMs)) {
                if let device = row.device { devices.insert(device) }
            }
            notified.next = page.next
        } while notified.next != nil
        return devices
    }

    private func call<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply {
        try await clients.call(route, request, timeout: Self.timeout)
    }
}

/// The period and the person of an export.
struct ExportScope {
    var from: WallTime?
    var to: WallTime?
    var member: String?

    func includes(member name: String) -> Bool { member == nil || member == name }

    func includes(_ name: String, at moment: WallTime) -> Bool {
        includes(member: name) && moment >= from ?? WallTime(ms: .min) && moment < to ?? .distantFuture
    }
}
