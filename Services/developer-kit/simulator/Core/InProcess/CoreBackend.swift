import STActivityCore
import STAuthCore
import STBus
import STContracts
import STCrypto
import STEngine
import STMonitorCore
import STNotifierCore
import STPlatform
import STShieldCore

/// Runs the cores of the services in this process without sockets. It simulates a year in seconds.
///
/// Callbacks of built-in rules are made as usual. Extensions of apps do not run, and their callbacks count as made.
actor CoreBackend: SimulationBackend {
    private static let owner = "owner"
    /// The streams whose events `news` returns.
    private static let reported: Set<StreamName> = [.activity, .delivery, .notification, .policy]
    /// The maximum number of rounds at one instant, which exceeds the rounds that services need to wake each other.
    private static let roundsMax = 100_000

    /// The services with their types, for steps that have no route.
    struct Cores {
        let auth: CoreService<AuthState>
        let activity: CoreService<ActivityState>
        let monitor: CoreService<MonitorState>
        let shield: CoreService<ShieldState>
        let notifier: CoreService<NotifierState>

        var all: [any CoreServing] { [auth, activity, monitor, shield, notifier] }
    }

    private let scratch: ScratchFolder
    /// The folder of the databases. The databases are kept if it is not the scratch folder.
    private let folder: String
    /// The simulated clock of the services.
    private let clock = SimulatedTimeSource(wallMs: 0, bootMs: 0, bootID: DeviceTime.bootID)
    private var trueTime: TrustedTimeSource?
    var time: any TimeSource { trueTime ?? clock }
    private var running: Cores?
    private var services: [any CoreServing] = []
    private var unreadEvents: [StreamName: [WireEvent]] = [:]
    /// The position of the last event of each stream.
    private var places: [StreamName: StreamPoint] = [:]
    private var requestCount = 0
    private var limits = ActivityLimits()
    /// True if monitor-runner has received a request or an event since the last check for callbacks.
    var needsDeliveryCheck = true
    /// The end of the next pause that delays a notice of a rule.
    var noticesWallMs: Int64?
    /// The time of the next notification. `nil` after each request to notifier, because that may change it.
    private var notifications: Deadlines?
    /// True if the clock or the zone was set since activity-center's last step.
    private var wasClockSet = false

    init(asPhone: Bool = false, folder: String? = nil) throws {
        if asPhone {
            limits.mode = .firstUse
            limits.countsShielded = true
        }
        scratch = try ScratchFolder(inMemory: true)
        self.folder = folder ?? scratch.path
    }

    func start(_ face: ClockState) throws {
        clock.apply(face)
        trueTime = TrustedTimeSource(clock, keeping: "\(folder)/clock")
        let cores = Cores(
            auth: try CoreService(
                AuthService.definition(owner: Self.owner, deviceName: "simulation", cost: .least),
                folder: folder,
                time: time
            ),
            activity: try CoreService(
                ActivityService.definition(limits: limits),
                folder: folder,
                time: time
            ),
            monitor: try CoreService(MonitorService.definition(), folder: folder, time: time),
            shield: try CoreService(ShieldService.definition(), folder: folder, time: time),
            notifier: try CoreService(
                NotifierService.definition(desktop: false),
                folder: folder,
                time: time
            )
        )
        running = cores
        services = cores.all
        for service in services { try publishStartEvents(of: service) }
        try step("rule.started", of: cores.activity) { try RuleSteps.started(&$0, context: $1, change: $2) }
    }

    /// Publishes the events that a service added to its streams when it started.
    private func publishStartEvents(of service: any CoreServing) throws {
        for stream in service.streams {
            let place = places[stream]
            let request = EventsSince.Request(
                stream: stream.rawValue,
                epoch: place?.epoch,
                sequence: place?.sequence,
                id: place?.id
            )
            let (body, _) = try service.answer(self.request(EventsSince.name, try request.encodedBody()))
            try publish(try EventPage.decodedBody(body).events, of: service.name)
        }
    }

    func stop() {
        for service in services { service.close() }
        services = []
        running = nil
        scratch.remove()
    }

    // MARK: - Requests

    func call<R: Route>(_ route: R.Type, _ request: R.Request) throws -> R.Reply {
        try send(R.self, request)
    }

    func send<R: Route>(_ route: R.Type, _ request: R.Request, key: String? = nil, cause: String? = nil)
        throws
        -> R.Reply
    {
        // A reply must be encoded if a request with the same key can return it again.
        let direct = key == nil ? DirectCall(request) : nil
        let body = try send(
            R.name,
            direct == nil ? try request.encodedBody() : [],
            key: key,
            cause: cause,
            direct: direct
        )
        return try direct?.takeReply(R.Reply.self) ?? R.Reply.decodedBody(body)
    }

    func send(
        _ route: String,
        _ body: [UInt8],
        key: String? = nil,
        cause: String? = nil,
        direct: DirectCall? = nil
    ) throws -> [UInt8] {
        guard let service = service(of: route) else {
            throw Problem(
                "route.not_found",
                "No service answers \(route, "route") in a simulation within one process."
            )
        }
        var request = self.request(route, body, key: key, cause: cause)
        request.direct = direct
        while let question = try service.prepare(&request) {
            // No extensions run, so use a fixed reply instead of the companion's.
            request.prepared[question.route] =
                question.source == .worker
                ? try Self.withoutExtensions(question.route) : try send(question.route, question.body)
        }
        if service.name == .monitor { needsDeliveryCheck = true }
        if service.name == .notifier { notifications = nil }
        let (reply, events) = try service.answer(request)
        try publish(events, of: service.name)
        return reply
    }

    /// Returns a reply in place of an extension. Without a reply, the press of a button would be repeated.
    private static func withoutExtensions(_ route: String) throws -> [UInt8] {
        route == PressCall.name ? try PressCall.Reply().encodedBody() : []
    }

    func cores() throws -> Cores {
        guard let running else {
            throw Problem("internal", "The simulation has not started. Please report this.")
        }
        return running
    }

    /// Performs a service's own step and publishes the resulting events.
    func step<State, Value: Sendable>(
        _ name: String,
        of service: CoreService<State>,
        _ work: @escaping InternalStep<State>.Change<Value>
    ) throws -> Value {
        let (value, events) = try service.step(request(name, []), work)
        try publish(events, of: service.name)
        return value
    }

    func read<State, Value>(
        _ name: String,
        of service: CoreService<State>,
        _ work: InternalStep<State>.ReadWork<Value>
    ) throws -> Value {
        try service.read(request(name, []), work)
    }

    private func request(_ route: String, _ body: [UInt8], key: String? = nil, cause: String? = nil)
        -> AdmittedRequest
    {
        requestCount += 1
        return AdmittedRequest(
            header: RequestHeader(id: "ask-\(requestCount)", route: route, idempotencyKey: key, cause: cause),
            body: body,
            principal: Principal(uid: 0, pid: 0),
            envelope: [],
            deadlineBootMs: .max,
            receivedNs: 0,
            trace: .empty
        )
    }

    private func service(of route: String) -> (any CoreServing)? {
        let name = Catalogue.owner(ofRoute: route) ?? Self.owner(ofStep: route)
        return services.first { $0.name == name }
    }

    /// Returns the service of an own step. The catalogue contains only routes.
    private static func owner(ofStep route: String) -> ServiceName? {
        switch route.prefix(while: { $0 != "." }) {
        case "shield": .shield
        default: nil
        }
    }

    /// Applies events to the services that follow them, and then the resulting events, in order.
    private func publish(_ events: [WireEvent], of source: ServiceName) throws {
        var waiting = [(source, events)][...]
        while let (source, events) = waiting.popFirst() {
            guard let stream = events.first?.header.stream else { continue }
            guard events.allSatisfy({ $0.header.stream == stream }) else {
                // Apply one stream after the other, as over sockets.
                let streams = Dictionary(grouping: events, by: \.header.stream)
                for part in streams.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                    waiting.append((source, part.value))
                }
                continue
            }
            if Self.reported.contains(stream) { unreadEvents[stream, default: []] += events }
            places[stream] = events.last.map {
                StreamPoint(
                    stream: stream.rawValue,
                    epoch: $0.header.epoch,
                    sequence: $0.header.sequence,
                    id: $0.header.id
                )
            }
            for service in services {
                for (index, followed) in service.followed.enumerated()
                where followed.source == source && followed.stream == stream {
                    if service.name == .monitor { needsDeliveryCheck = true }
                    waiting.append((service.name, try service.apply(events, index)))
                }
            }
        }
    }

    // MARK: - Time

    func setClock(_ face: ClockState) {
        let before = clock.now()
        let offset = face.reading.wallMs - face.reading.bootMs
        wasClockSet = wasClockSet || offset != before.wallMs - before.bootMs || face.zone != time.zone()
        clock.apply(face)
    }

    func waitUntilIdle() throws {
        let wasSet = wasClockSet
        for round in 0..<Self.roundsMax {
            let schedules = try runDueSchedules()
            let callbacks = try runDueDeliveries()
            let notices = try postNotices()
            let requests = try runDueRequests()
            let notifications = try runDueNotifications(isSet: wasSet && round == 0)
            if !schedules, !callbacks, !notices, !requests, !notifications { return }
        }
        throw Problem(
            "simulation.no_progress",
            """
            The simulation is stuck at \(RFC3339.text(wallMs: time.now().wallMs), "wall"): the services keep \
            waking each other.
            """,
            key: "simulation.no_progress.at-the-services"
        )
    }

    /// Runs the due work of activity-center. Returns true if there was any.
    private func runDueSchedules() throws -> Bool {
        let activity = try cores().activity
        let aside = Duration.milliseconds(time.clockOffsetMs)
        if activity.state.history.needsClockLine(aside: aside) {
            try step("history.clock", of: activity) { try HistorySteps.clock(aside: aside, &$0, $2) }
        }
        let isDue = activity.state.nextDue(bootID: time.bootID).moments.isDue(at: time.now())
        guard isDue || wasClockSet else { return false }
        wasClockSet = false
        _ = try step("activity.tick", of: activity) { try ActivityRules.tick(&$0, context: $1, change: $2) }
        return true
    }

    /// Runs the due work of notifier. Returns true if there was any.
    private func runDueNotifications(isSet: Bool) throws -> Bool {
        let due = try notificationsDue()
        guard isSet || due.isDue(at: time.now()) else { return false }
        try step("notify.tick", of: try cores().notifier) {
            try NotifySteps.tick(&$0, context: $1, change: $2)
        }
        return true
    }

    private func notificationsDue() throws -> Deadlines {
        if let known = notifications { return known }
        let due = try read("notify.next", of: try cores().notifier) { try NotifySteps.next($1, $2) }.due
        let moments = Deadlines(wallMs: due.wall?.ms, bootMs: due.boot?.ms)
        notifications = moments
        return moments
    }

    var nextDue: Deadlines {
        get {
            let schedule = running?.activity.state.nextDue(bootID: time.bootID).moments ?? Deadlines()
            let requests = (try? requestsDue()) ?? Deadlines()
            let notifications = (try? notificationsDue()) ?? Deadlines()
            return schedule.merged(with: Deadlines(wallMs: noticesWallMs))
                .merged(with: requests)
                .merged(with: notifications)
        }
    }

    func events(of stream: StreamName) -> [WireEvent] {
        defer { unreadEvents[stream] = [] }
        return unreadEvents[stream] ?? []
    }

    // MARK: - Operations that require processes

    func kill(_ program: String) throws {
        guard let service = services.first(where: { $0.name.rawValue == program }) else { return }
        try service.restart()
        try publishStartEvents(of: service)
        if service.name == .monitor { needsDeliveryCheck = true }
    }

    func run(_ words: [String], member: String?) throws -> [String] { throw Self.needsProcesses }

    var programs: String? { nil }
    var state: String? { nil }

    func simulatedApp() throws -> AppInstall.Request {
        let folder = "\(scratch.path)/programs"
        try Directories.prepare(folder)
        // The program is never started, but the file must exist.
        try AtomicFile.write([], to: "\(folder)/monitor", mode: 0o700, durable: false)
        return AppInstall.Request(
            bundle: try scratch.writeSimulatedApp(executable: "monitor"),
            programs: folder
        )
    }

    static let needsProcesses = Problem(
        "simulation.needs_processes",
        "Your own apps run as separate processes. Omit --in-process.",
        key: "simulation.needs_processes.your-own-apps"
    )

    // MARK: - Requests for more time

    /// Begins and ends the grants that are due. Returns true if there were any.
    func runDueRequests() throws -> Bool {
        guard try requestsDue().isDue(at: time.now()) else { return false }
        try step("request.advance", of: try cores().shield) {
            try RequestHandlers.advance(&$0, context: $1, change: $2)
        }
        return true
    }

    /// Returns the time at which the next grant begins or ends.
    func requestsDue() throws -> Deadlines {
        let shield = try cores().shield
        return RequestHandlers.due(shield.state, shield.context(named: "request.due"))
    }
}
