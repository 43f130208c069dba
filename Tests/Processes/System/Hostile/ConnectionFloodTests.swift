import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("A program that opens connections without end")
    struct ConnectionFloodTests {
        private let connections = Soak.isOn ? 15_000 : 3_000

        /// Connects, greets as ZeroMQ does with every second connection, says how many it has opened, and holds them.
        private static let script = """
            import socket, struct, sys, time
            path, count = sys.argv[1], int(sys.argv[2])
            greeting = b"\\xff" + b"\\0" * 8 + b"\\x7f\\x03\\x00" + b"NULL"
            greeting += b"\\0" * (64 - len(greeting))
            ready = b"\\x05READY\\x0bSocket-Type" + struct.pack(">I", 6) + b"DEALER"
            hello = greeting + b"\\x04" + bytes([len(ready)]) + ready
            held = []
            for number in range(count):
                peer = socket.socket(socket.AF_UNIX)
                peer.connect(path)
                try:
                    if number % 2: peer.sendall(hello)
                except OSError: pass
                held.append(peer)
            print("opened", len(held), flush=True)
            time.sleep(600)
            """

        @Test("takes no place of others: the service lives, and answers them as fast as before")
        func flood() async throws {
            try await TestSystem.run(services: [.auth]) { system in
                let pid = try system.pid(.auth)
                let path = try system.endpoint(.auth)
                let other = try RawPeer(.dealer, path)
                defer { other.close() }
                let before = try p50Us(other)
                try system.scratch.write(Self.script, to: "flood.py")
                let output = system.scratch.file("flood")
                let number = open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
                guard number >= 0 else { throw SystemError.last("open") }
                let file = OwnedDescriptor(number)
                let flood = try SpawnedProcess(
                    SpawnPlan(
                        executable: "/usr/bin/prlimit",
                        arguments: [
                            "--nofile=20000:20000", "--", "/usr/bin/python3", system.scratch.file("flood.py"),
                            path, String(connections),
                        ],
                        standardOutput: file.number,
                        standardError: file.number
                    )
                )
                system.atEnd { flood.signalGroup(SIGKILL) }
                try await eventually("all are opened") {
                    let text = ScratchDirectory.text(output)
                    guard text.contains("opened \(connections)") else { throw NotYet(text) }
                }

                let during = try p50Us(other)
                // One more program gets in, too.
                let late = try RawPeer(.dealer, path)
                defer { late.close() }
                #expect(try late.ask(HealthPing.name).problem == nil)
                #expect(try system.pid(.auth) == pid)
                let report = try await system.client.call(HealthReport.self, to: .auth, Empty())
                let surplus = report.counters["surplus_connections"] ?? 0
                #expect(surplus >= Int64(connections) - 250, "\(surplus)")
                print(
                    "\(connections) connections: p50 \(before) µs before, \(during) µs with them; \(surplus) ended"
                )
                #expect(during < 100_000)
            }
        }

        private func p50Us(_ peer: RawPeer) throws -> Int64 {
            let times = try (0..<200).map { number in
                let start = Stopwatch.nanoseconds()
                _ = try peer.ask(HealthPing.name, id: "\(number)")
                return (Stopwatch.nanoseconds() - start) / 1_000
            }
            return times.sorted()[times.count / 2]
        }
    }
}
