import Glibc
import STContracts
import STPlatform
import STPostgres
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension HouseholdSuite {
    @Suite("A household in PostgreSQL")
    struct SharedHouseholdTests {
        /// Runs with a household-service that uses the server, and with the data for joining it.
        private static func hub<T>(
            _ server: TestPostgres,
            store: String? = nil,
            _ body: (TestSystem) async throws -> T
        ) async throws -> T {
            var options = TestSystemOptions()
            options.environment["SCREENTIME_HOUSEHOLD_SERVICE_STORE"] = store ?? server.address
            return try await TestSystem.run(
                services: [.auth, .activity, .link, .household],
                options: options,
                body
            )
        }

        @Test(
            "Two services share a household in PostgreSQL, and machines of a stopped service move to the other"
        )
        func two() async throws {
            try await TestPostgres.run { server in
                try await Self.hub(server) { first in
                    try await Self.hub(server) { second in
                        let desks = try await [HouseholdDesk.start(first), HouseholdDesk.start(second)]
                        try await Self.share(desks) { laptop, desktop in
                            let agents = try await [MachineAgent(laptop), MachineAgent(desktop)]
                            try await agents[0].look(at: HouseholdDesk.game)
                            try await eventually(within: .seconds(20), "the other machine shows the usage") {
                                let shown = try await desktop.client.call(LinkShow.self, Empty())
                                guard shown.elsewhere.map(\.app) == [HouseholdDesk.game] else {
                                    throw NotYet("\(shown)")
                                }
                            }
                            try await Self.agree(laptop, desktop: desktop, agents: agents)
                            // The laptop's service is gone for good.
                            _ = try first.stop(.household)
                            let goneMs = Stopwatch.bootMilliseconds()
                            try await agents[0].look(at: HouseholdDesk.game)
                            try await agents[0].look(at: nil)
                            let wanted = try await HouseholdDesk.known(laptop).own
                            try await eventually(
                                within: .seconds(90),
                                "the desktop has received all usage of the laptop"
                            ) {
                                guard try await HouseholdDesk.known(desktop).brought == wanted else {
                                    throw NotYet("not yet")
                                }
                            }
                            let tookMs = Stopwatch.bootMilliseconds() - goneMs
                            print(
                                "a service of two is gone: its machines are heard through the other after \(tookMs) ms"
                            )
                            #expect(tookMs < (TestScale.isSoak ? 15_000 : 90_000))
                            try await Self.agree(laptop, desktop: desktop, agents: agents)
                        }
                    }
                }
            }
        }

        /// Adds one machine at each of two services.
        private static func share(
            _ desks: [HouseholdDesk],
            _ body: (TestSystem, TestSystem) async throws -> Void
        ) async throws {
            try await TestSystem.run(services: HouseholdDesk.services) { laptop in
                try await TestSystem.run(services: HouseholdDesk.services) { desktop in
                    try await desks[0].join(laptop)
                    try await desks[1].join(desktop)
                    try await body(laptop, desktop)
                }
            }
        }

        /// Uses both machines a little, and waits until both have the same rows without duplicates.
        private static func agree(_ laptop: TestSystem, desktop: TestSystem, agents: [MachineAgent])
            async throws
        {
            for app in [HouseholdDesk.game, "org.example.other", nil] {
                for agent in agents { try await agent.look(at: app) }
                try await Task.sleep(for: .milliseconds(200))
            }
            for agent in agents { #expect(await agent.failure == nil) }
            try await eventually(within: .seconds(60), "both machines have the same usage") {
                let all = try await [HouseholdDesk.known(laptop), HouseholdDesk.known(desktop)]
                guard all[0].own == all[1].brought, all[1].own == all[0].brought else {
                    throw NotYet("\(all.map { ($0.own.count, $0.brought.count) })")
                }
            }
            let brought = try await HouseholdDesk.known(laptop).brought
            #expect(!brought.isEmpty && Set(brought).count == brought.count)
        }

        @Test(
            "After random kills of PostgreSQL, services and machines no usage is lost or counted twice"
        )
        func kills() async throws {
            let rounds = Soak.rounds ?? (Soak.isOn ? 1_000 : 24)
            var random = SeededRandom(seed: Soak.seed)
            try await TestPostgres.run { server in
                try await Self.hub(server) { hub in
                    let desk = try await HouseholdDesk.start(hub)
                    try await Self.share([desk, desk]) { laptop, desktop in
                        let agents = try await [MachineAgent(laptop), MachineAgent(desktop)]
                        var kills = 0
                        for _ in 0..<rounds {
                            for agent in agents where random.chance(percent: 70) {
                                let app = random.pick([HouseholdDesk.game, "org.example.other", nil]) ?? nil
                                try await agent.look(at: app)
                            }
                            switch random.number(0...9) {
                            case 0...1:
                                try server.send(SIGKILL)
                                kills += 1
                                try await Task.sleep(for: .milliseconds(random.number(0...300)))
                                try server.start()
                            case 2...5: try hub.kill(.household)
                            case 6...7: try laptop.kill(.link)
                            default: try desktop.kill(.link)
                            }
                            for system in [hub, laptop, desktop] { try system.waitUntilReady() }
                            try await Task.sleep(for: .milliseconds(random.number(0...150)))
                        }
                        for agent in agents { try await agent.look(at: nil) }
                        try await Self.agree(laptop, desktop: desktop, agents: agents)
                        try await eventually(within: .seconds(60), "the household has each row once") {
                            let shown = try await hub.client.call(HouseholdShow.self, Empty()).devices
                            let own = try await [laptop, desktop].asyncMap {
                                try await HouseholdDesk.known($0).own.count
                            }
                            guard shown.map(\.rows) == own.map(Int64.init) else {
                                throw NotYet("\(shown) \(own)")
                            }
                        }
                        let sums = try Self.wrongSums(server)
                        #expect(sums == 0, "seed \(Soak.seed)")
                        print(
                            "\(rounds) kills, \(kills) of them PostgreSQL: none lost or doubled, and the sums are those of the rows"
                        )
                    }
                }
            }
        }

        /// Returns the number of sums that differ from the rows.
        private static func wrongSums(_ server: TestPostgres) throws -> Int64 {
            let rows = try server.connection.run(
                """
                WITH said AS (
                    SELECT member, hour, device, app, site, category,
                        sum(least(local_ms + length_ms, (hour + 1) * 3600000) - greatest(local_ms, hour * 3600000)) AS ms
                    FROM uses, generate_series(local_ms / 3600000, (local_ms + length_ms - 1) / 3600000) AS hour
                    WHERE used AND length_ms > 0 GROUP BY 1, 2, 3, 4, 5, 6
                )
                SELECT (SELECT count(*) FROM said FULL JOIN hour_sums USING (member, hour, device, app, site, category)
                        WHERE said.ms IS DISTINCT FROM hour_sums.ms)
                    + (SELECT count(*) FROM
                        (SELECT member, hour / 24 AS day, device, app, site, category, sum(ms) AS ms FROM said GROUP BY 1, 2, 3, 4, 5, 6)
                        AS d FULL JOIN day_sums USING (member, day, device, app, site, category)
                        WHERE d.ms IS DISTINCT FROM day_sums.ms)
                """
            )
            return try rows.int(0, 0)
        }

        @Test(
            "A household uses PostgreSQL with a password, reports a wrong one, and loses no usage in an outage"
        )
        func network() async throws {
            try await TestPostgres.run(port: try RawConnection.freePort()) { server in
                let file = try ScratchDirectory()
                try file.write("*:*:*:screentime:wrong", to: "pgpass")
                let wrong = server.address.replacing(/passfile=.*/, with: "passfile=\(file.file("pgpass"))")
                try await Self.hub(server, store: wrong) { hub in
                    let code = await refusal { _ = try await HouseholdDesk.start(hub) }
                    #expect(code == "store.refused")
                }
                try await Self.hub(server) { hub in
                    let desk = try await HouseholdDesk.start(hub)
                    try await desk.join(hub)
                    try server.stop()
                    let code = await refusal { _ = try await hub.client.call(HouseholdInvite.self, Empty()) }
                    #expect(code == "store.away")
                    let agent = try await MachineAgent(hub)
                    try await agent.look(at: HouseholdDesk.game)
                    try await agent.look(at: nil)
                    try server.start()
                    try await eventually(within: .seconds(60), "the household has the usage since then") {
                        let today = HouseholdSums.Request(
                            from: CivilDay.today,
                            through: CivilDay.today,
                            by: [.app, .member]
                        )
                        let sums = try await hub.client.call(HouseholdSums.self, today).sums
                        guard sums.contains(where: { $0.app == HouseholdDesk.game && $0.member == "kid" })
                        else {
                            throw NotYet("\(sums)")
                        }
                    }
                }
            }
        }
    }
}

/// The services' days, which are those of UTC in this test.
private enum CivilDay {
    static var today: String {
        CivilDate(daysSinceEpoch: Int(SystemTimeSource().now().wallMs / 86_400_000)).text
    }
}

extension Array where Element: Sendable {
    fileprivate func asyncMap<T>(_ body: (Element) async throws -> T) async rethrows -> [T] {
        var all: [T] = []
        for element in self { all.append(try await body(element)) }
        return all
    }
}
