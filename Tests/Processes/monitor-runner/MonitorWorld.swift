import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

/// monitor-runner and shield-service as real processes, with an activity-center and an auth-service whose replies a test chooses.
struct MonitorWorld: Sendable {
    static let member = "child"

    let system: TestSystem
    let activity: StandInService<StandInState>
    let auth: StandInService<StandInState>

    static func run(
        environment: [String: String] = [:],
        _ body: @Sendable (MonitorWorld) async throws -> Void
    ) async throws {
        let options = TestSystemOptions(environment: environment)
        try await TestSystem.run(services: [.monitor, .shield], options: options) { system in
            let world = MonitorWorld(
                system: system,
                activity: try await StandInService(MonitorStandIns.activity, system.directories),
                auth: try await StandInService(MonitorStandIns.auth, system.directories)
            )
            do {
                try await body(world)
            } catch {
                try await world.stop()
                throw error
            }
            try await world.stop()
        }
    }

    private func stop() async throws {
        try await activity.stop()
        try await auth.stop()
    }

    // MARK: - What happens

    /// Returns a copy of the test extension. Its name determines its behaviour at the start.
    func program(_ how: String = "well") throws -> String {
        let path = system.scratch.file("monitor.\(how)")
        if access(path, F_OK) != 0 {
            let program = try BuiltTree.program("screentime-test-extension")
            guard link(program, path) == 0 || symlink(program, path) == 0 else {
                throw SystemError.last("link")
            }
        }
        return path
    }

    func allow(
        _ app: String,
        _ executable: String?,
        status: AuthorizationStatus = .approved,
        isLate: Bool = false
    ) async throws {
        _ = try await auth.ask(
            TestAllow.self,
            .init(app: app, member: Self.member, executable: executable, status: status, isLate: isLate)
        )
    }

    /// Publishes occurrences. The name of an activity determines the extension's behaviour in the callback.
    func happen(_ activities: [(app: String, activity: String)]) async throws {
        let occurrences = activities.map { app, activity in
            ActivityOccurrence(
                app: app,
                member: Self.member,
                activity: activity,
                occasion: .intervalStarted,
                dueWallMs: SystemTimeSource().now().wallMs,
                interval: IntervalSpan(startWallMs: 0, endWallMs: 1, zone: "UTC"),
                evidence: ActivityEvidence(rule: Message(verbatim: "a test"), parts: [], more: 0)
            )
        }
        _ = try await activity.ask(TestHappen.self, .init(occurrences: occurrences))
    }

    // MARK: - What came of it

    func deliveries(app: String? = nil) async throws -> [DeliveryView] {
        var all: [DeliveryView] = []
        var next: String?
        repeat {
            let page = try await system.client.call(MonitorDeliveries.self, .init(app: app, next: next))
            all += page.deliveries
            next = page.next
        } while next != nil
        return all.reversed()
    }

    /// Returns the deliveries once `count` are over, done or parked.
    func finished(_ count: Int, app: String? = nil, within limit: Duration = .seconds(60)) async throws
        -> [DeliveryView]
    {
        try await eventually(within: limit, "\(count) deliveries are over") {
            let all = try await deliveries(app: app)
            let over = all.filter { $0.state == .done || $0.state == .parked }
            guard over.count >= count else {
                throw NotYet(
                    "\(all.map { "\($0.delivery) \($0.app) \($0.activity) \($0.state) \($0.attempt)" })"
                )
            }
            return all
        }
    }

    func log(_ app: String) async throws -> [AppLogLine] {
        var lines: [AppLogLine] = []
        var next: String?
        while true {
            let page = try await system.client.call(MonitorLog.self, .init(app: app, next: next))
            lines += page.lines
            next = page.next
            if !page.more { return lines }
        }
    }

    /// The content of the extensions' own file: id and attempt of every call.
    var notes: [[Substring]] {
        ScratchDirectory.text(system.directories.state + "/groups/notes").split(separator: "\n").map {
            $0.split(separator: " ")
        }
    }

    /// Returns the output of `screentime`.
    func command(_ line: [String]) throws -> String {
        let output = system.scratch.file("output-\(Identifier.make(wallMs: Stopwatch.bootMilliseconds()))")
        let number = open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        let file = OwnedDescriptor(number)
        let process = try system.command(line, output: file)
        let status = process.wait(deadlineMs: 30_000)
        let text = ScratchDirectory.text(output)
        guard status == .exited(0) else {
            process.signalGroup(SIGKILL)
            throw NotYet("\(line) \(String(describing: status)): \(text)")
        }
        return text
    }

    /// The prefix of the extensions' endpoints, as in their environment.
    var endpoints: String { "ipc://\(system.directories.run)/extensions/" }
}

/// Tests of real processes. They run one after the other, because each of them needs the whole machine.
@Suite("Processes of monitor-runner", .serialized)
enum MonitorSuite {}
