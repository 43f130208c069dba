import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("A system whose services are killed, stopped and restarted at random")
    struct KillLoopTests {
        private let count = Soak.isOn ? 20_000 : 2_000

        /// Long enough for about this number of kills, stops and restarts, or of removed databases. `SCREENTIME_ROUNDS` sets
        /// another number.
        private static func durationMs(damages: Bool) -> Int64 {
            let usual: Int64 = Soak.isOn ? (damages ? 2_000 : 10_000) : (damages ? 16 : 27)
            return (Soak.rounds ?? usual) * (damages ? 480 : 300)
        }

        @Test(
            "Under random kills every acknowledged observation is recorded once, and reports equal the ledger"
        )
        func killed() async throws { try await loop(damages: false) }

        @Test("Random removal of open databases loses no acknowledged observation")
        func takenAway() async throws { try await loop(damages: true) }

        private func loop(damages: Bool) async throws {
            var random = SeededRandom(seed: Soak.seed)
            try await TestSystem.run(services: [.auth, .activity, .report]) { system in
                print("kill-loop: seed \(Soak.seed)")
                let durationMs = Self.durationMs(damages: damages)
                let members = try await system.makeMembers()
                let plan = ObservationPlan(count: count, members: members, random: &random)
                var driver = try ObservationDriver(
                    plan,
                    endpoint: try system.endpoint(.activity),
                    durationMs: durationMs
                )
                let startMs = Stopwatch.milliseconds()
                let trouble = try TroubleMaker(
                    system,
                    [.auth, .activity, .report],
                    damages: damages,
                    seed: random.next()
                )
                let sent: ObservationDriver.Figures
                do {
                    sent = try driver.run()
                } catch {
                    _ = try? trouble.end()
                    throw error
                }
                let made = try trouble.end()
                let tookMs = Stopwatch.milliseconds() - startMs

                let segments = try await checkLedger(system, plan)
                try await checkStream(system, segments)
                try await checkReports(system, segments)
                tell(sent, made: made, tookMs: tookMs)
                guard !damages else {
                    #expect(made.damages > (TestScale.isSoak ? Int(durationMs / 1000) : 1))
                    #expect(made.savedWithinMs < (TestScale.isSoak ? 10_000 : 20_000))
                    #expect(made.unnoticed == [])
                    try await checkHistory(system, made.damages)
                    return
                }
                let least = TestScale.isSoak ? Int(durationMs / 1000) : 2
                #expect(made.kills + made.stops + made.restarts > least)
            }
        }

        /// Checks that the history has a line for each saved file, and that nothing was lost.
        private func checkHistory(_ system: TestSystem, _ damages: Int) async throws {
            try await eventually("the history contains all damage") {
                var request = HistoryList.Request()
                var lines: [HistoryLine] = []
                repeat {
                    let page = try await system.client.call(HistoryList.self, request)
                    lines += page.lines
                    request.next = page.next
                } while request.next != nil
                let said = lines.map { $0.text() }
                guard !lines.contains(where: { $0.what == .lost }) else { throw NotYet("\(said)") }
                let saved = lines.filter { $0.what == .fileSaved }.count
                guard saved == damages else { throw NotYet("\(saved) of \(damages): \(said)") }
            }
            #expect(try await system.client.call(UsageVerify.self, .init()).historyFault == nil)
        }

        /// Checks all segments, including the open ones.
        private func checkLedger(_ system: TestSystem, _ plan: ObservationPlan) async throws -> [Segment] {
            let rows = try await system.ledger()
            let open = try await system.client.call(UsageNow.self, Empty()).open
            let found = (rows + open).map(\.segment)
            #expect(found.count == count)
            let wanted = Set((1...count).map(plan.segment))
            let missing = wanted.subtracting(found)
            #expect(missing.isEmpty, "acknowledged and lost: \(missing.sorted().prefix(10))")
            #expect(Set(found).count == found.count, "counted twice")
            for segment in rows + open {
                let seen = plan.observations[Int(segment.sequence) - 1]
                guard
                    segment.member != seen.member || segment.app != seen.app
                        || segment.presence != seen.presence
                        || segment.startBootMs != seen.bootMs || segment.startWallMs != seen.wallMs
                else { continue }
                Issue.record("\(segment) is not what was seen: \(seen)")
            }
            return rows + open
        }

        private func checkStream(_ system: TestSystem, _ segments: [Segment]) async throws {
            let events = try await system.events(.usage, of: .activity)
            // The beginning of a long stream is no longer stored.
            let first = try #require(events.first).header.sequence
            #expect(first == 1 || Soak.isOn)
            #expect(events.map(\.header.sequence) == events.indices.map { first + Int64($0) })
            #expect(Set(events.map(\.header.id)).count == events.count)
            let closed = try events.filter { $0.header.type == SegmentClosed.type }
                .map { try $0.decoded(SegmentClosed.self) }
            let rows = try await system.ledger()
            #expect(closed.elementsEqual(rows.suffix(closed.count)))
        }

        private func checkReports(_ system: TestSystem, _ segments: [Segment]) async throws {
            try await system.waitUntilFollowed(.usage, of: .activity, by: .report)
            let fold = UsageFold(segments)
            #expect(fold.days.count == ObservationPlan.days.count)
            for (day, wanted) in zip(ObservationPlan.days, fold.days.sorted { $0.key < $1.key }.map(\.value))
            {
                let byApp = try await system.client.call(ReportDay.self, .init(day: day, by: .app))
                let byMember = try await system.client.call(ReportDay.self, .init(day: day, by: .member))
                let told = UsageFold.Day(byApp: byApp, byMember: byMember)
                #expect(told == wanted, "\(day)")
            }
        }

        private func tell(_ sent: ObservationDriver.Figures, made: TroubleMaker.Figures, tookMs: Int64) {
            print(
                "kill-loop: \(sent.acknowledged) acknowledged, \(made.kills) kills, \(made.stops) stops, "
                    + "\(made.restarts) restarts, gaps filled \(made.gaps), duplicates dropped \(made.duplicates), "
                    + "databases taken away \(made.damages), saved within \(made.savedWithinMs) ms, "
                    + "resends \(sent.resends), answers repeated \(sent.repeated), refused \(sent.refused), "
                    + "\(tookMs) ms"
            )
        }
    }
}
