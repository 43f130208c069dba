import STBus
import STContracts
import STZeroMQ

/// A host that only listens.
actor LoneHost {
    private let loop: BusLoop
    private var endpoint: PrivateEndpoint?
    private(set) var messages: [[[UInt8]]] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    init(_ loop: BusLoop) { self.loop = loop }

    func open(_ path: String) throws {
        let made = try PrivateEndpoint(loop, path: path, frameLimit: ExtensionProtocol.frames)
        made.onMessage = { _, frames, _ in self.messages.append(frames) }
        endpoint = made
    }

    func close() {
        endpoint?.close()
        endpoint = nil
    }
}
