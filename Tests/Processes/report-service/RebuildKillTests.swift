import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension ReportSuite {
    @Suite("Rebuild of report figures")
    struct RebuildKillTests {
        private static let isSoak = TestScale.isSoak
        private static let rows = isSoak ? 20_000 : 1_200
        private static let kills = isSoak ? 200 : 6
        private static let startMs: Int64 = 1_770_000_000_000

        /// Milliseconds by app and day.
        private typealias Figures = [String: Int64]

        @Test(
            "Killing report-service at any moment of a rebuild leaves correct figures and no temporary file"
        )
        func kills() async throws {
            try await TestSystem.run(services: [.auth, .activity, .report]) { system in
                let expected = try await Self.live(system)
                #expect(try await Self.figures(system) == expected)
                let whole = try await Self.rebuild(system)
                #expect(whole.percent == 100)
                // The same app twice in succession is one row.
                #expect(whole.rows > Int64(Self.rows / 2) && whole.rows < Int64(Self.rows))
                var random = SeededRandom(seed: 5)
                var ended: [RebuildState: Int] = [:]
                // On a busy machine a rebuild may be over before each kill. Then there are some more kills.
                for round in 0..<Self.kills * 4 where round < Self.kills || ended[.running] == nil {
                    _ = try await eventually(within: .seconds(30), "it answers") {
                        try await system.client.call(ReportRebuild.self, .init(starts: true))
                    }
                    // At any moment of it, and sometimes right after it.
                    try await Task.sleep(for: .milliseconds(random.number(0...whole.tookMs * 5 / 4)))
                    let reply = try await system.client.call(ReportRebuild.self, .init(starts: false))
                    ended[reply.state, default: 0] += 1
                    try system.kill(.report)
                    try system.waitUntilReady()
                    let figures = try await eventually(within: .seconds(30), "it answers") {
                        try await Self.figures(system)
                    }
                    #expect(figures == expected, "after kill \(round)")
                    #expect(access(system.database(.report) + ".rebuild", F_OK) != 0)
                }
                print(
                    "rebuild-kills: \(Self.kills) kills, \(ended), a rebuild of \(whole.rows) rows took \(whole.tookMs) ms"
                )
                #expect(ended[.running, default: 0] > 0)
                // The new figures also contain usage during the rebuild.
                _ = try await Self.rebuild(system)
                #expect(try await Self.figures(system) == expected)
            }
        }

        private static func rebuild(_ system: TestSystem) async throws -> ReportRebuild.Reply {
            _ = try await system.client.call(ReportRebuild.self, .init(starts: true))
            return try await eventually(within: .seconds(120), "the rebuild ends") {
                let reply = try await system.client.call(ReportRebuild.self, .init(starts: false))
                guard reply.state == .done else { throw NotYet("\(reply)") }
                return reply
            }
        }

        /// Creates a past of changes of focus, and returns its figures.
        private static func live(_ system: TestSystem) async throws -> Figures {
            let members = try await system.client.call(MemberList.self, Empty()).members
            let member = try #require(members.first).name
            var random = SeededRandom(seed: 7)
            var figures: Figures = [:]
            var moment = startMs
            var seen: [Observation] = []
            for number in 1...rows {
                let app = random.pick(["editor", "browser", "game", "mail"]) ?? "editor"
                seen.append(
                    Observation(
                        sequence: Int64(number),
                        bootId: "boot",
                        at: TimeReading(
                            wallMs: moment,
                            bootMs: moment - startMs + 1,
                            monotonicMs: moment - startMs + 1
                        ),
                        zone: "Asia/Seoul",
                        member: member,
                        presence: random.chance(percent: 10) ? .idle : .active,
                        app: app,
                        unbroken: true
                    )
                )
                moment += random.number(20_000...90_000)
            }
            for start in stride(from: 0, to: rows, by: UsageObserve.batchMax) {
                let part = Array(seen[start..<min(rows, start + UsageObserve.batchMax)])
                _ = try await eventually(within: .seconds(30), "activity-center accepts the observations") {
                    try await system.client.call(
                        UsageObserve.self,
                        .init(agent: "agent", run: "run", observations: part)
                    )
                }
            }
            // The last interval is open, and its length unknown.
            for (one, next) in zip(seen, seen.dropFirst()) where one.presence == .active {
                figures["\(one.app ?? "")", default: 0] += next.wallMs - one.wallMs
            }
            _ = try await eventually(within: .seconds(60), "the figures are complete") {
                let told = try await Self.figures(system)
                guard told == figures else { throw NotYet("\(told) is not \(figures)") }
                return told
            }
            return figures
        }

        private static func figures(_ system: TestSystem) async throws -> Figures {
            var figures: Figures = [:]
            var request = ReportUsage.Request(
                fromWallMs: startMs - 86_400_000,
                toWallMs: startMs + 60 * 86_400_000,
                segment: .day,
                by: [.app],
                zone: "Asia/Seoul"
            )
            repeat {
                let reply = try await system.client.call(ReportUsage.self, request)
                for row in reply.segments.flatMap(\.rows) { figures[row.app ?? "", default: 0] += row.usedMs }
                request.next = reply.next
            } while request.next != nil
            return figures
        }
    }
}
