import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

extension SystemSuite {
    @Suite("A service that many come to and leave")
    struct ManyConnectionsTests {
        /// More than libzmq keeps for whoever listens to connections, two messages for each.
        private let connections = 7_000

        @Test("still answers when nobody asked for its health meanwhile")
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
