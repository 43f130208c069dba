import STContracts
import STDomain
import STPlatform

/// The desktop of a simulation. It reports observations to activity-center, follows the policy, and shows and removes shields.
final class SimulatedDesktop {
    private static let agent = ServiceName.desktop.rawValue
    /// The maximum number of rounds. A shield may cause other shields to appear or disappear, but not forever.
    private static let shieldRoundsMax = 1_000
    /// The maximum number of requests for the next crossing. Each comes closer. Two are usually sufficient, unless several people
    /// reach thresholds at almost the same time.
    private static let looksMax = 100
    private static let screensAheadMin = 16

    /// A shield in front of a person.
    private struct ForegroundScreen {
        var screen: ShieldDecisions.ScreenState
        /// The id of the shield. `nil` if the shield was removed before it could be shown.
        var shield: String?
        var presses: Int64 = 0
    }

    private let world: SimulationWorld
    private var observer: SimulationObserver
    private(set) var policy = SimulatedPolicy()
    /// True if the policy has changed since the desktop last compared it with the foreground apps.
    private var hasNewPolicy = false
    private var foregrounds: [String: ForegroundScreen] = [:]
    /// The approximate number of observations in the next preview. It is based on the number of observations up to the last
    /// crossing.
    private var screensAhead = screensAheadMin

    init(_ world: SimulationWorld, sights: [ScenarioPlan.ScreenState]) {
        self.world = world
        observer = SimulationObserver(sights)
    }

    // MARK: - Stops of the clock

    /// The time at which the desktop's agent restarts. `nil` if it is running.
    var opensAt: Duration? { observer.opensAt }

    func batchEnd(_ target: Duration) -> Duration { observer.batchEnd(target) }

    func nextShield(until end: Duration) -> Duration? { observer.nextShield(until: end) }

    /// Returns the first time at which the planned observations reach a threshold, or the target if there is none.
    ///
    /// The first request contains few observations, and each further request about twice as many. The next crossing is usually
    /// near, and each observation adds to the size of the message.
    func firstCrossing(before end: Duration) async throws -> Duration {
        var target = end
        for _ in 0..<Self.looksMax {
            let edge = min(target, observer.moment(after: screensAhead) ?? target)
            if let crossing = try await crossing(until: edge) {
                target = crossing
                screensAhead = max(Self.screensAheadMin, 2 * observer.pending(until: crossing).count)
            } else if edge == target {
                return target
            } else {
                screensAhead *= 2
            }
        }
        return target
    }

    private func crossing(until edge: Duration) async throws -> Duration? {
        guard edge > world.time.elapsed else { return nil }
        let planned = observer.preview(until: edge, world.time)
        guard !planned.isEmpty else { return nil }
        let request = UsagePreview.Request(
            agent: Self.agent,
            run: observer.run,
            observations: Array(actual(planned).prefix(UsageObserve.batchMax))
        )
        guard let due = try await world.call(UsagePreview.self, request).dueBootMs else { return nil }
        // A threshold that is reached by the first use is only visible after one millisecond of use.
        let crossing = max(
            world.time.elapsed(at: BootTime(ms: due)),
            world.time.elapsed + .milliseconds(1)
        )
        return crossing < edge ? crossing : nil
    }

    // MARK: - Observations

    /// Reports all observations up to now.
    func reportPending() async throws {
        try await send(observer.report(until: world.time.elapsed, world.time))
    }

    /// Reports the foreground app of each person, for example after a sleep or a change of the clock.
    func reportAll(isUnbroken: Bool, as presence: Presence? = nil) async throws {
        try await send(observer.reportAll(world.time, isUnbroken: isUnbroken, as: presence))
    }

    /// Skips the observations during a sleep of the device. They are not reported.
    func skip() { observer.skip(until: world.time.elapsed) }

    /// Stops the agent for a time.
    func close(for length: Duration) {
        observer.close(until: world.time.elapsed + length)
        world.addEntry("the screen is not seen, for \(TextFormat.duration(ms: length.ms))")
    }

    func notify(_ app: String, times: Int, _ member: String) async throws {
        world.addEntry("\(app) notifies \(member)\(times == 1 ? "" : ", \(times) times")")
        try await send(observer.reportNotifications(member, by: app, times: times, world.time))
    }

    private func send(_ observations: [Observation]) async throws {
        var rest = actual(observations)[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(UsageObserve.batchMax))
            rest = rest.dropFirst(part.count)
            let request = UsageObserve.Request(agent: Self.agent, run: observer.run, observations: part)
            _ = try await world.call(UsageObserve.self, request)
        }
    }

    private func actual(_ observations: [Observation]) -> [Observation] {
        observations.map { seen in
            var seen = seen
            seen.member = world.actual(seen.member)
            return seen
        }
    }

    // MARK: - Events

    /// Returns when the system is idle and the shields match the policy. Adds the published events to the timeline.
    func waitUntilIdle() async throws {
        for _ in 0..<Self.shieldRoundsMax {
            try await applyEvents()
            guard try await updateShields() else { return }
        }
        throw Problem(
            "simulation.no_progress",
            "At \(world.clockText, "clockText"), a shield keeps appearing and disappearing."
        )
    }

    private func applyEvents() async throws {
        let backend = world.backend
        try await backend.waitUntilIdle()
        for stream in [StreamName.activity, .delivery] {
            for event in try await backend.events(of: stream) { try world.timeline.apply(event, world.time) }
        }
        for event in try await backend.events(of: .notification)
        where event.header.type == NotificationPosted.type {
            world.timeline.add(posted: try event.decoded(NotificationPosted.self), world.time)
        }
        for event in try await backend.events(of: .policy) { try applyPolicy(event) }
    }

    private func applyPolicy(_ event: WireEvent) throws {
        hasNewPolicy = true
        switch event.header.type {
        case PolicyStoreChanged.type:
            let word = try event.decoded(PolicyStoreChanged.self)
            world.timeline.add(store: word, before: policy.update(word), world.time)
        case PolicyGrantChanged.type:
            world.timeline.add(grant: try event.decoded(PolicyGrantChanged.self).request, world.time)
        default: break
        }
    }

    // MARK: - Shields

    /// Requests the shield decisions up to a time, before anything is reported. The policy cannot change until the clock moves.
    func fetchDecisions(until end: Duration) async throws {
        guard !policy.isEmpty else { return }
        for sight in observer.undecided(until: end) { try await fetchDecision(sight, finally: false) }
    }

    private func fetchDecision(_ sight: ShieldDecisions.ScreenState, finally isFinal: Bool) async throws {
        let request = ShieldDecide.Request(member: world.actual(sight.member), subject: sight.subject)
        observer.shields.record(sight, try await world.call(ShieldDecide.self, request), finally: isFinal)
    }

    /// Updates the shields according to the policy. Returns true if anything was reported or shown.
    private func updateShields() async throws -> Bool {
        if hasNewPolicy { observer.resetShields() }
        hasNewPolicy = false
        if policy.isEmpty, foregrounds.isEmpty, observer.shielded.isEmpty { return false }
        for sight in observer.foreground where !observer.shields.contains(sight, finally: true) {
            try await fetchDecision(sight, finally: true)
        }
        let changes = observer.reportShields(world.time)
        try await send(changes)
        let hasShown = try await showShields()
        return !changes.isEmpty || hasShown
    }

    private func showShields() async throws -> Bool {
        let shielded = observer.shielded
        var hasShown = false
        for member in foregrounds.keys where shielded[member] == nil && !observer.isInactive(member) {
            foregrounds[member] = nil
        }
        for (member, sight) in shielded.sorted(by: { $0.key < $1.key })
        where foregrounds[member]?.screen != sight {
            let actual = world.actual(member)
            let open = try await world.call(UsageNow.self, Empty()).open.last { $0.member == actual }
            let request = ShieldShow.Request(
                member: actual,
                subject: sight.subject,
                agent: Self.agent,
                segment: open?.segment,
                wallMs: world.time.wall.ms
            )
            let reply = try await world.call(ShieldShow.self, request)
            foregrounds[member] = ForegroundScreen(screen: sight, shield: reply.shield)
            hasShown = true
            guard reply.shield != nil else { continue }
            world.timeline.add(shown: reply, sight, category: observer.shields.category(sight), world.time)
        }
        return hasShown
    }

    /// Returns the id of the shield that a member sees.
    func shield(before member: String) -> String? { foregrounds[member]?.shield }

    func press(_ button: ShieldButton, by member: String) async throws {
        guard let front = foregrounds[member], let shield = front.shield else {
            throw Problem(
                "simulation.no_shield",
                """
                At \(world.clockText, "clockText"), \(member, "member") sees no shield, so there is no \
                button to press.
                """
            )
        }
        foregrounds[member]?.presses += 1
        let request = ShieldPress.Request(shield: shield, button: button, press: front.presses + 1)
        let reply = try await world.call(ShieldPress.self, request)
        world.timeline.add(press: button, reply, sight: front.screen, time: world.time)
        guard reply.response == .close else { return }
        foregrounds[member] = nil
        try await send(observer.close(of: member, world.time))
    }
}

/// The policy, as derived only from the events on its stream.
struct SimulatedPolicy {
    private var stores: [StoreName: PolicyStore] = [:]

    /// True if no store shields anything, so that the desktop needs no decisions.
    var isEmpty: Bool { stores.values.allSatisfy { !Self.shieldsAnything($0) } }

    /// Stores a changed store and returns its previous value.
    mutating func update(_ word: PolicyStore) -> PolicyStore? {
        let name = StoreName(app: word.app, member: word.member, store: word.store)
        let before = stores[name]
        stores[name] = word
        return before
    }

    /// Returns the stores that shield a category itself, ordered by app and store.
    func shielding(category: String, of member: String) -> [PolicyStore] {
        stores.values.filter { word in
            guard word.member == member, word.isInForce else { return false }
            return Self.reaches(word.shields.categories, category)
                || Self.reaches(word.shields.domainCategories, category)
        }.sorted { ($0.app, $0.store) < ($1.app, $1.store) }
    }

    private static func reaches(_ policy: CategoryPolicyBody, _ category: String) -> Bool {
        switch policy.reach {
        case .none: false
        case .specific: policy.categories.contains(category)
        // An unknown policy must not be treated as a less strict one.
        case .all, .unknown: true
        }
    }

    private static func shieldsAnything(_ word: PolicyStore) -> Bool {
        word.isInForce && word.shields.shields?.isEmpty != true
    }
}
