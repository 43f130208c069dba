import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("Databases that are damaged while nothing runs")
    struct DamagesDownTests {
        private static let services = ServiceName.all
        private let rounds = Soak.rounds.map { Int($0) } ?? (Soak.isOn ? 2_000 : 8)

        enum Damage: String, CaseIterable {
            case cut, flipped, swapped, unlinked, older
        }

        /// The acknowledged data, as the services report it. `nil` if a service does not report it.
        private typealias Told = [ServiceName: [String]?]

        @Test(
            "No damage to a database while no service runs loses acknowledged data without a report"
        )
        func damages() async throws {
            let seed = Soak.isOn ? Soak.seed : 7
            var random = SeededRandom(seed: seed)
            print("damages-down: seed \(seed)")
            var counts: [String: Int] = [:]
            try await TestSystem.run(services: Self.services) { system in
                _ = try await system.makeMembers()
                try await add(0, system)
                try stop(system)
                let state = system.scratch.directories.state
                let base = system.scratch.file("base")
                let older = system.scratch.file("older")
                for folder in [base, older] { try Self.copyAll(state, to: folder) }
                for round in 1...rounds {
                    try start(system)
                    try await add(round, system)
                    let before = try await told(system)
                    let history = try await lines(system)
                    try stop(system)

                    let damage = random.pick(Damage.allCases) ?? .cut
                    let service = random.pick(Self.services) ?? .auth
                    let isSealed = random.chance(percent: 70)
                    if !isSealed { try unseal(state) }
                    let made = try Self.damage(
                        damage,
                        service: service,
                        state: state,
                        older: older,
                        random: &random
                    )

                    let outcome = try await outcome(before, history: history, system: system)
                    let name = "\(damage)\(isSealed ? "" : ", unsealed"): \(outcome)"
                    counts[name, default: 0] += 1
                    // SQLite's pages have no checksum, so after a crash a changed byte may pass as a value.
                    let isKnown = damage == .flipped && !isSealed
                    // All other services run, so nothing prevents the start.
                    #expect(
                        (outcome != .unnoticed || isKnown) && outcome != .refused,
                        "round \(round): \(damage) of \(service), sealed: \(isSealed), \(made)"
                    )
                    try stop(system)
                    try Self.copyAll(base, to: state)
                }
                try start(system)
            }
            print("damages-down: \(counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })")
        }

        private enum Outcome: String {
            case same, noticed, unnoticed, refused
        }

        private func outcome(_ before: Told, history: Int64, system: TestSystem) async throws -> Outcome {
            do {
                try start(system, withinMs: 60_000)
            } catch {
                return .refused
            }
            var last: Told = [:]
            do {
                return try await eventually(within: .seconds(60), "the damage is repaired or reported") {
                    let isNoticed = try await isNoticed(since: history, system)
                    last = try await told(system)
                    if isNoticed { return .noticed }
                    guard last == before else { throw NotYet("different") }
                    return .same
                }
            } catch {
                for service in Self.services where last[service] != before[service] {
                    print(
                        "damages-down: \(service): \(before[service] as Any) and now \(last[service] as Any)"
                    )
                }
                return .unnoticed
            }
        }

        private func isNoticed(since row: Int64, _ system: TestSystem) async throws -> Bool {
            for service in Self.services {
                let report = try await system.client.call(HealthReport.self, to: service, Empty())
                if report.problem != nil { return true }
            }
            let reply = try await system.client.call(HistoryList.self, .init())
            let isSaid = reply.lines.contains { ($0.row ?? 0) > row && $0.isOfRecords }
            if isSaid || !reply.losses.isEmpty { return true }
            do {
                let verified = try await system.client.call(UsageVerify.self, .init())
                return verified.fault != nil || verified.historyFault != nil
            } catch let problem as Problem where problem.code.hasPrefix("store.") {
                // Unreadable data is reported as well.
                return true
            }
        }

        // MARK: - What is acknowledged

        private func add(_ round: Int, _ system: TestSystem) async throws {
            let client = system.client
            try await system.waitUntilFollowed(.authorization, of: .auth, by: .notifier)
            try await system.waitUntilFollowed(.authorization, of: .auth, by: .activity)
            _ = try await client.call(MemberAdd.self, Member(name: "member-\(round + 10)", role: .individual))
            let choice = CategorySet.Request(subject: "org.example.app\(round)", category: "games")
            _ = try await client.call(CategorySet.self, choice)
            var past = ValidRequests.past()
            past.dryRun = nil
            past.rows[0].segment = "segment-\(round)"
            past.rows[0].startWallMs += Int64(round) * 10_000
            past.notifications[0].wallMs += Int64(round) * 10_000
            let owner = try await client.call(MemberList.self, Empty()).members[0].name
            (past.rows[0].member, past.notifications[0].member) = (owner, owner)
            _ = try await client.call(UsageImport.self, past)
            let rule = RuleSpec(
                kind: .limit,
                name: "rule-\(round)",
                targets: [TokenItem(kind: .application, id: "org.example.app\(round)")],
                durationMs: 3_600_000
            )
            _ = try await client.call(RuleAdd.self, .init(rule))
            _ = try await client.call(RequestAdd.self, .init(items: [], durationMs: 60_000))
            let requests = try await client.call(RequestList.self, .init()).requests
            _ = try await client.call(RequestRevoke.self, .init(request: requests[0].request))
            let note = NotifyPost.Request(
                app: "org.example",
                id: "note-\(round)",
                title: "Note",
                body: "\(round)"
            )
            _ = try await client.call(NotifyPost.self, note)
            // Other services cannot notice the loss of data that they have not received before the stop.
            try await system.waitUntilFollowed(.usage, of: .activity, by: .report)
            try await system.waitUntilFollowed(.notification, of: .notifier, by: .desktop)
        }

        private func told(_ system: TestSystem) async throws -> Told {
            let client = system.client
            var told: Told = [:]
            for service in Self.services {
                told[service] = try? await rows(service, client)
            }
            return told
        }

        private func rows(_ service: ServiceName, _ client: BusClient) async throws -> [String] {
            switch service {
            case .auth: try await client.call(MemberList.self, Empty()).members.map(\.name)
            case .activity:
                try await client.call(UsageList.self, .init()).rows.map(\.segment)
                    + client.call(CategoryList.self, .init()).choices.map { "\($0.subject) \($0.category)" }
            case .monitor: try await client.call(RuleList.self, .init()).rules.map { "\($0.rule)" }
            case .shield: try await client.call(RequestList.self, .init()).requests.map { "\($0)" }
            case .notifier:
                try await client.call(NotifyList.self, .init()).notifications
                    .filter { $0.app == "org.example" }.map { "\($0.id) \($0.title) \($0.body)" }
            case .report:
                try await client.call(ReportDay.self, .init(day: "2026-03-09", by: .app)).rows.map { "\($0)" }
            default: []
            }
        }

        private func lines(_ system: TestSystem) async throws -> Int64 {
            try await system.client.call(HistoryList.self, .init(limit: 1)).lines.first?.row ?? 0
        }

        // MARK: - Stopping, damaging, starting

        private func stop(_ system: TestSystem) throws {
            for service in Self.services.reversed() { _ = try? system.stop(service) }
        }

        private func start(_ system: TestSystem, withinMs: Int64 = 30_000) throws {
            for service in Self.services { try system.start(service) }
            try system.waitUntilReady(withinMs: withinMs)
        }

        private func unseal(_ state: String) throws {
            for service in Self.services { unlink("\(state)/\(service)/\(service).sqlite.seal") }
        }

        private static func damage(
            _ damage: Damage,
            service: ServiceName,
            state: String,
            older: String,
            random: inout SeededRandom
        ) throws -> String {
            let path = "\(state)/\(service)/\(service).sqlite"
            var about = stat()
            #expect(stat(path, &about) == 0)
            let size = Int(about.st_size)
            switch damage {
            case .cut:
                let left = random.number(0...(size - 1))
                #expect(truncate(path, left) == 0)
                return "cut to \(left) of \(size) bytes"
            case .flipped:
                let file = open(path, O_RDWR | O_CLOEXEC)
                defer { close(file) }
                let place = random.number(0...(size - 1))
                var byte: UInt8 = 0
                #expect(pread(file, &byte, 1, place) == 1)
                byte ^= UInt8(1 << random.number(0...7))
                #expect(pwrite(file, &byte, 1, place) == 1)
                return "byte \(place) of \(size)"
            case .swapped:
                let other = random.pick(services.filter { $0 != service }) ?? .auth
                unlink(path)
                try copy("\(state)/\(other)/\(other).sqlite", to: path)
                return "the database of \(other)"
            case .unlinked:
                unlink(path)
                return "gone"
            case .older:
                unlink(path)
                try copy("\(older)/\(service)/\(service).sqlite", to: path)
                // With or without the seal of that copy.
                guard random.chance(percent: 50) else { return "an older copy" }
                unlink(path + ".seal")
                try copy("\(older)/\(service)/\(service).sqlite.seal", to: path + ".seal")
                return "an older copy with its seal"
            }
        }

        /// Copies the folders of all services, without the logs next to them.
        private static func copyAll(_ from: String, to: String) throws {
            try Directories.prepare(to)
            for service in services {
                try DirectoryTree.remove("\(to)/\(service)")
                try copy("\(from)/\(service)", to: "\(to)/\(service)")
            }
        }

        private static func copy(_ from: String, to: String) throws {
            let plan = SpawnPlan(executable: "/bin/cp", arguments: ["-a", "--", from, to])
            guard try SpawnedProcess(plan).wait(deadlineMs: 20_000) == .exited(0) else {
                throw NotYet("\(from) was not copied")
            }
        }
    }
}
