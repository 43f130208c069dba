import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("Hostile bytes")
    struct HostileBytesTests {
        /// The number of messages for each service.
        private let messages = Soak.isOn ? 100_000 : 300
        /// The number of messages of one peer. Afterwards another peer connects.
        private let size = 300
        private static let growthBytesMax: Int64 = 4 << 20

        @Test("Every service answers hostile messages, keeps running, and does not grow in memory")
        func hostileBytes() async throws {
            try await TestSystem.run(services: ServiceName.all) { system in
                print("hostile-bytes: seed \(Soak.seed)")
                for service in ServiceName.all { try await attack(service, system) }
            }
        }

        private func attack(_ service: ServiceName, _ system: TestSystem) async throws {
            var random = SeededRandom(
                seed: Soak.seed &+ UInt64(service.rawValue.utf8.reduce(0) { $0 + Int($1) })
            )
            let pid = try system.pid(service)
            let path = try system.endpoint(service)
            let valid = try ValidRequests.all(of: service)
            var mutator = MessageMutator(valid, random: SeededRandom(seed: random.next()))
            var sockets = try HostileSockets(system, service, random: SeededRandom(seed: random.next()))

            // The first rounds fill caches and pools that stay, and the largest messages determine the maximum at one time. Memory
            // is compared from then on.
            for _ in 0..<3 {
                var largest = try HostileRequests(endpoint: path)
                try largest.sendLargest()
            }
            var before: Int64 = 0
            for _ in 0..<4 {
                try round(size, path: path, mutator: &mutator, sockets: &sockets)
                before = max(before, try privateBytes(pid))
            }
            var figures = HostileRequests.Figures()
            while figures.sent < messages {
                figures.add(try round(size, path: path, mutator: &mutator, sockets: &sockets))
            }

            let grown = try await eventually(within: .seconds(10), "\(service) releases the memory") {
                let grown = try privateBytes(pid) - before
                guard grown < Self.growthBytesMax else { throw NotYet("it grew by \(grown / 1024) KiB") }
                return grown
            }
            #expect(try system.pid(service) == pid, "\(service) died")
            let report = try await system.client.call(HealthReport.self, to: service, Empty())
            #expect(report.pid == Int64(pid))
            tell(service, figures: figures, grown: grown, report: report)
        }

        @discardableResult
        private func round(
            _ count: Int,
            path: String,
            mutator: inout MessageMutator,
            sockets: inout HostileSockets
        ) throws -> HostileRequests.Figures {
            var requests = try HostileRequests(endpoint: path)
            let figures = try requests.send(count) { mutator.next() }
            try sockets.subscribe(count / 4)
            for bytes in [1000, 65_000, 1_000_000] { try sockets.subscribeLong(bytes: bytes) }
            try sockets.garbage(count / 10)
            return figures
        }

        private func privateBytes(_ pid: Int32) throws -> Int64 {
            // Other programs can read only this of a service: its resident pages, and those of them that belong to files.
            let numbers = ScratchDirectory.text("/proc/\(pid)/statm").split(separator: " ").compactMap {
                Int64($0)
            }
            guard numbers.count > 2 else { throw NotYet("no process \(pid)") }
            return (numbers[1] - numbers[2]) * Int64(sysconf(Int32(_SC_PAGESIZE)))
        }

        private func tell(
            _ service: ServiceName,
            figures: HostileRequests.Figures,
            grown: Int64,
            report: HealthReport.Reply
        ) {
            let codes = figures.refused.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }
            print(
                "hostile-bytes: \(service): \(figures.sent) sent and answered, \(figures.accepted) accepted, refused "
                    + "\(codes.joined(separator: ", ")); disconnects \(report.counters["disconnects"] ?? -1), "
                    + "refused handshakes \(report.counters["refused_handshakes"] ?? -1), memory grew by "
                    + "\(grown / 1024) KiB"
            )
        }

        @Test(
            "Requests with random values in valid shapes end no service, and each service accepts some"
        )
        func wildValues() async throws {
            try await TestSystem.run(services: ServiceName.all) { system in
                print("wild-values: seed \(Soak.seed)")
                for member in [
                    Member(name: "child", role: .child), Member(name: "guardian", role: .guardian),
                ] {
                    _ = try await system.client.call(MemberAdd.self, member)
                }
                try await system.waitUntilFollowed(.authorization, of: .auth, by: .activity)
                let world = ReportWorld(system: system)
                try await world.install()
                try await system.waitUntilFollowed(.authorization, of: .auth, by: .shield)
                let games = JSONValue.array([.object(["id": .string("org.example.game")])])
                _ = try await system.client.call(
                    SettingsSet.self,
                    .init(app: ReportWorld.app, store: "main", settings: ["shield.applications": games])
                )
                // The app's reports are made all the time, until a wild message revokes its permission. The first wild message may
                // do that before a report is ready, so one report is made before.
                _ = try await world.render("total")
                let reports = Task {
                    var made = 0
                    while !Task.isCancelled { made += (try? await world.render("total")) == nil ? 0 : 1 }
                    return made
                }
                let pids = try ServiceName.all.map { try system.pid($0) }
                for service in ServiceName.all {
                    let seed = Soak.seed &+ UInt64(service.rawValue.utf8.reduce(0) { $0 + Int($1) })
                    var wild = try WildValues(of: service, random: SeededRandom(seed: seed))
                    var figures = HostileRequests.Figures()
                    while figures.sent < (Soak.isOn ? 30_000 : 600) {
                        var requests = try HostileRequests(endpoint: try system.endpoint(service))
                        figures.add(try requests.send(size) { wild.next() })
                    }
                    let codes = figures.refused.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }
                    print(
                        "wild-values: \(service): \(figures.sent) sent, \(figures.accepted) accepted, \(codes)"
                    )
                    #expect(figures.accepted > 0)
                    #expect(try ServiceName.all.map { try system.pid($0) } == pids)
                }
                reports.cancel()
                let made = await reports.value
                print("wild-values: \(made) reports made meanwhile")
            }
        }

        @Test("A service closes and counts a connection that sends more than 1 MiB, and keeps running")
        func oversize() async throws {
            try await TestSystem.run(services: ServiceName.all) { system in
                for service in ServiceName.all {
                    let pid = try system.pid(service)
                    let before = try await system.client.call(HealthReport.self, to: service, Empty())
                    try HostileSockets(system, service, random: SeededRandom(seed: 1)).sendTooMuch()
                    try await eventually("\(service) counts the connection it closed") {
                        let after = try await system.client.call(HealthReport.self, to: service, Empty())
                        let wanted = (before.counters["disconnects"] ?? 0) + 1
                        guard let count = after.counters["disconnects"], count >= wanted else {
                            throw NotYet("\(after.counters)")
                        }
                    }
                    #expect(try system.pid(service) == pid)
                }
            }
        }

        @Test(
            "A subscription of a topic's length is accepted, and a much longer one closes its connection"
        )
        func longSubscription() async throws {
            try await TestSystem.run(services: [.auth]) { system in
                let pid = try system.pid(.auth)
                let sockets = try HostileSockets(system, .auth, random: SeededRandom(seed: 1))
                // libzmq keeps a tree node for each byte while the peer is connected.
                #expect(try sockets.subscribeLong(bytes: BusLimits.topicBytes))
                for bytes in [4000, 60_000, 250_000, 1_000_000, 2_000_000] {
                    #expect(try sockets.subscribeLong(bytes: bytes) == false, "\(bytes)")
                    let ping = try await system.client.call(HealthPing.self, to: .auth, Empty())
                    #expect(ping.pid == Int64(pid), "after a subscription of \(bytes) bytes")
                }
            }
        }

        @Test("Extreme numbers in an observation are refused, and the longest interval is accepted")
        func edges() async throws {
            try await TestSystem.run(services: [.auth, .activity, .report]) { system in
                let members = try await system.makeMembers()
                let pid = try system.pid(.activity)
                let peer = try RawPeer(.dealer, try system.endpoint(.activity))
                let edges: [Int64] = [.min, .max, .min + 1, 1 << 52, -(1 << 52), (1 << 52) - 1]
                for field in ["boot_ms", "wall_ms", "monotonic_ms", "sequence"] {
                    for edge in edges {
                        let reply = try peer.ask(UsageObserve.name, observation(members[0], [field: edge]))
                        #expect(reply.header.ok == false, "\(field) \(edge)")
                        #expect(reply.problem?.code.hasPrefix("usage.") == true, "\(field) \(edge)")
                    }
                }
                #expect(try system.pid(.activity) == pid)
                // The longest accepted interval must still be cut into days without delay.
                for (sequence, bootMs) in [(Int64(1), Int64(0)), (2, 315_360_000_000)] {
                    let body = observation(
                        members[0],
                        ["sequence": sequence, "boot_ms": bootMs, "monotonic_ms": bootMs]
                    )
                    #expect(try peer.ask(UsageObserve.name, body).header.ok)
                }
                try await system.waitUntilFollowed(.usage, of: .activity, by: .report)
            }
        }

        private func observation(_ member: String, _ changed: [String: Int64]) -> [UInt8] {
            let usual: [String: Int64] = [
                "boot_ms": 5000, "wall_ms": 1_773_187_190_000, "monotonic_ms": 5000, "sequence": 1,
            ]
            let numbers = usual.merging(changed) { $1 }.map { "\"\($0.key)\":\($0.value)" }.joined(
                separator: ","
            )
            let text = """
                {"agent":"a","run":"r","observations":[{"boot_id":"b","zone":"UTC","member":"\(member)",
                "presence":"active","app":"x",\(numbers)}]}
                """
            return Array(text.utf8)
        }
    }
}

extension SystemSuite {
    @Suite("Services with many short connections")
    struct ManyConnectionsTests {
        /// More than libzmq's monitor queue holds, with two messages for each connection.
        private let connections = 7_000

        @Test("A service still answers after 7,000 short connections")
        func comeAndGo() async throws {
            try await TestSystem.run(services: [.shield]) { system in
                let path = try system.endpoint(.shield)
                for number in 1...connections {
                    // The greeting shows that libzmq's thread is alive.
                    guard try RawConnection(path).receives([0x7F], withinMs: 5_000) else {
                        throw NotYet("connection \(number) was not greeted")
                    }
                }
                let peer = try RawPeer(.dealer, path)
                defer { peer.close() }
                #expect(try peer.ask(HealthPing.name).header.ok)
            }
        }
    }
}
