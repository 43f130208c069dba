import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

extension SystemSuite {
    @Suite(
        "A client in Python",
        .enabled(if: PythonClient.isAvailable, "needs python3-zmq for /usr/bin/python3")
    )
    struct PythonClientTests {
        @Test("A Python client gets replies and refusals on a plain REQ socket")
        func request() async throws {
            try await TestSystem.run(services: [.auth]) { system in
                let client = PythonClient(system)
                let ping = try client.request("auth-service", "health.ping")
                #expect(ping.exit == .exited(0))
                #expect(ping.output.contains(#""service": "auth-service""#))
                let member = #"{"name":"member-2","role":"child"}"#
                for _ in 0..<2 {
                    let added = try client.request("auth-service", "member.add", member, "--key", "k1")
                    #expect(added.exit == .exited(0))
                    #expect(
                        added.output.contains(#""added": true"#),
                        "the kept answer comes again: \(added.output)"
                    )
                }
                let refused = try client.request("auth-service", "member.ad")
                #expect(refused.exit == .exited(1))
                #expect(refused.output.contains(#""code": "route.not_found""#))
                let noJSON = try client.request("auth-service", "member.list", "{")
                #expect(noJSON.exit == .exited(64))
                let unanswered = try client.request("notifier", "health.ping", "--timeout-ms", "300")
                #expect(unanswered.exit == .exited(2))
                #expect(unanswered.output.contains("is it running?"))
            }
        }

        @Test(
            "A Python follower receives every event of a stream while the publisher is killed repeatedly"
        )
        func follow() async throws {
            try await TestSystem.run(services: [.auth, .activity]) { system in
                let members = try await system.makeMembers()
                let client = PythonClient(system)
                let output = system.scratch.file("follow.out")
                let cursor = system.scratch.file("follow.cursor")
                let arguments = ["activity-center", "usage", "--cursor", cursor]
                let process = try client.start("follow.py", arguments, output: output)
                defer { process.signalGroup(SIGKILL) }
                let feed = try UsageFeed(system, members: members, count: 800, durationMs: 4000)
                let trouble = try TroubleMaker(system, [.activity], pauseMs: 100...400, seed: Soak.seed)
                try feed.finish()
                let made = try trouble.end()

                let log = try await system.events(.usage, of: .activity)
                try await eventually(within: .seconds(60), "the follower has printed them all") {
                    let lines = ScratchDirectory.text(output).split(separator: "\n").count
                    guard lines >= log.count else {
                        throw NotYet("\(lines) of \(log.count), \(process.hasEnded)")
                    }
                }
                try expectLines(ScratchDirectory.text(output), log)
                try await eventually("the follower's position is saved") {
                    let place = ScratchDirectory.text(cursor)
                    guard let id = log.last?.header.id, place.contains(id) else { throw NotYet(place) }
                }
                print(
                    "follow.py: \(log.count) events, \(made.kills) kills, \(made.stops) stops, \(made.restarts) restarts"
                )

                process.signal(SIGKILL)
                #expect(process.wait(deadlineMs: 5000) == .signaled(SIGKILL))
                try await continueFromCursor(
                    system,
                    client: client,
                    members: members,
                    arguments: arguments,
                    after: log.count
                )
            }
        }

        /// Runs the client a second time, which continues after the last event of the first run.
        private func continueFromCursor(
            _ system: TestSystem,
            client: PythonClient,
            members: [String],
            arguments: [String],
            after count: Int
        ) async throws {
            try UsageFeed(system, agent: "agent-2", members: members, count: 20).finish()
            let log = try await system.events(.usage, of: .activity)
            let output = system.scratch.file("follow2.out")
            let more = ["--count", String(log.count - count)]
            let process = try client.start("follow.py", arguments + more, output: output)
            defer { process.signalGroup(SIGKILL) }
            #expect(process.wait(deadlineMs: 30_000) == .exited(0))
            try expectLines(ScratchDirectory.text(output), Array(log[count...]))
        }

        private struct Line: WireBody, Codable {
            struct Header: Codable {
                var id: String
            }

            var header: Header
        }

        private func expectLines(_ text: String, _ events: [WireEvent]) throws {
            let ids = try text.split(separator: "\n").map { try Line.decodedBody(Array($0.utf8)).header.id }
            #expect(ids == events.map(\.header.id))
        }
    }
}

/// Runs the clients in scripts/clients, as a person does.
struct PythonClient {
    private static let python = "/usr/bin/python3"
    private let scratch: ScratchDirectory
    private let run: String

    init(_ system: TestSystem) {
        scratch = system.scratch
        run = system.directories.run
    }

    /// True if Debian's python3-zmq is installed.
    static let isAvailable: Bool = {
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        let plan = SpawnPlan(
            executable: python,
            arguments: ["-c", "import zmq"],
            standardOutput: null,
            standardError: null
        )
        defer { close(null) }
        return (try? SpawnedProcess(plan))?.wait(deadlineMs: 20_000) == .exited(0)
    }()

    /// Starts a client whose output goes to a file.
    func start(_ script: String, _ arguments: [String], output: String) throws -> SpawnedProcess {
        let number = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        let file = OwnedDescriptor(number)
        return try SpawnedProcess(
            SpawnPlan(
                executable: Self.python,
                arguments: ["-B", BuiltTree.source("scripts/clients/\(script)")] + arguments,
                environment: ServicePrograms.environment.merging(["SCREENTIME_RUN": run]) { $1 },
                standardOutput: file.number,
                standardError: file.number
            )
        )
    }

    /// Runs request.py to its end.
    func request(_ arguments: String...) throws -> (exit: STPlatform.ExitStatus?, output: String) {
        let output = scratch.file("request.out")
        let process = try start("request.py", arguments, output: output)
        defer { process.signalGroup(SIGKILL) }
        return (process.wait(deadlineMs: 30_000), ScratchDirectory.text(output))
    }
}
