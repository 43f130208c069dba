import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Synchronization
import Testing

/// The actions of people and apps while shield-service is killed. Each sends one request after the other, under a key, and repeats
/// it until it is acknowledged.
final class KillsTraffic: Sendable {
    static let app = "a"
    static let child = "kid"
    static let guardian = "guardian"
    static let things = 12
    /// The app's store that counts the actions of its shield-action extension, once for each press.
    static let pressStore = "presses"
    /// Fewer than the service keeps of closed requests.
    private static let requestsMax = 400

    private let system: TestSystem
    private let tokens: [String]
    private let isOver = Atomic(false)
    /// The number of acknowledged requests, by route.
    private let acknowledged = Mutex<[String: Int]>([:])
    private let repeats = Atomic<Int>(0)

    /// `tokens` are those of the app's things, in their order.
    init(_ system: TestSystem, tokens: [String]) {
        self.system = system
        self.tokens = tokens
    }

    static func thing(_ number: Int) -> String { "org.thing-\(number)" }

    func count(_ route: String) -> Int { acknowledged.withLock { $0[route] ?? 0 } }

    /// The routes of which a request is always in progress.
    var routes: [String] {
        let always = [SettingsSet.name, SettingsClear.name, ShieldShow.name, ShieldPress.name]
        return count(RequestApprove.name) < Self.requestsMax / 2 ? always + [RequestApprove.name] : always
    }

    func end() { isOver.store(true, ordering: .releasing) }

    /// Returns once it is ended and all requests are acknowledged.
    func run(seed: UInt64) async throws -> Acknowledged {
        var random = SeededRandom(seed: seed)
        var workers: [@Sendable () async throws -> Acknowledged] = []
        for number in 0..<2 {
            let (own, third) = (random.next(), random.next())
            workers.append {
                try await self.stores(.init(app: Self.app, store: "s\(number)"), seed: own) {
                    .string(self.tokens[$0])
                }
            }
            workers.append { try await self.shields(third) }
        }
        let other = random.next()
        workers.append { try await self.requests(other) }
        return try await withThrowingTaskGroup(of: Acknowledged.self) { group in
            for worker in workers { group.addTask { try await worker() } }
            var all = Acknowledged()
            for try await one in group { all.add(one) }
            all.repeats = repeats.load(ordering: .acquiring)
            return all
        }
    }

    // MARK: - Asking until it is acknowledged

    private var goesOn: Bool { !isOver.load(ordering: .acquiring) }

    /// Sends a request until it is acknowledged, under one key. With `impatientMs`, a request that takes longer is given up and
    /// sent again as a new one.
    private func ask<R: Route>(_ route: R.Type, _ request: R.Request, impatientMs: Int64? = nil) async throws
        -> R.Reply
    {
        let key = TraceIdentifiers.span()
        var patienceMs = impatientMs ?? 5_000
        while true {
            do {
                let options = CallOptions(
                    timeoutMs: patienceMs,
                    idempotencyKey: impatientMs == nil ? key : TraceIdentifiers.span()
                )
                let reply = try await system.client.call(R.self, request, options: options)
                acknowledged.withLock { $0[R.name, default: 0] += 1 }
                return reply
            } catch let problem as Problem where problem.retryable {
                repeats.add(1, ordering: .relaxed)
                // On a busy machine, a short timeout would never receive a reply.
                patienceMs = min(patienceMs * 2, 5_000)
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    private func pause(_ random: inout SeededRandom) async throws {
        try await Task.sleep(for: .milliseconds(random.number(0...15)))
    }

    // MARK: - Stores

    private func stores(_ address: StoreAddress, seed: UInt64, token: @Sendable (Int) -> JSONValue)
        async throws -> Acknowledged
    {
        var random = SeededRandom(seed: seed)
        var store = Acknowledged.Store(address: address)
        while goesOn {
            let reply: SettingsGet.Reply
            if store.changes > 0, random.chance(percent: 25) {
                reply = try await ask(SettingsClear.self, address)
                store.settings = [:]
                store.clears += 1
            } else {
                let numbers = (0..<Self.things).filter { _ in random.chance(percent: 40) }
                let things = numbers.map { number -> JSONValue in
                    ["token": token(number)]
                }
                store.settings = ["shield.applications": .array(things)]
                reply = try await ask(
                    SettingsSet.self,
                    .init(
                        app: address.app,
                        member: address.member,
                        store: address.store,
                        settings: store.settings
                    )
                )
            }
            store.changes += 1
            #expect(reply.version == store.changes, "\(address)")
            try await pause(&random)
        }
        return Acknowledged(stores: [store])
    }

    // MARK: - More time

    private func requests(_ seed: UInt64) async throws -> Acknowledged {
        var random = SeededRandom(seed: seed)
        var all = Acknowledged()
        while goesOn, all.requests.count < Self.requestsMax {
            let item = TokenItem(kind: .application, id: Self.thing(random.number(0...(Self.things - 1))))
            let added = try await ask(
                RequestAdd.self,
                .init(member: Self.child, items: [item], durationMs: 86_400_000)
            ).request
            #expect(all.requests.updateValue(.waiting, forKey: added.request) == nil, "a number given twice")
            if random.chance(percent: 80) {
                let passcode = system.passcode(of: Self.guardian)
                let reply = try await ask(
                    RequestApprove.self,
                    .init(request: added.request, by: Self.guardian, passcode: passcode)
                )
                #expect(reply.refusal == nil && reply.request.state == .granted, "\(reply)")
                all.requests[added.request] = .granted
            }
            if all.requests[added.request] == .waiting || random.chance(percent: 20) {
                let reply = try await ask(RequestRevoke.self, .init(request: added.request))
                all.requests[added.request] = reply.request.state
            }
            try await pause(&random)
        }
        return all
    }

    // MARK: - Shields and their buttons

    private func shields(_ seed: UInt64) async throws -> Acknowledged {
        var random = SeededRandom(seed: seed)
        var all = Acknowledged()
        while goesOn {
            let shown = try await ask(ShieldShow.self, .init(subject: .init(app: ShieldWorld.game)))
            let shield = try #require(shown.shield)
            all.shields.append(shield)
            for number in 1...Int64(random.number(1...3)) where goesOn {
                let request = ShieldPress.Request(
                    shield: shield,
                    button: random.chance(percent: 30) ? .secondary : .primary,
                    press: number
                )
                // The number identifies a press, whatever its key is.
                let impatientMs = random.chance(percent: 50) ? random.number(50...300) : Int64?.none
                let reply = try await ask(ShieldPress.self, request, impatientMs: impatientMs)
                all.presses.append(.init(shield: shield, number: number, reply: reply))
                if random.chance(percent: 30) {
                    #expect(
                        try await ask(ShieldPress.self, request) == reply,
                        "another answer the second time"
                    )
                }
            }
            try await pause(&random)
        }
        return all
    }
}
