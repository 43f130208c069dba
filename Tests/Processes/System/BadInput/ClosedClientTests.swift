import STContracts
import STTestSupport
import STZeroMQ
import Testing

@Suite("A closed client")
struct ClosedClientTests {
    @Test("A closed client rejects later requests, so that its loop can stop", .timeLimit(.minutes(1)))
    func closed() async throws {
        let loop = try BusLoop(name: "test")
        let client = BusClient(loop: loop) { _ in "ipc:///tmp/screentime-nobody" }
        await client.close()

        let code = await refusal { _ = try await client.call(HealthPing.self, to: .auth, Empty()) }

        #expect(code == "request.cancelled")
        // This returns only after every socket is closed.
        loop.stop()
    }
}
