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

/// The cores of the services within this process, wired without sockets: a year passes in seconds.
///
/// Built-in rules hear of everything as always; the extension of an app is not started, and its callbacks count as made.
actor CoreBackend: SimulationBackend {
    private static let owner = "owner"
    /// Whose news anybody asks for.
    private static let told: Set<StreamName> = [.activity, .delivery, .notification, .policy]
    /// Rounds until nothing happens any more; far more than there are services that wake each other.
    private static let roundsMax = 100_000

    private let scratch: ScratchFolder
    let time: SimulatedTimeSource
    /// The services by their kinds, for the steps that they take by themselves.
    struct Cores {
        let auth: CoreService<AuthState>
        let activity: CoreService<ActivityState>
        let monitor: CoreService<MonitorState>
        let shield: CoreService<ShieldState>
        let notifier: CoreService<NotifierState>

        var all: [any CoreServing] { [auth, activity, monitor, shield, notifier] }
    }

    private var running: Cores?
    private var services: [any CoreServing] = []
    private var told: [StreamName: [WireEvent]] = [:]
    /// How far each stream has been told.
    private var places: [StreamName: StreamPoint] = [:]
    private var asked = 0
    private var limits = ActivityLimits()
    var monitor = CoreMonitorCourse()
    /// When the next notification is due, as long as notifier was not called.
    private var notifications: DueMoments?
    /// Whether the clock or the zone was set since the last look.
    private var isSet = false

    init(asPhone: Bool = false) throws {
        if asPhone {
            limits.mode = .firstUse
            limits.countsShielded = true
        }
        scratch = try ScratchFolder(inMemory: true)
        time = SimulatedTimeSource(wallMs: 0, bootMs: 0, bootID: DeviceTime.bootID)
    }

    func start(_ face: ClockFace) throws {
        time.show(face)
        let cores = Cores(
            auth: try CoreService(
                AuthService.definition(owner: Self.owner, deviceName: "simulation", cost: .least),
                folder: scratch.path,
                time: time
            ),
            activity: try CoreService(
                ActivityService.definition(limits: limits),
                folder: scratch.path,
                time: time
            ),
            monitor: try CoreService(MonitorService.definition(), folder: scratch.path, time: time),
            shield: try CoreService(ShieldService.definition(), folder: scratch.path, time: time),
            notifier: try CoreService(
                NotifierService.definition(desktop: false),
                folder: scratch.path,
                time: time
            )
        )
        running = cores
        services = cores.all
        for service in services { try tellNews(of: service) }
    }

    /// What a service told by itself at its start.
    private func tellNews(of service: any CoreServing) throws {
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
        try ask(R.self, request)
    }

    func ask<R: Route>(_ route: R.Type, _ request: R.Request, key: String? = nil, cause: String? = nil) throws
        -> R.Reply
    {
        try R.Reply.decodedBody(try ask(R.name, try request.encodedBody(), key: key, cause: cause))
    }

    func ask(_ route: String, _ body: [UInt8], key: String? = nil, cause: String? = nil) throws -> [UInt8] {
        guard let service = service(of: route) else {
            throw Problem("route.not_found", "No service within this process answers \(route).")
        }
        var request = self.request(route, body, key: key, cause: cause)
        while let question = try service.question(route, body, request.prepared) {
            // There are no extensions here, so what a companion would answer is done without.
            request.prepared[question.route] =
                question.source == .companion
                ? try Self.withoutExtensions(question.route) : try ask(question.route, question.body)
        }
        if service.name == .monitor { monitor.mustLook = true }
        if service.name == .notifier { notifications = nil }
        let (reply, events) = try service.answer(request)
        try publish(events, of: service.name)
        return reply
    }

    /// A press without an answer would be made again; here an answer never comes.
    private static func withoutExtensions(_ route: String) throws -> [UInt8] {
        route == PressAsk.name ? try PressAsk.Reply().encodedBody() : []
    }

    func cores() throws -> Cores {
        guard let running else {
            throw Problem("internal", "The simulation has not begun, please report this.")
        }
        return running
    }

    /// A step that a service takes by itself, and what that leads to.
    func step<State, Value: Sendable>(
        _ name: String,
        of service: CoreService<State>,
        _ work: @escaping OwnStep<State>.Change<Value>
    ) throws -> Value {
        let (value, events) = try service.step(request(name, []), work)
        try publish(events, of: service.name)
        return value
    }

    private func request(_ route: String, _ body: [UInt8], key: String? = nil, cause: String? = nil)
        -> AdmittedRequest
    {
        asked += 1
        return AdmittedRequest(
            header: RequestHeader(id: "ask-\(asked)", route: route, idempotencyKey: key, cause: cause),
            body: body,
            principal: Principal(uid: 0, pid: 0),
            envelope: [],
            deadlineBootMs: .max,
            receivedNs: 0,
            trace: .untold
        )
    }

    private func service(of route: String) -> (any CoreServing)? {
        let name = Catalogue.owner(ofRoute: route) ?? Self.owner(ofStep: route)
        return services.first { $0.name == name }
    }

    /// The steps that services take by themselves are in no catalogue.
    private static func owner(ofStep route: String) -> ServiceName? {
        switch route.prefix(while: { $0 != "." }) {
        case "shield": .shield
        default: nil
        }
    }

    /// To everybody who follows, and what that leads to, in the order in which it came.
    private func publish(_ events: [WireEvent], of source: ServiceName) throws {
        var waiting = [(source, events)][...]
        while let (source, events) = waiting.popFirst() {
            guard let stream = events.first?.header.stream else { continue }
            guard events.allSatisfy({ $0.header.stream == stream }) else {
                // One stream after the other, as a socket brings them.
                let streams = Dictionary(grouping: events, by: \.header.stream)
                for part in streams.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                    waiting.append((source, part.value))
                }
                continue
            }
            if Self.told.contains(stream) { told[stream, default: []] += events }
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
                    if service.name == .monitor { monitor.mustLook = true }
                    waiting.append((service.name, try service.apply(events, index)))
                }
            }
        }
    }

    // MARK: - Time

    func show(_ face: ClockFace) {
        let before = time.now()
        let offset = face.reading.wallMs - face.reading.bootMs
        isSet = isSet || offset != before.wallMs - before.bootMs || face.zone != time.zone()
        time.show(face)
    }

    func settle() throws {
        let wasSet = isSet
        for round in 0..<Self.roundsMax {
            let schedules = try turnSchedules()
            let monitor = try turnMonitor()
            let requests = try turnRequests()
            let notifications = try turnNotifications(isSet: wasSet && round == 0)
            if !schedules, !monitor, !requests, !notifications { return }
        }
        throw Problem(
            "simulation.no_progress",
            "At \(RFC3339.text(wallMs: time.now().wallMs)) things go on and on without an end."
        )
    }

    /// What activity-center's own clock does; whether there was anything to do.
    private func turnSchedules() throws -> Bool {
        let activity = try cores().activity
        let isDue = activity.state.nextDue.wallMs.map { $0 <= time.now().wallMs } ?? false
        guard isDue || isSet else { return false }
        isSet = false
        _ = try step("activity.tick", of: activity) { try ActivityRules.tick(&$0, $1, $2) }
        return true
    }

    /// What notifier's own clock does.
    private func turnNotifications(isSet: Bool) throws -> Bool {
        let due = try notificationsDue()
        guard isSet || due.isReached(at: time.now()) else { return false }
        try step("notify.tick", of: try cores().notifier) { try NotifySteps.tick(&$0, $1, $2) }
        return true
    }

    private func notificationsDue() throws -> DueMoments {
        if let known = notifications { return known }
        let due = try step("notify.next", of: try cores().notifier) { try NotifySteps.next($1, $2.database) }
            .due
        let moments = DueMoments(wallMs: due.wallMs, bootMs: due.bootMs)
        notifications = moments
        return moments
    }

    var nextDue: DueMoments {
        get {
            let schedule = running?.activity.state.nextDue.wallMs
            let requests = (try? requestsDue()) ?? DueMoments()
            let notifications = (try? notificationsDue()) ?? DueMoments()
            return DueMoments(wallMs: schedule).merged(with: DueMoments(wallMs: monitor.dueWallMs))
                .merged(with: requests)
                .merged(with: notifications)
        }
    }

    func news(of stream: StreamName) -> [WireEvent] {
        defer { told[stream] = [] }
        return told[stream] ?? []
    }

    // MARK: - What only processes can do

    func kill(_ program: String) throws {
        guard let service = services.first(where: { $0.name.rawValue == program }) else { return }
        try service.restart()
        try tellNews(of: service)
        if service.name == .monitor { monitor = CoreMonitorCourse() }
    }

    func run(_ words: [String], member: String?) throws -> [String] { throw Self.needsProcesses }

    var programs: String? { nil }

    func simulatedApp() throws -> AppInstall.Request {
        let folder = "\(scratch.path)/programs"
        try Directories.prepare(folder)
        // Never started: it only has to be there.
        try AtomicFile.write([], to: "\(folder)/monitor", mode: 0o700, durable: false)
        return AppInstall.Request(
            bundle: try scratch.writeSimulatedApp(executable: "monitor"),
            programs: folder
        )
    }

    static let needsProcesses = Problem(
        "simulation.needs_processes",
        "Apps of one's own run in processes of their own. Leave --in-process out."
    )

    // MARK: - What monitor-runner's process does beside answering

    /// Whether there was anything to do.
    func turnMonitor() throws -> Bool {
        let isDue = monitor.dueWallMs.map { $0 <= time.now().wallMs } ?? false
        guard monitor.mustLook || isDue else { return false }
        let hasWatched = try watchRules()
        let hasShielded = try keepShields()
        let hasTold = try tellHeld()
        let hasDelivered = try deliver()
        // Its own questions are no news.
        monitor.mustLook = hasWatched || hasShielded || hasTold || hasDelivered
        return monitor.mustLook
    }

    func watchRules() throws -> Bool {
        if !monitor.isCompared {
            let actual = try ask(ActivityList.self, .init(app: BuiltInRules.app)).activities
            try stepMonitor("rule.watch.compare") { try RuleSteps.compare(actual, &$0, $2) }
            monitor.isCompared = true
        }
        var hasWatched = false
        while true {
            switch RuleSteps.nextWatch(try cores().monitor.state) {
            case .start(let start, let key):
                var refusal: Problem?
                do {
                    _ = try ask(ActivityStart.self, start, key: "rule/" + key)
                } catch let problem as Problem where !problem.retryable {
                    refusal = problem
                }
                try note(.started(start, refusal))
            case .stop(let stop):
                _ = try ask(ActivityStop.self, stop)
                try note(.stopped(stop))
            case nil: return hasWatched
            }
            hasWatched = true
        }
    }

    private func note(_ watched: RuleWatched) throws {
        try stepMonitor("rule.watch.done") { try RuleSteps.take(watched, &$0, $2) }
    }

    func stepMonitor<Value: Sendable>(_ name: String, _ work: @escaping OwnStep<MonitorState>.Change<Value>)
        throws
        -> Value
    {
        monitor.mustLook = true
        return try step(name, of: try cores().monitor, work)
    }

    private func tellHeld() throws -> Bool {
        var hasTold = false
        while true {
            let held = RuleSteps.held(try cores().monitor.state, nowMs: time.now().wallMs)
            guard let rule = held.rule, let post = held.post else {
                monitor.nextWallMs = held.nextWallMs
                return hasTold
            }
            if held.isCurrent {
                _ = try ask(NotifyPost.self, post, key: "held/" + post.id, cause: post.cause)
            }
            try stepMonitor("rule.held.done") { try RuleSteps.letGo(rule: rule, id: post.id, &$0, $2) }
            hasTold = true
        }
    }

    /// One callback after the other, in the order of the stream.
    private func deliver() throws -> Bool {
        var hasDelivered = false
        while let next = try nextDelivery() {
            hasDelivered = true
            if let refusal = next.refusal {
                try stepMonitor("monitor.delivery.park") { try DeliverySteps.park(next.number, refusal, $2) }
                continue
            }
            let claimed = try stepMonitor("monitor.delivery.begin") {
                try DeliverySteps.begin([next.number], $0, $2)
            }
            for item in claimed {
                let result = make(item.delivery)
                _ = try stepMonitor("monitor.delivery.finish") {
                    try DeliverySteps.finish(
                        item.delivery.number,
                        attempt: item.delivery.attempt,
                        result,
                        $0,
                        $2
                    )
                }
            }
        }
        return hasDelivered
    }

    private func nextDelivery() throws -> NextDelivery? {
        try step("monitor.delivery.next", of: try cores().monitor) {
            try DeliverySteps.next(isSingle: true, $0, $2.database)
        }.first
    }

    private func make(_ delivery: Delivery) -> DeliveryResult {
        guard delivery.app == BuiltInRules.app else { return DeliveryResult(tookMs: 0) }
        do {
            let outcome = try stepMonitor("rule.deliver") {
                try RuleSteps.deliver(delivery.id, delivery.occurrence, &$0, $2)
            }
            var problem: Problem?
            for wanted in outcome.shields {
                let failed = try make(try OutgoingRequest(wanted), cause: delivery.id)
                problem = problem ?? failed
            }
            for (index, post) in outcome.posts.enumerated() {
                let key = "\(delivery.id)/\(index + 1)"
                _ = try ask(NotifyPost.self, post, key: key, cause: delivery.id)
            }
            return DeliveryResult(problem: problem, tookMs: 0)
        } catch {
            return DeliveryResult(
                problem: (error as? Problem) ?? Problem("internal", "\(error)"),
                tookMs: 0
            )
        }
    }

    // MARK: - What it does so that shield-service has what the rules want

    /// Whether there was anything to do.
    func keepShields() throws -> Bool {
        var hasKept = false
        while true {
            let next = try step("rule.shield.next", of: try cores().monitor) {
                try RuleShielding.next($0, nowMs: $1.now.wallMs, $2.database)
            }
            if !next.isNeeded, !next.mustCheck {
                monitor.shieldMs = next.nextWallMs
                return hasKept
            }
            if next.mustCheck {
                monitor.isCompared = false
                _ = try watchRules()
            } else if !monitor.areShieldsCompared {
                let actual = try actualShields(asOf: next.answers)
                _ = try stepMonitor("rule.shield.compare") { try RuleShielding.compare(actual, &$0, $2) }
                monitor.areShieldsCompared = true
            } else if next.mustSettle {
                try stepMonitor("rule.shield.settle") { try RuleShielding.settle(&$0, $2) }
            } else if let wanted = next.ask {
                _ = try make(try OutgoingRequest(wanted), cause: wanted.cause)
            } else {
                monitor.shieldMs = next.nextWallMs
                return hasKept
            }
            hasKept = true
        }
    }

    /// What could not be asked, but may be later; a refusal for good stands beside the rule.
    func make(_ request: OutgoingRequest, cause: String?) throws -> Problem? {
        do {
            _ = try ask(request.route, request.body, key: request.key, cause: cause)
            try answered(request, nil)
            return nil
        } catch let problem as Problem {
            guard request.key != nil, !problem.retryable else { return problem }
            try answered(request, problem)
            return nil
        }
    }

    private func answered(_ request: OutgoingRequest, _ problem: Problem?) throws {
        guard let key = request.key else { return }
        try stepMonitor("rule.shield.done") { try RuleShielding.answered(key: key, problem, &$0, $2) }
    }

    private func actualShields(asOf answers: Int64) throws -> ActualShields {
        var request = SettingsList.Request(app: BuiltInRules.app)
        var stores: [SettingsGet.Reply] = []
        repeat {
            let page = try ask(SettingsList.self, request)
            for view in page.stores {
                let get = SettingsGet.Request(app: view.app, member: view.member, store: view.store)
                stores.append(try ask(SettingsGet.self, get))
            }
            request.next = page.next
        } while request.next != nil
        let allowed = try ask(MemberList.self, Empty()).members.map {
            try ask(ShieldAllowed.self, .init(member: $0.name))
        }
        return ActualShields(stores: stores, allowed: allowed, answers: answers)
    }

    // MARK: - Requests for more time

    /// Begins and ends the grants whose moment has come; whether there was any.
    func turnRequests() throws -> Bool {
        guard try requestsDue().isReached(at: time.now()) else { return false }
        try step("request.advance", of: try cores().shield) { try RequestHandlers.advance(&$0, $1, $2) }
        return true
    }

    /// When the next grant begins or ends.
    func requestsDue() throws -> DueMoments {
        let shield = try cores().shield
        return RequestHandlers.due(shield.state, shield.context(named: "request.due"))
    }
}

/// Where the work stands that monitor-runner's process does beside answering.
struct CoreMonitorCourse {
    /// Whether what is watched has been compared with what should be.
    var isCompared = false
    /// Whether anything has come or been asked since the last look.
    var mustLook = true
    /// When the next pause of a rule ends that something waits for.
    var nextWallMs: Int64?
    /// Whether what shield-service has of the rules has been compared with what it should have.
    var areShieldsCompared = false
    /// When a shield must be put up or looked after by itself.
    var shieldMs: Int64?

    var dueWallMs: Int64? { [nextWallMs, shieldMs].compactMap(\.self).min() }
}
