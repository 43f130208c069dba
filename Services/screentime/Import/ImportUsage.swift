import STCommandCore
import STContracts
import STPlatform

/// Sends usage and notifications to activity-center, in requests of many lines.
struct ImportUsage {
    /// Long enough for a service that is restarting.
    private static let timeout: Duration = .seconds(30)
    /// Upper bound on the time until activity-center has received a new member.
    private static let propagationTimeout: Duration = .seconds(15)
    private static let retryInterval: Duration = .milliseconds(100)

    let clients: ServiceClients
    let isDryRun: Bool
    private let prompt: ProofPrompt
    /// The computer that wrote the file, from its first line.
    private let origin: ExportHeader.Origin
    /// True if this computer wrote the file.
    private let isHere: Bool
    private let thisDevice: String
    private var others: [String: ImportedDevice] = [:]
    private var batch = ImportBatch(nil)
    /// The name of the import, if it can be undone by that name.
    var name: String?
    /// The current members of the household.
    var members: Set<String> = []
    /// People whom a dry run would add. Their lines cannot be checked.
    var wouldBeAdded: Set<String> = []

    init(
        _ clients: ServiceClients,
        origin: ExportHeader.Origin,
        this device: Device,
        isHere: Bool,
        isDryRun: Bool,
        prompt: ProofPrompt
    ) {
        self.clients = clients
        self.isDryRun = isDryRun
        self.prompt = prompt
        self.origin = origin
        thisDevice = device.id
        self.isHere = isHere || device.id == origin.id
    }

    mutating func register(_ device: ImportedDevice) { others[device.device] = device }

    mutating func add(_ sent: Segment, line: Int64, bytes: Int, tally: inout ImportTally) async throws {
        var row = sent
        tally[.usage].lines += 1
        let device = try device(sent.device, line)
        if try await isUnknownMember(sent.member, kind: .usage, tally: &tally) { return }
        row.device = device?.device
        try await makeRoom(.usage, device: device, bytes: bytes, tally: &tally)
        batch.add(row, line, bytes: bytes)
    }

    mutating func add(_ sent: NotificationCount, line: Int64, bytes: Int, tally: inout ImportTally)
        async throws
    {
        var row = sent
        tally[.notified].lines += 1
        let device = try device(sent.device, line)
        if try await isUnknownMember(sent.member, kind: .notified, tally: &tally) { return }
        row.device = device?.device
        try await makeRoom(.notified, device: device, bytes: bytes, tally: &tally)
        batch.add(row, line, bytes: bytes)
    }

    /// Sends the lines that have not been sent yet.
    mutating func flush(_ tally: inout ImportTally) async throws {
        let sent = batch
        batch = ImportBatch(sent.device)
        if sent.isEmpty { return }
        do {
            apply(try await send(sent), sent: sent, tally: &tally)
        } catch let problem as Problem {
            guard let line = sent.line(of: problem.field) else { throw problem }
            // The lines before the invalid line are valid.
            let good = sent.before(line)
            if !good.isEmpty { apply(try await send(good), sent: good, tally: &tally) }
            throw ImportFault.located(problem, line)
        }
    }

    /// Sends the batch if the line does not fit. A request contains one device, and either rows or notifications.
    private mutating func makeRoom(
        _ kind: ExportLine.Kind,
        device: ImportedDevice?,
        bytes: Int,
        tally: inout ImportTally
    ) async throws {
        let isOther = kind == .usage ? !batch.notified.isEmpty : !batch.rows.isEmpty
        if isOther || batch.device != device || !batch.hasRoom(for: bytes) { try await flush(&tally) }
        batch.device = device
    }

    /// Returns the device as seen from this computer. `nil` is this computer.
    private func device(_ id: String?, _ line: Int64) throws -> ImportedDevice? {
        guard let id else {
            if isHere { return nil }
            return ImportedDevice(device: origin.id, name: origin.name, model: origin.model, importedAt: "")
        }
        if id == thisDevice { return nil }
        guard let device = others[id] else {
            throw ImportFault.located(
                Problem(
                    "import.unknown_device",
                    "no earlier line describes the device “\(String(id.prefix(40)).sanitized, "device")”."
                ),
                line
            )
        }
        return device
    }

    /// Counts the lines of people whom a dry run would add, because activity-center does not have these people.
    private func isUnknownMember(_ member: String, kind: ExportLine.Kind, tally: inout ImportTally)
        async throws
        -> Bool
    {
        guard isDryRun, wouldBeAdded.contains(member) else { return false }
        tally[kind].added += 1
        return true
    }

    private func send(_ batch: ImportBatch) async throws -> UsageImport.Reply {
        let deadline = SuspendingClock.now + Self.propagationTimeout
        while true {
            do {
                return try await prompt.run { proof in
                    let request = batch.request(name, isDryRun: isDryRun, proof)
                    return try await clients.call(UsageImport.self, request, timeout: Self.timeout)
                }
            } catch let problem as Problem {
                guard isMemberPropagating(problem, batch), SuspendingClock.now < deadline else {
                    throw problem
                }
                try await Task.sleep(for: Self.retryInterval)
            }
        }
    }

    /// Returns true if activity-center has only not yet received a member of the household.
    private func isMemberPropagating(_ problem: Problem, _ batch: ImportBatch) -> Bool {
        if problem.code == "unavailable" { return true }
        guard problem.code == "member.unknown", let line = batch.line(of: problem.field) else { return false }
        let names =
            batch.rows.filter { $0.line == line }.map(\.row.member)
            + batch.notified.filter { $0.line == line }.map(\.row.member)
        return names.allSatisfy(members.contains)
    }

    private func apply(_ reply: UsageImport.Reply, sent: ImportBatch, tally: inout ImportTally) {
        let kind: ExportLine.Kind = sent.rows.isEmpty ? .notified : .usage
        tally[kind].added += reply.added
        tally[kind].duplicates += reply.duplicates
        for index in reply.overlappingRows ?? [] where sent.rows.indices.contains(Int(index)) {
            tally.overlap += .milliseconds(sent.rows[Int(index)].row.durationMs)
            tally.skip(
                .usage,
                line: sent.rows[Int(index)].line,
                code: "usage.overlap",
                text: Message("import.overlap", "Other usage is already recorded for a part of this time.")
            )
        }
    }
}

/// Usage of one device for one request, with the numbers of its lines in the file.
struct ImportBatch {
    /// The rest of the request is room for the other fields.
    private static let bytesMax = BusLimits.requestBodyBytes - 16 * 1024

    /// The device. `nil` for this computer.
    var device: ImportedDevice?
    private(set) var rows: [(line: Int64, row: Segment)] = []
    private(set) var notified: [(line: Int64, row: NotificationCount)] = []
    private var bytes = 0

    init(_ device: ImportedDevice?) { self.device = device }

    var isEmpty: Bool { rows.isEmpty && notified.isEmpty }

    /// Returns true if a line of `count` bytes fits.
    func hasRoom(for count: Int) -> Bool {
        rows.count + notified.count < UsageImport.batchMax && bytes + count <= Self.bytesMax
    }

    mutating func add(_ row: Segment, _ line: Int64, bytes count: Int) {
        rows.append((line, row))
        bytes += count
    }

    mutating func add(_ row: NotificationCount, _ line: Int64, bytes count: Int) {
        notified.append((line, row))
        bytes += count
    }

    func request(_ name: String?, isDryRun: Bool, _ proof: Proof?) -> UsageImport.Request {
        .init(
            device: device,
            rows: rows.map(\.row),
            notifications: notified.map(\.row),
            name: name,
            dryRun: isDryRun ? true : nil,
            proof: proof
        )
    }

    /// Returns the part before a line.
    func before(_ line: Int64) -> ImportBatch {
        var part = self
        part.rows.removeAll { $0.line >= line }
        part.notified.removeAll { $0.line >= line }
        return part
    }

    /// Returns the line for a problem's field, for example `/rows/17/zone`.
    func line(of field: String?) -> Int64? {
        let parts = (field ?? "").split(separator: "/")
        guard parts.count >= 2, let index = Int(parts[1]), index >= 0 else { return nil }
        switch parts[0] {
        case "rows": return index < rows.count ? rows[index].line : nil
        case "notifications": return index < notified.count ? notified[index].line : nil
        default: return nil
        }
    }
}
