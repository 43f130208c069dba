import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("Missing records")
    struct LostRowsTests {
        private static let services: [ServiceName] = [.auth, .activity, .report, .notifier]

        @Test("A database that is damaged on the disk while its service runs is reported by `data verify`")
        func damagedWhileRunning() async throws {
            try await TestSystem.run(services: Self.services) { system in
                let members = try await system.makeMembers()
                try UsageFeed(system, agent: "agent-1", members: members, count: 100).finish()
                for service in [ServiceName.activity, .auth] {
                    // When the service ends, the write-ahead log becomes a part of the file.
                    try system.restart(service)
                    try system.waitUntilReady()
                    #expect(try await run(["data", "verify"], system).code == 0)
                    let path = system.database(service)
                    let bytes = try AtomicFile.read(path, limitBytes: 64 << 20)
                    let file = OwnedDescriptor(open(path, O_WRONLY | O_CLOEXEC))
                    let pages = [UInt8](repeating: 0xAA, count: 12 * 4_096)
                    #expect(
                        pwrite(file.number, pages, pages.count, off_t(bytes.count - pages.count))
                            == pages.count
                    )
                    let found = try await run(["data", "verify"], system)
                    #expect(found.code == 1 && found.text.contains("is damaged"), "\(service): \(found.text)")
                    let whole = Array(bytes.suffix(pages.count))
                    #expect(
                        pwrite(file.number, whole, pages.count, off_t(bytes.count - pages.count))
                            == pages.count
                    )
                    #expect(try await run(["data", "verify"], system).code == 0)
                }
            }
        }

        @Test(
            "Lost usage records are reported to the guardian, kept in the history and acknowledged by a guardian",
            arguments: ["older", "gone"]
        )
        func noticed(how: String) async throws {
            try await TestSystem.run(services: Self.services) { system in
                let members = try await system.makeMembers()
                _ = try await system.client.call(MemberAdd.self, Member(name: "guardian", role: .guardian))
                let code = system.passcode(of: "guardian")
                _ = try await system.client.call(
                    MemberPasscode.self,
                    .init(member: "guardian", passcode: code)
                )
                try UsageFeed(system, agent: "agent-1", members: members, count: 100).finish()
                let backup = system.scratch.file("backup.sqlite")
                _ = try await system.client.call(DataBackup.self, to: .activity, .init(path: backup))
                try UsageFeed(system, agent: "agent-2", members: members, count: 100).finish()
                try await system.waitUntilFollowed(.usage, of: .activity, by: .report)
                let promised = try await system.head(.usage, of: .activity)
                #expect(try await run(["data", "verify"], system).code == 0)

                #expect(try system.stop(.activity) == .exited(0))
                let path = system.database(.activity)
                for name in ["", "-wal", "-shm"] { unlink(path + name) }
                if how == "older" { rename(backup, path) }
                try system.start(.activity)
                try system.waitUntilReady()

                let lost = try await eventually("the history contains the loss") {
                    let losses = try await system.client.call(HistoryList.self, .init()).losses
                    guard let found = losses.first(where: { $0.loss?.stream == "usage" }) else {
                        throw NotYet("\(losses)")
                    }
                    return found
                }
                #expect(lost.service == "report-service")
                #expect(lost.loss?.source == "activity-center")
                #expect(lost.loss?.promised == promised)
                #expect(lost.loss?.isOther == (how == "gone"))
                try await expectSaid(system)
                try await expectAnswered(system, code)
                // A restart finds nothing new, and a loss that a follower reports again is recorded once.
                try system.restart(.report)
                try system.restart(.activity)
                try system.waitUntilReady()
                try await system.waitUntilFollowed(.usage, of: .activity, by: .report)
                #expect(try await system.client.call(HistoryList.self, .init()).losses == [])
            }
        }

        private func expectSaid(_ system: TestSystem) async throws {
            try await eventually("status begins with the loss") {
                let said = try await run(["status"], system).text
                guard
                    said.hasPrefix("Records of")
                        || said.split(separator: "\n").first?.contains("missing") == true
                else { throw NotYet(said) }
            }
            #expect(try await run(["doctor"], system).text.contains("missing"))
            #expect(try await run(["report"], system).text.contains("Records are missing"))
            let verified = try await run(["data", "verify"], system)
            #expect(verified.code == 1 && verified.text.contains("data restore"), "\(verified)")
            try await eventually("the guardian gets a notification") {
                let told = try await system.client.call(NotifyList.self, .init(member: "guardian"))
                guard told.notifications.contains(where: { $0.body.contains("missing") }) else {
                    throw NotYet("\(told.notifications)")
                }
            }
        }

        private func expectAnswered(_ system: TestSystem, _ code: String) async throws {
            // The child may not accept it, and a reason is required.
            let refused = await refusal {
                let request = HistoryAcceptLoss.Request(why: "", by: "guardian", passcode: code)
                _ = try await system.client.call(HistoryAcceptLoss.self, request)
            }
            #expect(refused == "history.bad_reason")
            let unproven = await refusal {
                _ = try await system.client.call(HistoryAcceptLoss.self, .init(why: "a new disk"))
            }
            #expect(unproven == "auth.proof_needed")
            let accept = HistoryAcceptLoss.Request(why: "a new disk", by: "guardian", passcode: code)
            #expect(try await system.client.call(HistoryAcceptLoss.self, accept).accepted > 0)
            let after = try await system.client.call(HistoryList.self, .init())
            #expect(after.losses == [])
            #expect(after.lines.contains { $0.what == .lossAccepted && $0.by == "guardian" })
            #expect(after.lines.contains { $0.what == .lost })
            #expect(try await run(["data", "verify"], system).code == 0)
            let status = try await run(["status"], system).text
            #expect(!status.contains("are missing"), "\(status)")
        }

        @Test("A restore brings records back from a backup and keeps the replaced files")
        func restored() async throws {
            try await TestSystem.run(services: Self.services) { system in
                let members = try await system.makeMembers()
                try UsageFeed(system, agent: "agent-1", members: members, count: 100).finish()
                try await system.waitUntilFollowed(.usage, of: .activity, by: .report)
                let folder = system.scratch.file("backup")
                let made = try await run(["data", "backup", folder], system)
                #expect(made.text.contains("activity-center.sqlite"), "\(made)")
                let kept = try await system.ledger()
                try UsageFeed(system, agent: "agent-2", members: members, count: 100).finish()

                let running = try await run(["data", "restore", folder], system)
                #expect(running.code != 0 && running.text.contains("Stop Screen Time first"), "\(running)")
                for service in Self.services.reversed() { _ = try system.stop(service) }
                let none = try await run(["data", "restore", system.scratch.file("none")], system)
                #expect(none.code != 0 && none.text.contains("contains no backup"), "\(none)")
                let restored = try await run(["data", "restore", folder], system)
                #expect(restored.code == 0, "\(restored)")
                for service in Self.services { try system.start(service) }
                try system.waitUntilReady()

                #expect(try await system.ledger() == kept)
                try await system.waitUntilFollowed(.usage, of: .activity, by: .report)
                let history = try await eventually("each service has recorded the restoration") {
                    let history = try await system.client.call(HistoryList.self, .init())
                    let told = Set(history.lines.filter { $0.what == .restored }.map(\.service))
                    guard told == Set(Self.services.map(\.rawValue)) else { throw NotYet("\(told)") }
                    return history
                }
                #expect(history.losses == [])
                let state = FileTreeNames.names(beside: system.database(.activity))
                #expect(state.contains { $0.contains(".before-restore-") }, "\(state)")
            }
        }

        @Test(
            "A damaged report database is rebuilt at the start, and the history names the file that was kept"
        )
        func rebuilt() async throws {
            try await TestSystem.run(services: Self.services) { system in
                let members = try await system.makeMembers()
                try UsageFeed(system, agent: "agent-1", members: members, count: 200).finish()
                try await system.waitUntilFollowed(.usage, of: .activity, by: .report)
                let day = ObservationPlan.days[0]
                let before = try await system.client.call(ReportDay.self, .init(day: day))
                #expect(!before.rows.isEmpty)
                let path = system.database(.report)
                #expect(try system.stop(.report) == .exited(0))
                #expect(truncate(path, 4096 * 3) == 0)
                try system.start(.report)
                try system.waitUntilReady()

                try await system.waitUntilFollowed(.usage, of: .activity, by: .report)
                #expect(try await system.client.call(ReportDay.self, .init(day: day)) == before)
                let aside = FileTreeNames.names(beside: path).filter {
                    $0.contains(".damaged-") && !$0.hasSuffix("-wal")
                }
                #expect(aside.count == 1)
                try await eventually("the history names the file") {
                    let said = try await run(["history"], system).text.filter { !$0.isWhitespace }
                    guard said.contains(aside[0]) else { throw NotYet(said) }
                }
                #expect(try await system.client.call(HistoryList.self, .init()).losses == [])
            }
        }

        @Test(
            "A damaged usage database is quarantined and reported, shields remain, and a restore repairs it"
        )
        func quarantined() async throws {
            try await TestSystem.run(services: Self.services + [.shield]) { system in
                let members = try await system.makeMembers()
                try UsageFeed(system, agent: "agent-1", members: members, count: 100).finish()
                try await system.waitUntilFollowed(.usage, of: .activity, by: .report)
                try await system.waitUntilFollowed(.authorization, of: .auth, by: .shield)
                try await shield("org.example.chess", system)
                let folder = system.scratch.file("backup")
                _ = try await run(["data", "backup", folder], system)
                let kept = try await system.ledger()
                #expect(try system.stop(.activity) == .exited(0))
                let path = system.database(.activity)
                #expect(truncate(path, 4096 * 9) == 0)
                try system.start(.activity)
                try system.waitUntilReady()

                let refused = await refusal { _ = try await system.client.call(UsageNow.self, Empty()) }
                #expect(refused == "store.corrupt")
                let asked = ShieldDecide.Request(subject: .init(app: "org.example.chess"))
                #expect(try await system.client.call(ShieldDecide.self, asked).decision.isShielded)
                let status = try await run(["status"], system).text
                #expect(status.contains("quarantined") && status.contains("data restore"), "\(status)")
                let report = try await run(["report"], system).text
                #expect(report.contains("usage records are damaged"), "\(report)")
                // The other files are not changed, and a backup repairs the loss.
                for service in (Self.services + [.shield]).reversed() { _ = try system.stop(service) }
                // Without a service, `data verify` reports that the copy is complete and that the file is damaged.
                let copy = try await run(["data", "verify", "--from", folder], system)
                #expect(copy.code == 0 && copy.text.contains("unchanged: \(kept.count) rows"), "\(copy.text)")
                let state = system.scratch.directories.state
                #expect(try await run(["data", "verify", "--from", state], system).code != 0)
                let none = try await run(["data", "verify"], system)
                #expect(none.code == 3 && none.text.contains("data verify --from"), "\(none.text)")
                #expect(try await run(["data", "restore", folder], system).code == 0)
                for service in Self.services + [.shield] { try system.start(service) }
                try system.waitUntilReady()
                #expect(try await system.ledger() == kept)
                #expect(try await system.client.call(HistoryList.self, .init()).losses == [])
            }
        }

        private func shield(_ id: String, _ system: TestSystem) async throws {
            let app = "org.example.guard"
            try await system.approve(app)
            let items = [TokenItem(kind: .application, id: id)]
            let tokens = try await system.client.call(TokenIssue.self, .init(app: app, items: items)).tokens
            let things = JSONValue.array(tokens.map { .object(["token": .string($0)]) })
            try await eventually("the settings are accepted") {
                _ = try await system.client.call(
                    SettingsSet.self,
                    .init(app: app, store: "main", settings: ["shield.applications": things])
                )
            }
        }

        private func run(_ line: [String], _ system: TestSystem) async throws -> (code: Int32, text: String) {
            let output = system.scratch.file("output-\(Stopwatch.nanoseconds())")
            let number = open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            guard number >= 0 else { throw SystemError.last("open") }
            let process = try system.command(line, output: OwnedDescriptor(number))
            system.atEnd { process.signalGroup(SIGKILL) }
            let status = try await eventually("\(line) has ended") {
                guard process.hasEnded, let status = process.reap() else { throw NotYet("it runs") }
                return status
            }
            guard case .exited(let code) = status else { throw NotYet("\(status)") }
            return (Int32(code), ScratchDirectory.text(output))
        }
    }
}

/// The names of the files next to a file.
enum FileTreeNames {
    static func names(beside path: String) -> [String] {
        let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
        return (try? DirectoryTree.names(in: folder)) ?? []
    }
}
