import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("Lost folders of a running system")
    struct LostDirectoryTests {
        private static let services: [ServiceName] = [.auth, .activity, .shield]

        enum Loss: String, CaseIterable, CustomTestStringConvertible {
            case folder, moved, socket, socketReplaced, lock, everything

            var testDescription: String { rawValue }
        }

        @Test(
            "A system that loses a folder, socket or lock answers again with its acknowledged data",
            arguments: Loss.allCases
        )
        func heals(_ loss: Loss) async throws {
            try await TestSystem.run(services: Self.services) { system in
                _ = try await system.client.call(MemberAdd.self, Member(name: "kid", role: .child))
                let before = try Self.services.map { try system.pid($0) }
                let startMs = Stopwatch.milliseconds()

                try lose(loss, system)

                try await eventually(within: .seconds(20), "all answer on new sockets") {
                    let hit =
                        loss == .socket || loss == .socketReplaced || loss == .lock
                        ? [.shield] : Self.services
                    for (index, service) in Self.services.enumerated() {
                        let path = try system.endpoint(service)
                        let peer = try RawPeer(.dealer, path, queuesWithoutPeer: false)
                        defer { peer.close() }
                        let reply = try peer.ask(HealthPing.name, withinMs: 500)
                        let pid = try HealthPing.Reply.decodedBody(reply.body).pid
                        guard (pid != Int64(before[index])) == hit.contains(service) else {
                            throw NotYet("\(service) is \(pid), and was \(before[index])")
                        }
                    }
                }
                let tookMs = Stopwatch.milliseconds() - startMs
                print("\(loss): healed after \(tookMs) ms")
                try system.waitUntilReady()
                #expect(access(system.scratch.directories.run + "/supervisor.json", R_OK) == 0)
                let members = try await system.client.call(MemberList.self, Empty()).members
                #expect(members.contains { $0.name == "kid" })
            }
        }

        @Test("A service whose socket is removed as soon as it is created answers again")
        func atOnce() async throws {
            try await TestSystem.run(services: Self.services) { system in
                let socket = try system.endpoint(.shield)
                for round in 1...5 {
                    #expect(kill(try system.pid(.shield), SIGKILL) == 0)
                    unlink(socket)
                    let deadline = Stopwatch.milliseconds() + 10_000
                    // Without a pause, to remove it before the service has reported that it is ready.
                    while access(socket, F_OK) != 0 { try #require(Stopwatch.milliseconds() < deadline) }
                    #expect(unlink(socket) == 0)

                    try await eventually(within: .seconds(20), "it answers, round \(round)") {
                        let peer = try RawPeer(.dealer, socket, queuesWithoutPeer: false)
                        defer { peer.close() }
                        _ = try peer.ask(HealthPing.name, withinMs: 500)
                    }
                }
            }
        }

        /// Renames the folder first, because it is created again before all of it is removed.
        private func takeAway(_ folder: String) throws {
            #expect(rename(folder, folder + "-gone") == 0)
            try DirectoryTree.remove(folder + "-gone")
        }

        private func lose(_ loss: Loss, _ system: TestSystem) throws {
            let directories = system.scratch.directories
            let socket = try system.endpoint(.shield)
            switch loss {
            case .folder: try takeAway(directories.run)
            case .moved: #expect(rename(directories.run, directories.run + "-moved") == 0)
            case .socket: #expect(unlink(socket) == 0)
            case .socketReplaced:
                #expect(unlink(socket) == 0)
                try system.scratch.write("not a socket", to: "replaced")
                #expect(rename(system.scratch.file("replaced"), socket) == 0)
            case .lock: #expect(unlink("\(directories.run)/\(ServiceName.shield)/lock") == 0)
            case .everything:
                try takeAway(directories.run)
                try takeAway(directories.logs)
            }
        }

        @Test("Logs are written again after their folder was removed")
        func logs() async throws {
            try await TestSystem.run(services: Self.services) { system in
                let path = system.scratch.directories.log(service: "supervisor")
                try takeAway(system.scratch.directories.logs)

                try await eventually("the log reports the removed files") {
                    guard ScratchDirectory.text(path).contains("removed files") else { throw NotYet(path) }
                }
                try system.restart(.shield)
                try system.waitUntilReady()
                let log = system.scratch.directories.log(service: ServiceName.shield.rawValue)
                try await eventually("the service's log is written") {
                    guard ScratchDirectory.text(log).contains("ready") else { throw NotYet(log) }
                }
                #expect(!ScratchDirectory.text(path).contains("cannot"))
            }
        }
    }
}
