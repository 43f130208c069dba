import Glibc
package import STContracts
package import STPlatform
package import STSupervision
package import STTestSupport
package import STZeroMQ
import Synchronization

/// Real services under the real supervisor, in a scratch directory.
package final class TestSystem: Sendable {
    package let services: [ServiceName]
    package let scratch: ScratchDirectory
    package let directories: Directories
    package let supervisor: Supervisor
    package let client: BusClient
    private let loop: BusLoop
    private let cleanups = Mutex<[@Sendable () -> Void]>([])

    private init(_ services: [ServiceName], _ options: TestSystemOptions) throws {
        self.services = services
        scratch = try ScratchDirectory()
        let directories = scratch.directories
        self.directories = directories
        let environment = ServicePrograms.environment.merging(options.environment) { _, new in new }
        // Where a test has not built the command, nothing tidies up.
        let thaw = (try? BuiltTree.program("screentime")).map {
            AfterEnd(executable: $0, arguments: ["thaw"])
        }
        let specs = try services.map { service in
            ServiceSpec(
                name: service.rawValue,
                executable: try ServicePrograms.path(service),
                environment: environment,
                afterEnd: service == .desktop ? thaw : nil
            )
        }
        supervisor = try Supervisor(
            directories: directories,
            specs: specs,
            options: SupervisorOptions(
                times: options.times,
                restartsAfterFailure: options.restartsAfterFailure,
                isDemo: true
            )
        )
        loop = try BusLoop(name: "test-bus")
        client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
    }

    /// Runs the closure with the services ready, and stops and removes all of it afterwards, come what may.
    package static func run<T>(
        services: [ServiceName],
        options: TestSystemOptions = TestSystemOptions(),
        isolation: isolated (any Actor)? = #isolation,
        _ body: (TestSystem) async throws -> T
    ) async throws -> T {
        let system = try TestSystem(services, options)
        RunningSystems.add(system)
        do {
            try system.supervisor.start()
            try system.supervisor.waitUntilReady(deadlineMs: options.readyWithinMs)
            let result = try await body(system)
            await system.end()
            return result
        } catch {
            print("\(error)\n\(system.story())")
            await system.end()
            throw error
        }
    }

    /// Runs at the end, the last added first, before the services stop.
    package func atEnd(_ action: @escaping @Sendable () -> Void) { cleanups.withLock { $0.append(action) } }

    private func end() async {
        for action in cleanups.withLock({ $0.reversed() }) { action() }
        await client.close()
        loop.stop()
        do {
            try supervisor.stop()
        } catch {
            print("\(error)\n\(story())")
        }
        RunningSystems.remove(self)
        scratch.remove()
    }

    // MARK: - Places

    package func endpoint(_ service: ServiceName, _ kind: Endpoint = .rpc) throws -> String {
        try directories.endpoint(service: service.rawValue, kind)
    }

    package func database(_ service: ServiceName) -> String {
        directories.database(service: service.rawValue)
    }

    // MARK: - Trouble

    package func pid(_ service: ServiceName) throws -> Int32 {
        guard let pid = supervisor.pid(service.rawValue) else { throw NotYet("\(service) has no process") }
        return pid
    }

    /// Ends it as a power cut would; the supervisor starts it again.
    ///
    /// Returns once the supervisor knows: until then it would still call the service ready.
    package func kill(_ service: ServiceName) throws {
        let name = service.rawValue
        let before = supervisor.pid(name)
        try supervisor.kill(name, SIGKILL)
        let isNoticed = try supervisor.waitUntil(deadlineMs: 20_000) {
            $0.contains { $0.name == name && $0.pid != before }
        }
        guard isNoticed else { throw NotYet("\(service) did not end") }
    }

    package func pause(_ service: ServiceName) throws { try supervisor.signal(service.rawValue, SIGSTOP) }

    package func resume(_ service: ServiceName) throws { try supervisor.signal(service.rawValue, SIGCONT) }

    package func restart(_ service: ServiceName) throws { try supervisor.restart(service.rawValue) }

    /// Stops one service and waits for its end.
    package func stop(_ service: ServiceName) throws -> ExitStatus {
        try supervisor.stop(service.rawValue)
        let name = service.rawValue
        guard
            try supervisor.waitUntil(
                deadlineMs: 20_000,
                { $0.contains { $0.name == name && $0.state == .stopped } }
            ),
            let exit = supervisor.status(name)?.lastExit
        else { throw NotYet("\(service) did not stop") }
        return exit
    }

    package func start(_ service: ServiceName) throws { try supervisor.start(service.rawValue) }

    /// Waits until every service is ready, whatever happened to it before.
    package func waitUntilReady(withinMs: Int64 = 30_000) throws {
        let isReady = try supervisor.waitUntil(deadlineMs: withinMs) { $0.allSatisfy(\.state.isReady) }
        guard isReady else { throw NotYet("not all are ready: \(supervisor.status())") }
    }

    // MARK: - Telling

    /// Where each service is, and the last lines it wrote.
    package func story(lines: Int = 25) -> String {
        var text = ""
        for status in supervisor.status() {
            text += "--- \(status.name) is \(status.state.name), restarts \(status.restarts)"
            text += status.lastExit.map { ", \($0)" } ?? ""
            text += status.failure.map { ", \($0)" } ?? ""
            text += "\n"
            for line in log(status.name).suffix(lines) { text += "    \(line)\n" }
        }
        return text
    }

    /// All that a service wrote.
    package func log(_ service: String) -> [Substring] {
        ScratchDirectory.text(directories.log(service: service)).split(separator: "\n")
    }
}
