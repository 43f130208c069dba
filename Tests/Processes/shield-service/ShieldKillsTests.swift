import STContracts
import STDomain
import STPlatform
import STStore
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension ShieldSuite {
    @Suite("Kills of shield-service")
    struct ShieldKillsTests {
        private static let kills = isSoak ? 150 : 15
        /// Long limits, so that no look and no reply is late on a busy machine.
        private static let patience = [
            "SCREENTIME_SHIELD_SERVICE_LOOK_MS": "30000", "SCREENTIME_SHIELD_SERVICE_ACTION_MS": "30000",
        ]

        @Test(
            "Random kills of shield-service lose and repeat no acknowledged set, grant, shield or press"
        )
        func kills() async throws {
            var random = SeededRandom(seed: ShieldSuite.seed)
            let (trafficSeed, killsSeed) = (random.next(), random.next())
            try await KillsWorld.run(environment: Self.patience) { world in
                let start = Stopwatch.milliseconds()
                let traffic = try await Self.prepare(world)
                let subscriber = try await PolicySubscriber(world.system.directories)
                let going = Task { try await traffic.run(seed: trafficSeed) }
                try await Self.strike(world.system, traffic, seed: killsSeed)
                traffic.end()
                let all = try await going.value

                try await Self.checkStores(world, all)
                try await Self.checkRequests(world, all)
                try await Self.checkShields(world, all)
                let events = try await Self.events(.policy, world.system)
                try Self.checkLog(events, all)
                try await Self.checkPolicy(world, events: events, subscriber: subscriber)
                try await subscriber.stop()
                try Self.checkRows(world.system, events)
                let calls = world.actions(KillsTraffic.app).count
                Self.tell(
                    all,
                    events: events,
                    calls: calls,
                    seconds: (Stopwatch.milliseconds() - start) / 1000
                )
                // Otherwise the test has tested nothing.
                #expect(all.shields.count + all.presses.count > Self.kills / 3)
            }
        }

        // MARK: - Before, and the kills

        private static func prepare(_ world: KillsWorld) async throws -> KillsTraffic {
            let client = world.system.client
            let guardian = KillsTraffic.guardian
            _ = try await client.call(MemberAdd.self, Member(name: guardian, role: .guardian))
            _ = try await client.call(MemberAdd.self, Member(name: KillsTraffic.child, role: .child))
            let passcode = world.system.passcode(of: guardian)
            let reply = try await client.call(
                MemberPasscode.self,
                .init(member: guardian, passcode: passcode)
            )
            #expect(reply.refusal == nil)
            try await world.install(KillsTraffic.app, action: "counts")
            try await world.shield(KillsTraffic.app)
            let items = (0..<KillsTraffic.things).map {
                TokenItem(kind: .application, id: KillsTraffic.thing($0))
            }
            let tokens = try await client.call(TokenIssue.self, .init(app: KillsTraffic.app, items: items))
            try await eventually("shield-service has received the members") {
                _ = try await client.call(ShieldAllowed.self, .init(member: KillsTraffic.child))
            }
            return KillsTraffic(world.system, tokens: tokens.tokens)
        }

        /// Kills the service, mostly while it works, and sometimes while it starts.
        private static func strike(_ system: TestSystem, _ traffic: KillsTraffic, seed: UInt64) async throws {
            var random = SeededRandom(seed: seed)
            var made = 0
            while made < kills {
                if random.chance(percent: 80), let route = random.pick(traffic.routes) {
                    // Each kind of traffic has its turn, also on a busy machine.
                    let before = traffic.count(route)
                    try await eventually(within: .seconds(60), "one more \(route) is acknowledged") {
                        if traffic.count(route) == before { throw NotYet(system.story()) }
                    }
                }
                try await Task.sleep(for: .milliseconds(random.number(5...250)))
                if (try? system.kill(.shield)) != nil { made += 1 }
            }
        }

        // MARK: - What is there

        private static func checkStores(_ world: KillsWorld, _ all: Acknowledged) async throws {
            for store in all.stores {
                let address = store.address
                let found = try await world.system.client.call(
                    SettingsGet.self,
                    .init(app: address.app, member: address.member, store: address.store)
                )
                #expect(found.version == store.changes, "\(address)")
                #expect(found.settings == store.settings, "\(address)")
            }
        }

        private static func checkRequests(_ world: KillsWorld, _ all: Acknowledged) async throws {
            var found: [String: RequestState] = [:]
            var next: String?
            repeat {
                let page = try await world.system.client.call(RequestList.self, .init(next: next))
                for view in page.requests {
                    #expect(found.updateValue(view.state, forKey: view.request) == nil)
                }
                next = page.next
            } while next != nil
            #expect(found == all.requests)
        }

        private static func checkShields(_ world: KillsWorld, _ all: Acknowledged) async throws {
            let client = world.system.client
            var found: [ShownShield] = []
            var page = try await client.call(ShieldList.self, .init())
            let counts = page.counts
            found += page.shields
            while let next = page.next {
                page = try await client.call(ShieldList.self, .init(next: next))
                found += page.shields
            }
            #expect(Set(found.map(\.shield)) == Set(all.shields))
            #expect(found.count == all.shields.count)
            #expect(counts.reduce(0) { $0 + $1.shown } == Int64(all.shields.count))
            #expect(counts.reduce(0) { $0 + $1.pressed } == Int64(all.presses.count))
            let last = Dictionary(all.presses.map { ($0.shield, $0.reply.response) }) { $1 }
            #expect(found.allSatisfy { $0.response == last[$0.shield] })
            // The stream contains every shield and every press.
            let told = try await events(.shield, world.system).filter { $0.header.type == ShieldShown.type }
            #expect(told.count == all.shields.count + all.presses.count)

            // The app's action takes effect once for each press, however often the app was called.
            #expect(all.presses.compactMap(\.reply.problem) == [])
            let calls = world.actions(KillsTraffic.app).map { String($0[2]) }
            #expect(Set(calls) == Set(all.presses.map { "\($0.shield)/\($0.number)" }))
            let store = try await client.call(
                SettingsGet.self,
                .init(app: KillsTraffic.app, store: KillsTraffic.pressStore)
            )
            #expect(store.version == Int64(all.presses.count))
        }

        // MARK: - The stream of policy

        private static func events(_ stream: StreamName, _ system: TestSystem) async throws -> [WireEvent] {
            var events: [WireEvent] = []
            while true {
                let last = events.last?.header
                let page = try await system.client.call(
                    EventsSince.self,
                    to: .shield,
                    .init(
                        stream: stream.rawValue,
                        epoch: last?.epoch,
                        sequence: last?.sequence,
                        id: last?.id
                    )
                )
                events += page.events
                if page.next == nil { return events }
            }
        }

        /// Checks that the log has every change once, under its own number.
        private static func checkLog(_ events: [WireEvent], _ all: Acknowledged) throws {
            var policies: [Int64] = []
            var versions: [String: [Int64]] = [:]
            var grants: [String: [RequestState]] = [:]
            for event in events {
                switch event.header.type {
                case PolicyStoreChanged.type:
                    let body = try event.decoded(PolicyStoreChanged.self)
                    policies.append(body.policy)
                    versions["\(body.app)/\(body.store)", default: []].append(body.version)
                case PolicyGrantChanged.type:
                    let body = try event.decoded(PolicyGrantChanged.self)
                    policies.append(body.policy)
                    grants[body.request.request, default: []].append(body.request.state)
                default: Issue.record("\(event.header.type)")
                }
            }
            #expect(events.map(\.header.sequence) == Array(1...Int64(events.count)))
            #expect(policies == Array(1...Int64(events.count)))
            for store in all.stores {
                let told = versions["\(store.address.app)/\(store.address.store)"]
                #expect(told == Array(1...store.changes), "\(store.address)")
            }
            for (request, state) in all.requests {
                let wanted: [RequestState]? =
                    switch state {
                    case .granted: [.granted]
                    case .revoked: [.granted, .revoked]
                    default: nil
                    }
                #expect(grants[request] == wanted, "\(request)")
            }
        }

        /// Checks the rows from which `screentime why` answers: each published change has one.
        private static func checkRows(_ system: TestSystem, _ events: [WireEvent]) throws {
            #expect(try system.stop(.shield) == .exited(0))
            let database = try Database(
                path: system.database(.shield),
                options: DatabaseOptions(applicationID: 0x5354_5376)
            )
            let rows = try database.query("SELECT type, subject FROM changes ORDER BY policy") {
                [try $0.text(0), try $0.text(1)]
            }
            try database.close()
            #expect(rows == events.map { [$0.header.type, $0.header.subject] })
            try system.start(.shield)
            try system.waitUntilReady()
        }

        /// Compares the policy of a permanent subscriber, of a new reader of the log, and of the service.
        private static func checkPolicy(
            _ world: KillsWorld,
            events: [WireEvent],
            subscriber: PolicySubscriber
        )
            async throws
        {
            var fresh = Policies()
            for event in events { try fresh.apply(event) }
            try await eventually("the subscriber has received all events") {
                let number = subscriber.book.number
                if number < fresh.number { throw NotYet("it is at \(number) of \(fresh.number)") }
            }
            let held = subscriber.book
            #expect(held == fresh)
            let things =
                (0..<KillsTraffic.things).map(KillsTraffic.thing) + [ShieldWorld.game, "org.nothing"]
            for member in [nil, KillsTraffic.child] {
                for app in things {
                    let told = try await world.system.client.call(
                        ShieldDecide.self,
                        .init(member: member, subject: .init(app: app))
                    )
                    let decided = held.decide(
                        ClassifiedSubject(app: app, category: told.category),
                        member: told.member,
                        wallMs: SystemTimeSource().now().wallMs
                    )
                    #expect(ShieldDecisionBody(decided) == told.decision, "\(app) for \(told.member)")
                    #expect(told.policy == held.number)
                }
            }
        }

        private static func tell(_ all: Acknowledged, events: [WireEvent], calls: Int, seconds: Int64) {
            let clears = all.stores.reduce(0) { $0 + $1.clears }
            let changes = all.stores.reduce(0) { $0 + Int($1.changes) }
            let granted = all.requests.values.count { $0 == .granted || $0 == .revoked }
            let revoked = all.requests.values.count { $0 == .revoked }
            print(
                "shield-kills: seed \(ShieldSuite.seed), \(kills) kills, \(changes - clears) sets, \(clears) clears, "
                    + "\(all.requests.count) requests, \(granted) grants, "
                    + "\(revoked) revoked, \(all.shields.count) shields, \(all.presses.count) presses in \(calls) calls, "
                    + "\(all.repeats) asked again, \(events.count) changes of policy, \(seconds) s"
            )
        }
    }
}
