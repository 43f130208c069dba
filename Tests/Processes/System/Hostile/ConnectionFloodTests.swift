import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("Floods of connections")
    struct ConnectionFloodTests {
        /// The number of connections to each socket.
        private let connections = TestScale.count(3_000, soak: 20_000)

        /// Connects, sends ZeroMQ's greeting on every second connection, prints the number of open connections, and holds them.
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

        @Test("A flood of connections to every socket does not block other programs")
        func flood() async throws {
            let services = ServiceName.all + ServiceName.ofHousehold
            try await TestSystem.run(services: services) { system in
                try system.scratch.write(Self.script, to: "flood.py")
                let pids = try services.map { try system.pid($0) }
                for service in services {
                    for kind in [Endpoint.rpc, .events] {
                        let path = try system.endpoint(service, kind)
                        let before = try RawConnection.p50Us { try RawConnection(path) }
                        try await open(path, name: "\(service)-\(kind)", system: system)
                        let during = try RawConnection.p50Us { try RawConnection(path) }
                        print("\(service) \(kind): p50 \(before) µs before, \(during) µs with \(connections)")
                        #expect(during < (TestScale.isSoak ? 10_000 : 2_000_000))
                    }
                }
                for service in services {
                    let report = try await system.client.call(HealthReport.self, to: service, Empty())
                    let surplus = report.counters["surplus_connections"] ?? 0
                    #expect(surplus >= Int64(connections), "\(service): \(surplus)")
                }
                #expect(try services.map { try system.pid($0) } == pids)
            }
        }

        /// Starts two programs that each open half of the connections, and keep them open until the end of the test.
        ///
        /// One program is not enough, because a system may limit a process to 20,000 descriptors.
        private func open(_ path: String, name: String, system: TestSystem) async throws {
            let half = connections / 2
            for number in 1...2 {
                let output = system.scratch.file("\(name)-\(number)")
                let file = OwnedDescriptor(Glibc.open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
                let words = ["/usr/bin/python3", system.scratch.file("flood.py"), path, "\(half)"]
                let flood = try SpawnedProcess(
                    SpawnPlan(
                        executable: "/usr/bin/prlimit",
                        arguments: ["--nofile=\(half + 100)", "--"] + words,
                        standardOutput: file.number,
                        standardError: file.number
                    )
                )
                system.atEnd { flood.signalGroup(SIGKILL) }
                try await eventually("half of the connections to \(name) are opened") {
                    let text = ScratchDirectory.text(output)
                    guard text.contains("opened \(half)") else { throw NotYet(text) }
                }
            }
        }
    }
}
