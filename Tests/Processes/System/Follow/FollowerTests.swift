import STContracts
import STPlatform
import STTestKit
import Testing

extension SystemSuite {
    @Suite("A follower that is no part of this system")
    struct FollowerTests {
        private let count = 1500
        private let durationMs: Int64 = 4000

        @Test("misses nothing and has nothing twice while the publisher is killed again and again")
        func rawFollower() async throws {
            try await TestSystem.run(services: [.auth, .activity]) { system in
                let members = try await system.makeMembers()
                var follower = try RawFollower(system, .usage, of: .activity)
                let feed = try UsageFeed(system, members: members, count: count, durationMs: durationMs)
                let trouble = try TroubleMaker(system, [.activity], pauseMs: 100...400, seed: Soak.seed)
                let startMs = Stopwatch.milliseconds()
                var made: TroubleMaker.Figures?
                try follower.run(
                    until: {
                        guard Stopwatch.milliseconds() - startMs > durationMs else { return nil }
                        if made == nil {
                            made = try trouble.end()
                            try feed.finish()
                        }
                        return try head(system)
                    },
                    withinMs: 60_000
                )

                let log = try await system.events(.usage, of: .activity)
                // Live events name the one before as well, which a page needs not.
                #expect(follower.events.map(\.header.id) == log.map(\.header.id))
                #expect(follower.events.map(\.body) == log.map(\.body))
                #expect(follower.events.map(\.header.sequence) == Array(1...Int64(log.count)))
                print(
                    "follower: \(log.count) events, \(follower.heard) heard live, \(follower.holes) holes, "
                        + "\(made?.kills ?? 0) kills, \(made?.stops ?? 0) stops, \(made?.restarts ?? 0) restarts"
                )
                #expect((made.map { $0.kills + $0.stops + $0.restarts } ?? 0) > 0)
            }
        }

        private func head(_ system: TestSystem) throws -> Int64? {
            let peer = try RawPeer(.dealer, try system.endpoint(.activity))
            defer { peer.close() }
            let reply = try peer.ask(HealthReport.name)
            return try HealthReport.Reply.decodedBody(reply.body).streams.first {
                $0.stream == StreamName.usage.rawValue
            }?.sequence
        }
    }
}
