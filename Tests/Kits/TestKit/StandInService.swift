package import STContracts
package import STEngine
package import STPlatform
import STServiceKit
import STStore
import STZeroMQ

/// A service in the test's own process, at the endpoint where other services expect it, with replies chosen by the test.
package final class StandInService<State: Sendable>: Sendable {
    private let host: ServiceHost<State>
    private let loop: BusLoop
    private let client: BusClient
    private let name: ServiceName

    package init(_ definition: ServiceDefinition<State>, _ directories: Directories) async throws {
        self.name = definition.name
        let name = definition.name.rawValue
        for folder in [directories.run, directories.state] { try Directories.prepare("\(folder)/\(name)") }
        loop = try BusLoop(name: "stand-in")
        client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
        let time = SystemTimeSource()
        let source = "/test/\(name)"
        host = ServiceHost(
            definition,
            ServiceEnvironment(
                directories: directories,
                configuration: Configuration(),
                log: Log(service: name, level: .error, sink: StandardErrorSink()),
                time: time,
                pulse: VirtualTimeHold(),
                loop: loop,
                source: source
            )
        )
        let database = try Database(
            path: directories.database(service: name),
            options: DatabaseOptions(synchronous: .off, applicationID: 0x5354_5376)
        )
        let store = try StoreEngine(definition, database: database, source: source, time: time)
        try await host.start(store: store, handover: .init())
    }

    /// Calls one of its routes over its socket.
    package func ask<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply {
        try await client.call(
            route,
            to: name,
            request,
            options: CallOptions(timeoutMs: BusLimits.timeoutMsMax)
        )
    }

    /// Sets the reply of its companion.
    package func answer<R: Route>(
        _ route: R.Type,
        with answer: @escaping @Sendable (R.Request) async throws -> R.Reply
    ) async {
        await host.setWorkerHandler(route) { request, _ in try await answer(request) }
    }

    package func stop() async throws {
        await client.close()
        try await host.stop()
        loop.stop()
    }
}
