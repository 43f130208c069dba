import Glibc
import STBus
import STCommandCore
import STContracts
import STCrypto
import STDomain
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Synchronization
import Testing

/// A household of machines, each with its own processes and records.
struct HouseholdDesk {
    static let services: [ServiceName] = [.auth, .activity, .link]
    static let game = "org.example.game"

    let hub: TestSystem
    let address: String

    /// Starts the household on its own port, reachable only from this machine.
    static func start(_ hub: TestSystem, at given: String? = nil) async throws -> HouseholdDesk {
        let address = try given ?? "127.0.0.1:\(RawConnection.freePort())"
        _ = try await hub.client.call(HouseholdStart.self, .init(address: address))
        return HouseholdDesk(hub: hub, address: address)
    }

    /// Runs with a household of two machines besides the one with household-service. All have the same person.
    static func withTwo(
        _ body: (_ hub: TestSystem, _ laptop: TestSystem, _ desktop: TestSystem) async throws -> Void
    )
        async throws
    {
        try await TestSystem.run(services: services + [.household]) { hub in
            let desk = try await start(hub)
            try await TestSystem.run(services: services) { laptop in
                try await TestSystem.run(services: services) { desktop in
                    try await desk.join(laptop)
                    try await desk.join(desktop)
                    try await body(hub, laptop, desktop)
                }
            }
        }
    }

    func invitation() async throws -> String {
        try await hub.client.call(HouseholdInvite.self, Empty()).code
    }

    /// Adds a machine, as two people do who compare the number.
    func join(_ machine: TestSystem, as member: String = "kid", others: [HouseholdAccount] = []) async throws
    {
        let here = try await Self.owner(machine)
        let asked = try await machine.client.call(
            LinkJoin.self,
            .init(
                code: try await invitation(),
                accounts: [HouseholdAccount(here: here, member: member)] + others
            )
        )
        let shown = try await hub.client.call(HouseholdShow.self, Empty())
        try #require(shown.guests.map(\.number).contains(asked.number))
        _ = try await hub.client.call(HouseholdConfirm.self, .init(number: asked.number))
        try await eventually(within: .seconds(30), "the machine belongs to the household") {
            let shown = try await machine.client.call(LinkShow.self, Empty())
            guard shown.state == .joined, shown.isConnected else { throw NotYet("\(shown)") }
        }
    }

    /// Sends bytes that are not ZeroMQ to the household's port.
    func knock(_ bytes: [UInt8]) throws {
        guard try RawConnection(port: port).send(bytes) else { throw NotYet("the port does not take bytes") }
    }

    /// The port on which household-service listens.
    var port: UInt16 { address.split(separator: ":").last.flatMap { UInt16($0) } ?? 0 }

    /// Returns the intervals that a machine observed itself, and those of other machines, sorted by name.
    static func known(_ machine: TestSystem) async throws -> (own: [String], brought: [String]) {
        let rows = try await machine.ledger()
        func names(_ rows: [Segment]) -> [String] {
            rows.map { "\($0.segment) \($0.app ?? "-") \($0.presence.rawValue) \($0.durationMs)" }.sorted()
        }
        return (names(rows.filter { $0.device == nil }), names(rows.filter { $0.device != nil }))
    }

    /// Adds a limit for the game on a machine.
    static func limit(_ machine: TestSystem, ms: Int64, _ overlap: RuleOverlap? = nil) async throws {
        // At midnight the limit would start again. Wait until the day has enough time left.
        let leftMs = 86_400_000 - SystemTimeSource().now().wallMs % 86_400_000
        if leftMs < 120_000 { try await Task.sleep(for: .milliseconds(leftMs + 1_000)) }
        var spec = RuleSpec(kind: .limit, name: "limit", member: try await owner(machine), durationMs: ms)
        spec.targets = [TokenItem(kind: .application, id: game)]
        spec.overlap = overlap
        _ = try await machine.client.call(RuleAdd.self, .init(spec))
    }

    /// Returns the usage that the limit has counted on a machine.
    static func used(_ machine: TestSystem) async throws -> Int64 {
        let asked = ActivityExplain.Request(app: BuiltInRules.app, member: nil, activity: "limit")
        return try await machine.client.call(ActivityExplain.self, asked).activities.first?.events.first?
            .countedMs ?? -1
    }

    /// Returns the boot time at which the machine announced the limit.
    static func crossed(_ machine: TestSystem, within limitMs: Int64) async throws -> Int64 {
        try await eventually(within: .milliseconds(limitMs + 30_000), "the limit is reached") {
            let all = try await machine.events(.activity, of: .activity)
            guard let event = all.first(where: { $0.header.type == ThresholdReached.type }) else {
                throw NotYet("\(all.map(\.header.type))")
            }
            let now = SystemTimeSource().now()
            return now.bootMs - (now.wallMs - event.header.timeMs)
        }
    }

    static func owner(_ machine: TestSystem) async throws -> String {
        try await machine.client.call(MemberList.self, Empty()).members.first?.name ?? ""
    }
}

extension TestSystem {
    /// Returns the output and the exit code of a command with a passcode at hand.
    func type(_ line: [String], _ passcode: String) async -> (code: ExitCode, text: String) {
        let text = Mutex("")
        var terminal = Terminal(isTerminal: false, isColoured: false, columns: 100)
        terminal.proof = PassedProof(passcode: passcode, new: nil)
        terminal.sink = { line, _ in text.withLock { $0 += line } }
        let places = directories
        let environment = [
            "SCREENTIME_RUN": places.run, "SCREENTIME_STATE": places.state,
            "SCREENTIME_CONFIG": places.config,
        ]
        let code = await CommandRunner.run(line, environment: environment, terminal: terminal)
        return (code, text.withLock { $0 })
    }
}

/// The agent of one machine, which reports when requested, as a real agent does.
actor MachineAgent {
    private let machine: TestSystem
    private let member: String
    private let bootId: String
    private var sequence: Int64 = 0
    /// Observations that activity-center has not accepted. They are sent again with the next one, because a cancelled beat may not
    /// have sent its observation.
    private var unaccepted: [Observation] = []
    private var app: String?
    private var beats: Task<Void, Never>?
    private(set) var failure: (any Error)?

    init(_ machine: TestSystem) async throws {
        self.machine = machine
        member = try await HouseholdDesk.owner(machine)
        bootId = SystemTimeSource().bootID
        try await eventually(within: .seconds(30), "activity-center has received the members") {
            try await machine.waitUntilFollowed(.authorization, of: .auth, by: .activity)
        }
    }

    /// Changes the foreground app. `nil` means that the person has left. Returns the boot time of the change.
    @discardableResult
    func look(at app: String?) async throws -> Int64 {
        beats?.cancel()
        await beats?.value
        self.app = app
        let (bootMs, checkAt) = try await report()
        if app != nil { beats = Task { await self.goOn(checkAt) } }
        return bootMs
    }

    private func goOn(_ first: Int64?) async {
        var checkAt = first
        while !Task.isCancelled {
            let now = Stopwatch.bootMilliseconds()
            // A beat at least every three seconds, and one when a threshold may be reached.
            let wait = max(1, min(3_000, (checkAt ?? .max) - now))
            try? await Task.sleep(for: .milliseconds(wait))
            if Task.isCancelled { return }
            do {
                checkAt = try await report().checkAt
            } catch {
                // Cancelling ends a request in progress.
                if !Task.isCancelled { failure = error }
            }
        }
    }

    private func report() async throws -> (bootMs: Int64, checkAt: Int64?) {
        sequence += 1
        let now = SystemTimeSource().now()
        let seen = Observation(
            sequence: sequence,
            bootId: bootId,
            at: now,
            zone: "UTC",
            member: member,
            presence: app == nil ? .idle : .active,
            app: app
        )
        unaccepted.append(seen)
        let reply = try await machine.client.call(
            UsageObserve.self,
            .init(agent: "agent-1", run: "run-1", observations: unaccepted)
        )
        unaccepted.removeAll { $0.sequence <= reply.acceptedThrough }
        return (now.bootMs, reply.checkAt)
    }
}

/// A machine with a key of its own choice.
actor StrangerPort {
    private let loop: BusLoop
    private let address: String
    private let keys: CurveClient
    private var port: ClientPort?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    init(_ address: String, _ own: KeyPair, server: [UInt8]) throws {
        loop = try BusLoop(name: "stranger")
        self.address = address
        keys = CurveClient(secret: own.secret, publicKey: own.publicKey, server: server)
    }

    /// Returns `ok`, or the code of the problem. Without a reply within `withinMs` that is the code of a missed deadline.
    func code<R: Route>(_ route: R.Type, _ request: R.Request, withinMs: Int64 = 20_000) async throws
        -> String
    {
        let deadlineMs = Stopwatch.bootMilliseconds() + withinMs
        let id = Identifier.make(wallMs: deadlineMs)
        let header = RequestHeader(id: id, route: R.name, timeoutMs: withinMs)
        let frames = [header.encoded(), try request.encodedBody()]
        let port =
            try self.port ?? ClientPort(loop, service: .household, endpoint: "tcp://" + address, keys: keys)
        self.port = port
        let outcome = await withCheckedContinuation { continuation in
            port.start(id: id, route: R.name, frames: frames, deadlineMs: deadlineMs) {
                continuation.resume(returning: $0)
            }
        }
        switch outcome {
        case .reply: return "ok"
        case .failed(let problem): return problem.code
        }
    }

    nonisolated func end() async {
        await close()
        loop.stop()
    }

    private func close() { port?.close() }
}

/// The code of the refusal when a machine joins, or an empty text.
func joining(_ machine: TestSystem, code: String, accounts: [HouseholdAccount]) async
    -> String
{
    await refusal {
        _ = try await machine.client.call(LinkJoin.self, .init(code: code, accounts: accounts))
    }
}
