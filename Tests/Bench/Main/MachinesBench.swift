import Glibc
import STBus
import STContracts
import STCrypto
import STDomain
import STPlatform
import STPostgres
import STStore
import STTestKit
import STTestSupport
import STZeroMQ

/// Measures a thousand machines that each send a day of usage to the household: over CURVE, into PostgreSQL and into a file.
struct MachinesBench {
    private static let perRequest = 500
    private static let wallMs: Int64 = 1_790_000_000_000

    private let scratch: BenchScratch
    private let machines: Int
    private let requests: Int
    private let isShort: Bool

    init(_ scratch: BenchScratch, isShort: Bool) {
        self.scratch = scratch
        self.isShort = isShort
        machines = isShort ? 100 : 1_000
        requests = isShort ? 1 : 2
    }

    func run() async throws -> [Figure] {
        let server = try TestPostgres()
        defer { server.end() }
        let all = try (0..<machines).map {
            try Machine($0, requests: requests, each: Self.perRequest, wallMs: Self.wallMs)
        }
        let plain = try copied(all, try server.database())
        let shared = try await told(all, [server.database()])
        let file = try await told(all, [""])
        let figures = [
            figure("psql: COPY, deduplication, the same sums", value: plain, unit: "/s"),
            figure("\(machines) machines into PostgreSQL", value: shared, unit: "/s", bar: .atLeast(10_000)),
            figure("into PostgreSQL, ratio to psql", value: shared / plain, unit: "x", bar: .atLeast(0.5)),
            figure("\(machines) machines into a file", value: file, unit: "/s"),
        ]
        return isShort ? figures : try await figures + sideBySide(all, server) + asked(server)
    }

    private func figure(_ name: String, value: Double, unit: String, bar: Figure.Bar = .none) -> Figure {
        Figure(bench: "machines", name: name, value: value, unit: unit, bar: bar)
    }

    /// Compares one service with two. Each may use three tenths of a core.
    private func sideBySide(_ all: [Machine], _ server: TestPostgres) async throws -> [Figure] {
        let some = all.prefix(300).map { machine in
            var machine = machine
            machine.bodies.removeLast(machine.bodies.count - 1)
            return machine
        }
        let one = try await told(some, [server.database()], share: 0.3)
        let store = try server.database()
        let two = try await told(some, [store, store], share: 0.3)
        return [
            figure("one service with 0.3 of a core", value: one, unit: "/s"),
            figure("two with 0.3 each, ratio to one", value: two / one, unit: "x", bar: .atLeast(1.6)),
        ]
    }

    // MARK: - Questions over ten million rows

    private func asked(_ server: TestPostgres) async throws -> [Figure] {
        let store = try server.database()
        let loop = try BusLoop()
        let directories = scratch.directories
        let client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
        let classes = (0..<333).map { number in
            HouseholdSums.Group(name: "class\(number)", members: (1...30).map { "pupil\(number * 30 + $0)" })
        }
        var service = try scratch.start(
            "household-service",
            environment: ["SCREENTIME_HOUSEHOLD_SERVICE_STORE": store]
        )
        _ = try await eventuallyCalled(client, route: HouseholdShow.self, request: Empty())
        scratch.stop(service)
        let began = Stopwatch.nanoseconds()
        try psql(
            store,
            script: BuiltTree.source("Tests/Bench/Peer/school.sql"),
            values: [:],
            withinMs: 3_000_000
        )
        let filled = Double(Stopwatch.nanoseconds() - began) / 1e9
        service = try scratch.start(
            "household-service",
            environment: ["SCREENTIME_HOUSEHOLD_SERVICE_STORE": store]
        )
        let year = try await times(
            client,
            HouseholdSums.Request(
                from: "2025-09-11",
                through: "2026-09-10",
                by: [.app],
                members: ["pupil1"]
            )
        )
        let school = try await times(
            client,
            HouseholdSums.Request(
                from: "2026-09-09",
                through: "2026-09-09",
                by: [.group, .category],
                groups: classes
            )
        )
        let connection = PostgresConnection(store)
        let sizes = try connection.run(
            """
            SELECT count(*), (SELECT sum(pg_total_relation_size(inhrelid))::int8 FROM pg_inherits WHERE inhparent = 'uses'::regclass),
                pg_total_relation_size('hour_sums') + pg_total_relation_size('day_sums') FROM uses
            """
        )
        scratch.stop(service)
        await client.close()
        loop.stop()
        let rows = Double(try sizes.int(0, 0))
        return [
            figure("rows kept", value: rows / 1e6, unit: "million"),
            figure("filled by psql in", value: filled, unit: "s"),
            figure("on disk, a row with its indexes", value: Double(try sizes.int(0, 1)) / rows, unit: "B"),
            figure("on disk, sums for a row", value: Double(try sizes.int(0, 2)) / rows, unit: "B"),
            figure("a year over five machines, by app, p50", value: year, unit: "ms", bar: .atMost(10)),
            figure(
                "a school's day, by class and category, p50",
                value: school,
                unit: "ms",
                bar: .atMost(200)
            ),
        ]
    }

    /// Returns the median of a hundred calls in milliseconds.
    private func times(_ client: BusClient, _ request: HouseholdSums.Request) async throws -> Double {
        var all: [Double] = []
        for _ in 0..<100 {
            let start = Stopwatch.nanoseconds()
            let reply = try await eventuallyCalled(client, route: HouseholdSums.self, request: request)
            all.append(Double(Stopwatch.nanoseconds() - start) / 1e6)
            guard !reply.sums.isEmpty else { throw Self.failed("no sums") }
        }
        return all.sorted()[all.count / 2]
    }

    private func psql(_ address: String, script: String, values: [String: String], withinMs: Int64) throws {
        let settings = values.sorted { $0.key < $1.key }.flatMap { ["--set", "\($0)=\($1)"] }
        let programs = try TestPostgres.programs()
        let program = try scratch.start(
            path: "\(programs)/psql",
            ["--quiet", "--set", "ON_ERROR_STOP=1"] + settings + ["--file", script, address],
            environment: ["LD_LIBRARY_PATH": "\(programs)/../../../x86_64-linux-gnu"]
        )
        guard program.wait(deadlineMs: withinMs)?.isSuccess == true else {
            throw Self.failed("psql failed at \(script)")
        }
    }

    // MARK: - The household

    /// Returns the rows per second, from the first request to the last reply. A store that is named several times is used by as
    /// many services.
    private func told(_ all: [Machine], _ stores: [String], share: Double? = nil) async throws -> Double {
        var houses: [House] = []
        defer { for house in houses { house.end() } }
        for (number, store) in stores.enumerated() { houses.append(try House(store, number)) }
        for house in houses {
            _ = try await eventuallyCalled(
                house.client,
                route: HouseholdStart.self,
                request: .init(address: house.address)
            )
        }
        let invitation = try await houses[0].client.call(HouseholdInvite.self, Empty())
        let key = try InvitationCode(invitation.code).server
        // Enrol them here, because otherwise a person would have to approve each.
        for house in houses { house.stop() }
        try enrol(all, store: stores[0], houses[0].scratch)
        for house in houses {
            try house.start(share)
            try await eventually(within: .seconds(60), "the household lists all machines") {
                let known = try await house.client.call(HouseholdShow.self, Empty()).devices.count
                guard known == all.count else { throw NotYet("\(known)") }
            }
        }
        let loops = try (0..<8).map { _ in try BusLoop() }
        var clients: [MachineClient] = []
        for (number, machine) in all.enumerated() {
            let client = MachineClient(loops[number % loops.count])
            try await client.open(houses[number % houses.count].address, keys: machine.keys, server: key)
            clients.append(client)
        }
        let start = Stopwatch.nanoseconds()
        try await withThrowingTaskGroup { group in
            for (machine, client) in zip(all, clients) {
                group.addTask {
                    for body in machine.bodies { try await client.push(body) }
                }
            }
            try await group.waitForAll()
        }
        let seconds = Double(Stopwatch.nanoseconds() - start) / 1e9
        let rows = all.reduce(0) { $0 + $1.bodies.count * Self.perRequest }
        try await eventually(within: .seconds(30), "all rows are there") {
            let kept = try await houses[0].client.call(HouseholdShow.self, Empty()).devices
            guard kept.reduce(0, { $0 + $1.rows }) == rows else { throw NotYet("\(kept.count)") }
        }
        for client in clients { await client.close() }
        for loop in loops { loop.stop() }
        for house in houses { await house.client.close() }
        return Double(rows) / seconds
    }

    private func eventuallyCalled<R: Route>(_ client: BusClient, route: R.Type, request: R.Request)
        async throws
        -> R.Reply
    {
        var reply: R.Reply?
        try await eventually(within: .seconds(30), "\(R.name) is answered") {
            reply = try await client.call(route, request)
        }
        guard let reply else { throw Self.failed("no reply") }
        return reply
    }

    private func enrol(_ members: [Machine], store: String, _ scratch: BenchScratch) throws {
        guard store.isEmpty else {
            try PostgresConnection(store).run(
                """
                INSERT INTO devices (device, name, key, accounts, joined_ms, tx)
                SELECT device, device, key, accounts, 0, 0 FROM unnest($1::text[], $2::bytea[], $3::text[]) AS s (device, key, accounts)
                """,
                [
                    .texts(members.map(\.name)), .blobs(members.map(\.keys.publicKey)),
                    .texts(members.map(\.accounts)),
                ]
            )
            return
        }
        let database = try Database(
            path: scratch.directories.database(service: ServiceName.household.rawValue),
            options: DatabaseOptions(applicationID: StoreMigrations.applicationID)
        )
        try database.transaction {
            for member in members {
                try database.run(
                    "INSERT INTO devices (device, name, key, accounts, joined_ms) VALUES (?1, ?1, ?2, ?3, 0)",
                    [.text(member.name), .blob(member.keys.publicKey), .blob(Array(member.accounts.utf8))]
                )
            }
        }
        try database.close()
    }

    // MARK: - The baseline

    private func copied(_ members: [Machine], _ address: String) throws -> Double {
        let folder = scratch.directories.state
        let path = "\(folder)/rows.csv"
        guard let file = fopen(path, "w") else { throw SystemError.last("fopen") }
        for (number, member) in members.enumerated() {
            for row in member.rows { fputs(try Self.line(row, number), file) }
        }
        fclose(file)
        let script = BuiltTree.source("Tests/Bench/Peer/household.sql")
        try psql(address, script: script, values: ["step": "tables"], withinMs: 60_000)
        let start = Stopwatch.nanoseconds()
        try psql(address, script: script, values: ["step": "rows", "rows": path], withinMs: 600_000)
        unlink(path)
        return Double(members.count * requests * Self.perRequest)
            / (Double(Stopwatch.nanoseconds() - start) / 1e9)
    }

    /// Returns a line for COPY, with tabs between the columns. No value here contains a tab.
    private static func line(_ row: Segment, _ number: Int) throws -> String {
        let body = String(decoding: try row.encodedBody(), as: UTF8.self)
        return [
            "\(number + 1)", "\(number + 1)", "\(row.startWallMs)", "\(row.startWallMs)", "\(row.durationMs)",
            "1", "first",
            row.segment, row.app ?? "", row.domain ?? "", row.category ?? "", body,
        ].joined(separator: "\t") + "\n"
    }

    private static func failed(_ what: String) -> Problem {
        Problem("bench.failed", verbatim: "It did not work: \(what).")
    }
}

/// A household-service in its own folders.
private final class House {
    let scratch: BenchScratch
    let client: BusClient
    let address: String
    private let loop: BusLoop
    private let store: String
    private var service: SpawnedProcess?
    private var share: ProcessorShare?

    init(_ store: String, _ number: Int) throws {
        scratch = try BenchScratch()
        self.store = store
        address = "127.0.0.1:\(20_000 + (Int(getpid()) * 2 + number) % 20_000)"
        loop = try BusLoop()
        let directories = scratch.directories
        client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
        try start(nil)
    }

    /// Starts the service. `share` is the part of a core that it may use.
    func start(_ share: Double?) throws {
        let started = try scratch.start(
            "household-service",
            environment: ["SCREENTIME_HOUSEHOLD_SERVICE_STORE": store]
        )
        service = started
        self.share = try share.map { try ProcessorShare($0, of: started.pid) }
    }

    func stop() {
        if let service { scratch.stop(service) }
        service = nil
        share = nil
    }

    func end() {
        stop()
        loop.stop()
        scratch.remove()
    }
}

/// Limits a process to a part of a core with the kernel's control groups.
private final class ProcessorShare {
    private let folder: String

    init(_ share: Double, of pid: pid_t) throws {
        let isSecond = access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0
        folder = (isSecond ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu") + "/screentime-bench-\(pid)"
        guard mkdir(folder, 0o755) == 0 else { throw SystemError.last("mkdir \(folder)") }
        let quota = Int(share * 100_000)
        try write(isSecond ? "\(quota) 100000" : "\(quota)", isSecond ? "cpu.max" : "cpu.cfs_quota_us")
        try write("\(pid)", "cgroup.procs")
    }

    deinit {
        // The folder can be removed once its process has ended.
        for _ in 0..<50 where rmdir(folder) != 0 { poll(nil, 0, 20) }
    }

    private func write(_ text: String, _ name: String) throws {
        guard let file = fopen("\(folder)/\(name)", "w") else { throw SystemError.last("fopen \(name)") }
        fputs(text, file)
        guard fclose(file) == 0 else { throw SystemError.last("fclose \(name)") }
    }
}

/// A machine, and everything that it sends.
private struct Machine: Sendable {
    var name: String
    var keys: KeyPair
    var rows: [Segment]
    var bodies: [[UInt8]]

    var accounts: String { "{\"accounts\":[{\"here\":\"child\",\"member\":\"\(name)\"}]}" }

    private static let apps = [
        ("org.mozilla.firefox", "category:browsing"), ("org.gnome.TextEditor", "category:work"),
        ("com.valvesoftware.Steam", "category:games"), ("org.videolan.vlc", "category:films"),
        ("org.telegram.desktop", "category:social"), ("org.gnome.Nautilus", "category:utilities"),
    ]

    init(_ number: Int, requests: Int, each: Int, wallMs: Int64) throws {
        let name = "machine-\(number)"
        self.name = name
        keys = try KeyPair.make()
        let agent = Identifier.make(wallMs: wallMs)
        let run = Identifier.make(wallMs: wallMs)
        let boot = Identifier.make(wallMs: wallMs)
        let count = Int64(requests * each)
        let rows = (0..<count).map { place in
            let app = Self.apps[Int(place * 7 + Int64(number)) % Self.apps.count]
            let startMs = place * 60_000
            return Segment(
                segment: "\(agent)/\(run)/\(place + 1)",
                agent: agent,
                run: run,
                sequence: place + 1,
                member: "child",
                presence: .active,
                app: app.0,
                domain: nil,
                bootId: boot,
                startBootMs: startMs,
                endBootMs: startMs + 50_000,
                startWallMs: wallMs - (count - place) * 60_000,
                zone: "UTC",
                category: app.1
            )
        }
        func cursor(_ place: Int) -> HouseholdCursor {
            HouseholdCursor(epoch: "first", sequence: Int64(place), id: "event-\(place)")
        }
        bodies = try (0..<requests).map { request in
            try HouseholdPush.Request(
                after: request == 0 ? HouseholdCursor() : cursor(request * each),
                through: cursor((request + 1) * each),
                rows: Array(rows[request * each..<(request + 1) * each]),
                open: [],
                isWhole: true,
                wallMs: Int64(time(nil)) * 1_000
            ).encodedBody()
        }
        self.rows = rows.map { row in
            var row = row
            row.member = name
            row.device = name
            return row
        }
    }
}

/// The connection of one machine, on the thread of its loop.
private actor MachineClient {
    private let loop: BusLoop
    private var port: ClientPort?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    init(_ loop: BusLoop) { self.loop = loop }

    func open(_ address: String, keys: KeyPair, server: [UInt8]) throws {
        port = try ClientPort(
            loop,
            service: .household,
            endpoint: "tcp://" + address,
            keys: CurveClient(secret: keys.secret, publicKey: keys.publicKey, server: server)
        )
    }

    func push(_ body: [UInt8]) async throws {
        let nowMs = Stopwatch.bootMilliseconds()
        let id = Identifier.make(wallMs: nowMs)
        let header = RequestHeader(id: id, route: HouseholdPush.name, timeoutMs: 60_000)
        let outcome = await withCheckedContinuation { continuation in
            port?.start(
                id: id,
                route: HouseholdPush.name,
                frames: [header.encoded(), body],
                deadlineMs: nowMs + 60_000
            ) {
                continuation.resume(returning: $0)
            }
        }
        if case .failed(let problem) = outcome { throw problem }
    }

    func close() { port?.close() }
}
