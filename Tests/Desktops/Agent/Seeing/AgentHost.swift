import STContracts
import STDesktopCore
import STEngine
import STPlatform
import STServiceKit
import STStore
import STZeroMQ
import Synchronization

@testable import desktop_agent

/// desktop-agent's service in the test's own process, connected as in its Main, except for the screen.
final class AgentHost: Sendable {
    let surroundings: ServiceEnvironment
    let client: BusClient
    let sender: ObservationSender
    private let host: ServiceHost<DesktopState>
    private let isStopped = Mutex(false)

    init(
        _ directories: Directories,
        environment: [String: String],
        _ definition: ServiceDefinition<DesktopState>
    ) async throws {
        let name = ServiceName.desktop.rawValue
        for folder in [
            directories.run, "\(directories.run)/\(name)", directories.state, "\(directories.state)/\(name)",
        ] {
            try Directories.prepare(folder)
        }
        let surroundings = ServiceEnvironment(
            directories: directories,
            configuration: try Configuration.load(path: directories.config, environment: environment),
            log: Log(service: name, level: .error, sink: StandardErrorSink()),
            time: SystemTimeSource(),
            pulse: VirtualTimeHold(),
            loop: try BusLoop(name: "agent-in-test"),
            source: "/test/\(name)"
        )
        let host = ServiceHost(definition, surroundings)
        let store = try StoreEngine(
            definition,
            database: try Database(
                path: directories.database(service: name),
                options: DatabaseOptions(applicationID: 0x5354_5376)
            ),
            source: surroundings.source,
            time: surroundings.time
        )
        try await host.start(store: store, handover: .init())
        let client = BusClient(loop: surroundings.loop) {
            try directories.endpoint(service: $0.rawValue, .rpc)
        }
        sender = try ObservationSender(host, surroundings: surroundings, client: client)
        self.surroundings = surroundings
        self.client = client
        self.host = host
    }

    /// Runs until the task is cancelled.
    func run(_ hub: DesktopHub) -> Task<Void, any Error> {
        Task(executorPreference: surroundings.loop.thread, priority: .medium) { [sender, client] in
            async let seeing: Void = hub.run()
            await sender.run()
            await seeing
            await client.close()
        }
    }

    /// Stops the work, after `first`. May be called again.
    func stop(_ work: Task<Void, any Error>, first: () async -> Void = {}) async throws {
        let isFirst = isStopped.withLock { stopped in
            defer { stopped = true }
            return !stopped
        }
        guard isFirst else { return }
        await first()
        work.cancel()
        _ = await work.result
        try await host.stop()
        surroundings.loop.stop()
    }
}
