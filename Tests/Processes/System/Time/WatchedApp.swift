import STContracts
import STDomain
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ

/// An app with a monitor extension, allowed by the owner, that monitors the usage of a game.
struct WatchedApp {
    static let app = "org.example.story"
    static let game = "org.example.game"
    /// The activity for which the test monitor prints each callback.
    private static let activity = "print"

    let system: TestSystem
    let owner: String
    private let request: ActivityStart.Request

    /// Installs the app and starts monitoring, with an event for each number of seconds.
    static func watch(_ system: TestSystem, seconds: ClosedRange<Int>) async throws -> WatchedApp {
        let program = try BuiltTree.program("screentime-sample-monitor")
        let folder = String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
        let manifest = AppBundle.manifest(id: app, monitor: "screentime-sample-monitor")
        let bundle = try AppBundle(in: system.scratch, id: app, executables: ["app"], manifest: manifest)
        let word = try await system.approve(app, bundle: bundle.path, programs: folder)
        let item = TokenItem(kind: .application, id: game)
        let token = try await system.client.call(TokenIssue.self, .init(app: app, items: [item])).tokens[0]
        let request = ActivityStart.Request(
            app: app,
            activity: activity,
            schedule: schedule(),
            events: seconds.map { second in
                ActivityEventSpec(
                    name: "e\(second)",
                    targets: [ActivityTarget(kind: .application, token: token)],
                    threshold: DateFields(second: second),
                    includesPastActivity: false
                )
            }
        )
        let watched = WatchedApp(system: system, owner: word.member, request: request)
        try await watched.start()
        return watched
    }

    /// Returns a schedule of 24 hours that began a minute ago, so that no interval begins or ends during the test.
    private static func schedule() -> Schedule {
        let minutes = Int(SystemTimeSource().now().wallMs / 60_000 - 1)
        let time = DateFields(hour: minutes / 60 % 24, minute: minutes % 60)
        return Schedule(start: time, end: time, repeats: true)
    }

    func start() async throws { _ = try await system.client.call(ActivityStart.self, request) }

    /// Plays the game for a minute from now on, for the desktop. Returns its start.
    func play() async throws -> Int64 {
        let lengthMs: Int64 = 60_000
        let reply = try await system.client.call(
            DesktopPlay.self,
            .init(member: owner, steps: [.init(app: Self.game, forMs: lengthMs)])
        )
        guard let endMs = RFC3339.wallMs(reply.endsAt) else { throw NotYet(reply.endsAt) }
        return endMs - lengthMs
    }

    /// Returns the whole output of the extension.
    func log() async throws -> [AppLogLine] {
        try await system.client.call(MonitorLog.self, .init(app: Self.app)).lines
    }

    static func line(_ second: Int) -> String { "e\(second) of \(activity) reached" }

    static let begun = "started \(activity)"

    /// Returns the line of a callback, once it was made.
    @discardableResult
    func reached(_ second: Int) async throws -> AppLogLine {
        try await eventually(within: .seconds(40), "the extension gets the event of \(second) s") {
            let lines = try await log()
            guard let line = lines.first(where: { $0.text == Self.line(second) }) else {
                throw NotYet("\(lines.map(\.text))")
            }
            return line
        }
    }

    func thresholds() async throws -> [(event: WireEvent, body: ActivityOccurrence)] {
        try await system.events(.activity, of: .activity).filter { $0.header.type == ThresholdReached.type }
            .map { ($0, try $0.decoded(ThresholdReached.self)) }
    }

    func deliveries() async throws -> [DeliveryView] {
        try await system.client.call(MonitorDeliveries.self, .init(app: Self.app)).deliveries.reversed()
    }
}
