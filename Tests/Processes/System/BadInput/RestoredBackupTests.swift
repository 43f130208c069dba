import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("Restored backup")
    struct RestoredBackupTests {
        @Test(
            "After a ledger is restored from a backup, reports are rebuilt and equal the older ledger",
            arguments: [false, true]
        )
        func restored(isUsedOn: Bool) async throws {
            try await TestSystem.run(services: [.auth, .activity, .report]) { system in
                let members = try await system.makeMembers()
                try UsageFeed(system, agent: "agent-1", members: members, count: 300).finish()
                let backup = system.scratch.file("backup.sqlite")
                _ = try await system.client.call(DataBackup.self, to: .activity, .init(path: backup))
                let kept = try await system.ledger()
                try UsageFeed(system, agent: "agent-2", members: members, count: 100).finish()
                try await system.waitUntilFollowed(.usage, of: .activity, by: .report)
                try await expectReports(system)
                let before = try await system.head(.usage, of: .activity)

                #expect(try system.stop(.activity) == .exited(0))
                try putBack(backup, system.database(.activity))
                try system.start(.activity)
                try system.waitUntilReady()

                #expect(try await system.ledger() == kept)
                #expect(try await system.head(.usage, of: .activity) < before)
                // Usage continues, in the second case beyond the follower's position.
                if isUsedOn { try UsageFeed(system, agent: "agent-3", members: members, count: 200).finish() }
                try await system.waitUntilFollowed(.usage, of: .activity, by: .report)
                try await expectReports(system)
                let cursor = try await system.client.call(HealthReport.self, to: .report, Empty()).cursors
                    .first
                #expect(cursor?.headSeen == cursor?.sequence)
            }
        }

        private func putBack(_ backup: String, _ database: String) throws {
            for name in ["-wal", "-shm"] { unlink(database + name) }
            guard rename(backup, database) == 0 else { throw SystemError.last("rename") }
        }

        private func expectReports(_ system: TestSystem) async throws {
            let open = try await system.client.call(UsageNow.self, Empty()).open
            let fold = UsageFold(try await system.ledger() + open)
            #expect((1...ObservationPlan.days.count).contains(fold.days.count))
            for (day, wanted) in zip(ObservationPlan.days, fold.days.sorted { $0.key < $1.key }.map(\.value))
            {
                let byApp = try await system.client.call(ReportDay.self, .init(day: day, by: .app))
                let byMember = try await system.client.call(ReportDay.self, .init(day: day, by: .member))
                #expect(UsageFold.Day(byApp: byApp, byMember: byMember) == wanted, "\(day)")
            }
        }
    }
}
