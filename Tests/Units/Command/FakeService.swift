import STBus
import STContracts
import STPlatform
import STZeroMQ

/// A service that answers what a test tells it to, over real sockets.
actor FakeService {
    private let loop: BusLoop
    private let name: ServiceName
    private var sockets: ServerSockets?
    private let answer: @Sendable (_ route: String, _ body: [UInt8]) throws -> [UInt8]
    private let onSubscription: [(topic: String, header: [UInt8], body: [UInt8])]

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    /// `publishing` goes out at each subscription.
    init(
        _ name: ServiceName,
        publishing: [(topic: String, header: [UInt8], body: [UInt8])] = [],
        answer: @escaping @Sendable (String) throws -> [UInt8] = { _ in Array("{}".utf8) }
    ) throws {
        try self.init(name, publishing: publishing, answeringBodies: { route, _ in try answer(route) })
    }

    /// For answers that depend on what was asked.
    init(
        _ name: ServiceName,
        publishing: [(topic: String, header: [UInt8], body: [UInt8])] = [],
        answeringBodies answer: @escaping @Sendable (_ route: String, _ body: [UInt8]) throws -> [UInt8]
    ) throws {
        self.name = name
        self.answer = answer
        onSubscription = publishing
        loop = try BusLoop()
    }

    func start(_ directories: Directories) throws {
        try Directories.prepare("\(directories.run)/\(name)")
        let made = try ServerSockets(
            loop,
            rpc: try directories.endpoint(service: name.rawValue, .rpc),
            events: try directories.endpoint(service: name.rawValue, .events)
        )
        made.onRequest = { peer, frames, _ in self.reply(peer, frames) }
        made.onSubscription = { _, _ in self.publish() }
        sockets = made
    }

    private func publish() {
        for event in onSubscription { sockets?.publish(event.topic, header: event.header, body: event.body) }
    }

    private func reply(_ peer: [UInt8], _ frames: [[UInt8]]) {
        guard let header = frames.first.flatMap({ try? RequestHeader.read($0) }), let id = header.id else {
            return
        }
        do {
            let body = try answer(header.route ?? "", frames.count > 1 ? frames[1] : [])
            sockets?.reply(to: peer, [ReplyHeader(id: id, ok: true).encoded(), body])
        } catch {
            let body = (try? (error as? Problem)?.encodedBody()) ?? []
            sockets?.reply(to: peer, [ReplyHeader(id: id, ok: false).encoded(), body])
        }
    }

    func closeSockets() {
        sockets?.close()
        sockets = nil
    }

    nonisolated func stop() async {
        await closeSockets()
        loop.stop()
    }
}
