import Glibc
import STContracts
import STPlatform
import STTestSupport
import STZeroMQ
import Testing

@Suite("Sockets held by another process, as by systemd")
struct SocketHandoverTests {
    @Test("Requests to a killed service wait in its held sockets and are answered after its restart")
    func handover() async throws {
        let scratch = try ScratchDirectory()
        let sockets = try HeldSockets(scratch)
        let loop = try BusLoop()
        let client = BusClient(loop: loop) { _ in sockets.rpcPath }
        var before: Set<UInt64> = [sockets.inode(sockets.rpcPath), sockets.inode(sockets.eventsPath)]

        // Called before it ever ran: the backlog holds the connection.
        async let first = ping(client)
        var service = try sockets.start()
        #expect(try await first.pid == Int64(service.process.pid))

        for _ in 0..<3 {
            service.process.signal(SIGKILL)
            #expect(service.wait() == .signaled(SIGKILL))
            let waiting = (0..<20).map { _ in Task { try await ping(client) } }
            service = try sockets.start()
            for task in waiting {
                #expect(try await task.value.pid == Int64(service.process.pid))
            }
            before.formUnion([sockets.inode(sockets.rpcPath), sockets.inode(sockets.eventsPath)])
        }

        service.process.signal(SIGTERM)
        #expect(service.wait() == .exited(0), "\(service.output)")
        before.formUnion([sockets.inode(sockets.rpcPath), sockets.inode(sockets.eventsPath)])
        // The sockets are never bound again, and stay after the service has ended.
        #expect(before.count == 2 && !before.contains(0))
        await client.close()
        loop.stop()
    }

    @Test("A held socket with an unknown name is refused, and the message lists the valid names")
    func unknownName() throws {
        let scratch = try ScratchDirectory()
        let service = try HeldSockets(scratch).start(names: "rpc:evnts")

        #expect(service.wait() == .exited(70))
        #expect(service.output.contains("FileDescriptorName= must be rpc or events"))
    }

    private func ping(_ client: BusClient) async throws -> HealthPing.Reply {
        try await client.call(
            HealthPing.self,
            to: .notifier,
            Empty(),
            options: CallOptions(timeoutMs: 20_000)
        )
    }
}
