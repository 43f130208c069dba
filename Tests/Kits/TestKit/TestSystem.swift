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
        // If a test has not built the command, nothing is thawed at the end.
        let thaw = (try? BuiltTree.program("screentime")).map {
            AfterEnd(executable: $0, arguments: ["thaw"])
        }
        let specs = try services.map { service in
            let words = options.launcher + [try ServicePrograms.path(service)]
            return ServiceSpec(
                name: service.rawValue,
                executable: words[0],
                arguments: Array(words.dropFirst()),
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
                isDemo: options.isDemo
            )
        )
        loop = try BusLoop(name: "test-bus")
        // Longer than the default, so that tests do not fail on a busy machine.
        client = BusClient(loop: loop, timeoutMs: 30_000) {
            try directories.endpoint(service: $0.rawValue, .rpc)
        }
    }

    /// Runs the closure with the services ready. Stops and removes all of it afterwards, also after an error.
    package static func run<T>(
        services: [ServiceName],
        options: TestSystemOptions = TestSystemOptions(),
        isolation: isolated (any Actor)? = #isolation,
        _ body: (TestSystem) async throws -> T
    ) async throws -> T {
        let system = try TestSystem(services, options)
        RunningSystems.add(system)
        do {
            try options.prepare(system.directories)
            for service in services where ServiceName.ofHousehold.contains(service) {
                try Directories.prepare(system.directories.state)
                let mark = system.directories.wantedFile(service: service.rawValue)
                try AtomicFile.write([], to: mark, durable: false)
            }
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

    /// Adds an action for the end. The last added runs first, before the services stop.
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

    /// Runs `screentime` with these services. Its output goes to a file.
    package func command(
        _ line: [String],
        output: OwnedDescriptor,
        environment: [String: String] = [:]
    ) throws -> SpawnedProcess {
        let places = [
            "SCREENTIME_RUN": directories.run, "SCREENTIME_STATE": directories.state,
            "SCREENTIME_CONFIG": directories.config,
        ]
        return try SpawnedProcess(
            SpawnPlan(
                executable: try BuiltTree.program("screentime"),
                arguments: line,
                environment: ServicePrograms.environment.merging(places) { $1 }.merging(environment) { $1 },
                standardOutput: output.number,
                standardError: output.number
            )
        )
    }

    // MARK: - Trouble

    package func pid(_ service: ServiceName) throws -> Int32 {
        guard let pid = supervisor.pid(service.rawValue) else { throw NotYet("\(service) has no process") }
        return pid
    }

    /// Kills a service, as a power cut does. The supervisor starts it again.
    ///
    /// Returns once the supervisor has noticed. Until then it would still report the service as ready.
    package func kill(_ service: ServiceName) throws {
        let name = service.rawValue
        let before = supervisor.pid(name)
        try supervisor.kill(name, SIGKILL)
        let isNoticed = try supervisor.waitUntil(deadlineMs: 20_000) {
            $0.contains { $0.name == name && $0.pid != before }
        }
        guard isNoticed else { throw NotYet("\(service) did not end") }
    }

    package func pause(_ service: ServiceName) throws { try ProcessState.stop(pid(service)) }

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

    /// Waits until every service is ready, also after restarts.
    package func waitUntilReady(withinMs: Int64 = 30_000) throws {
        let isReady = try supervisor.waitUntil(deadlineMs: withinMs) { $0.allSatisfy(\.state.isReady) }
        guard isReady else { throw NotYet("not all are ready: \(supervisor.status())") }
    }

    // MARK: - Telling

    /// Returns the state of each service, and its last lines of output.
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

    /// Returns the whole output of a service.
    package func log(_ service: String) -> [Substring] {
        ScratchDirectory.text(directories.log(service: service)).split(separator: "\n")
    }
}

/// Grants permission as a person does, for tests of later steps.
extension TestSystem {
    /// Installs an app with a monitor extension, unless a bundle is given, and approves it.
    ///
    /// Sets the passcode of the deciding person if there is none.
    @discardableResult
    package func approve(
        _ app: String,
        member: String? = nil,
        scope: AuthorizationScope = .individual,
        bundle: String? = nil,
        programs: String? = nil
    ) async throws -> Authorization {
        let folder = try bundle ?? AppBundle(in: scratch, id: app).path
        _ = try await client.call(AppInstall.self, .init(bundle: folder, programs: programs))
        let prover = try await prover(member, scope)
        let asked = try await client.call(AuthRequest.self, .init(app: app, member: member, scope: scope))
        guard let question = asked.question else { return asked.authorization }
        let reply = try await client.call(
            AuthAnswer.self,
            .init(request: question.request, allow: true, by: prover, passcode: passcode(of: prover))
        )
        if let refusal = reply.refusal { throw refusal }
        return reply.authorization
    }

    package func passcode(of member: String) -> String { "known to \(member) alone" }

    /// Returns the person who decides, and who has a passcode.
    private func prover(_ member: String?, _ scope: AuthorizationScope) async throws -> String {
        var name = member
        if scope == .child {
            name = "guardian"
            _ = try await client.call(MemberAdd.self, Member(name: "guardian", role: .guardian))
        }
        let shown = try await client.call(MemberShow.self, .init(member: name))
        if !shown.passcode.isSet {
            let request = MemberPasscode.Request(
                member: shown.member.name,
                passcode: passcode(of: shown.member.name)
            )
            let reply = try await client.call(MemberPasscode.self, request)
            if let refusal = reply.refusal { throw refusal }
        }
        return shown.member.name
    }
}

/// The differences of a system under test from a real one.
package struct TestSystemOptions: Sendable {
    package var environment: [String: String]
    package var restartsAfterFailure: Bool
    /// The times of the supervisor. They are short, so that a test can kill a service often.
    package var times: LifecycleTimes
    package var readyWithinMs: Int64
    /// True if the command marks its output as fictitious, and gives no advice for a real computer.
    package var isDemo = true
    /// Arguments before each service's program, which start it in another environment.
    package var launcher: [String] = []
    /// An action before the services start, such as copying databases.
    package var prepare: @Sendable (Directories) throws -> Void = { _ in }

    package init(
        environment: [String: String] = [:],
        restartsAfterFailure: Bool = true,
        times: LifecycleTimes = LifecycleTimes(
            start: .seconds(30),
            backOffMs: 20,
            backOffMsMax: 100
        ),
        readyWithinMs: Int64 = 60_000
    ) {
        self.environment = environment
        self.restartsAfterFailure = restartsAfterFailure
        self.times = times
        self.readyWithinMs = readyWithinMs
    }
}

/// The systems that run now, so that a failure can print their logs.
package enum RunningSystems {
    private static let systems = Mutex<[TestSystem]>([])

    static func add(_ system: TestSystem) { systems.withLock { $0.append(system) } }

    static func remove(_ system: TestSystem) { systems.withLock { $0.removeAll { $0 === system } } }

    package static func stories() -> String {
        systems.withLock { $0 }.map { $0.story() }.joined(separator: "\n")
    }
}

/// The executables of services, which SwiftPM puts next to the tests' executable.
package enum ServicePrograms {
    package static func path(_ service: ServiceName) throws -> String {
        try BuiltTree.program(service.rawValue)
    }

    /// The environment that a service needs, without the environment of the tests.
    ///
    /// The computer's programs and screen are hidden too, because a test must have the same result on every computer.
    package static let environment = [
        "PATH": "/usr/bin:/bin", "TZ": "UTC", "SCREENTIME_ACTIVITY_CENTER_DESKTOP_FOLDERS": "none",
        "SCREENTIME_DESKTOP_AGENT_ADAPTER": "none", "SCREENTIME_JOURNAL": "0",
    ]
}
