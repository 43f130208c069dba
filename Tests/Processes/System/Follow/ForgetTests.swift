import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("Forgetting recorded usage")
    struct ForgetTests {
        private static let marker = "org.example.forgotten"

        @Test("Forgotten usage disappears from the ledger, the reports and their database files")
        func forget() async throws {
            try await TestSystem.run(services: [.auth, .activity, .report]) { system in
                let members = try await system.makeMembers()
                try await observe(system, members[0])
                try await system.waitUntilFollowed(.usage, of: .activity, by: .report)
                let files = [ServiceName.activity, .report].flatMap { service in
                    [system.database(service), system.database(service) + "-wal"]
                }
                let before = try await system.client.call(ReportDay.self, .init(day: "2026-03-11"))
                #expect(before.rows.map(\.name).sorted() == [Self.marker, Self.marker + ".2", "other"])
                #expect(files.filter(Self.holdsMarker).count >= 2)

                let range = UsageForget.Request(fromWallMs: 1_773_187_200_000, toWallMs: 1_773_187_500_000)
                let reply = try await system.client.call(UsageForget.self, range)
                #expect(reply.member == members[0])
                #expect(reply.rows == 5)
                try await eventually(within: .seconds(60), "reports no longer contain the deleted apps") {
                    let day = try await system.client.call(ReportDay.self, .init(day: "2026-03-11"))
                    guard day.rows.map(\.name) == ["other"] else { throw NotYet("\(day.rows)") }
                }
                try await system.waitUntilFollowed(.usage, of: .activity, by: .report)

                #expect(files.filter(Self.holdsMarker) == [])
                let verified = try await system.client.call(UsageVerify.self, .init())
                #expect(verified.fault == nil)
                #expect(verified.forgotten == 5)
                #expect(
                    try await system.ledger().map(\.app) == ["other", "other", "other", "other", "other"]
                )
            }
        }

        /// Sends ten minutes of two alternating apps, from 00:00 UTC. The first five minutes are to be deleted.
        private func observe(_ system: TestSystem, _ member: String) async throws {
            var seen: [Observation] = []
            for number in 0..<121 {
                let minute = number / 12
                let bootMs = 1_000_000 + Int64(number) * 5_000
                let app = minute < 5 ? [Self.marker, Self.marker + ".2"][minute % 2] : "other"
                seen.append(
                    Observation(
                        sequence: Int64(number + 1),
                        bootId: "boot-of-a-test",
                        at: TimeReading(
                            wallMs: 1_773_187_200_000 + bootMs - 1_000_000,
                            bootMs: bootMs,
                            monotonicMs: bootMs
                        ),
                        zone: "UTC",
                        member: member,
                        presence: .active,
                        app: number == 120 ? nil : app,
                        domain: minute < 5 ? nil : "site-\(minute).example"
                    )
                )
            }
            _ = try await system.client.call(
                UsageObserve.self,
                .init(agent: "agent", run: "run", observations: seen)
            )
        }

        private static func holdsMarker(_ path: String) -> Bool {
            guard let bytes = try? AtomicFile.read(path, limitBytes: 1 << 30) else { return false }
            let wanted = Array(marker.utf8)
            return bytes.withUnsafeBytes { whole in
                guard var place = whole.baseAddress, let end = whole.baseAddress.map({ $0 + whole.count })
                else {
                    return false
                }
                while let found = memchr(place, Int32(wanted[0]), end - place).map({ UnsafeRawPointer($0) }) {
                    if end - found >= wanted.count, memcmp(found, wanted, wanted.count) == 0 { return true }
                    place = found + 1
                }
                return false
            }
        }
    }
}
