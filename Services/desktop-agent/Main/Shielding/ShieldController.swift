import STContracts
import STDesktop
import STDesktopCore
import STDomain
import STPlatform
import STScreen
import STServiceKit
import STZeroMQ

/// Connects `ShieldStateMachine` with the screen, the policy, the processes, the pictures and the other services.
///
/// Runs on the bus thread. Only its tasks wait for anything.
actor ShieldController: DesktopModelObserver {
    struct Parts: Sendable {
        var hub: DesktopHub
        var pausing: any AppPausing
        /// Draws the pictures. `nil` if no drawing is possible, so that shields are bare colours.
        var drawingClient: DrawingClient?
        var policyMailbox: PolicyMailbox
        var facts: DesktopFacts
        /// The interface for assistive technology. `nil` if the session has no bus.
        var accessibility: AccessiblePanes?
    }

    /// The maximum time that the end waits until all apps run again.
    private static let endTimeout: Duration = .seconds(2)
    private static let statusesMax = 4_000
    /// The time before a threshold at which the agent prepares the shield of the foreground app.
    private static let prepareAhead: Duration = .seconds(15)

    private let surroundings: ServiceEnvironment
    private let parts: Parts
    private let requests: ShieldRequests
    private let pausedApps: PausedApps
    private var director: ShieldStateMachine
    private var accessibility: AccessibilityPublisher
    private var policy = ShieldPolicy()
    private var desktop = DesktopModel()
    private var statuses: [String: ShieldStatus] = [:]
    /// Inputs that were not handled yet.
    private var pendingInputs: [ShieldInput] = []
    private var isCurrent = true
    private var isRoundScheduled = false
    private var isRequestingOffer = false
    private var timer: DeadlineTimer?
    private var expectedShield: (app: String, at: BootTime)?
    /// The earliest end of a grant.
    private var nextGrantEnd: WallTime?
    private var emptyContinuation: CheckedContinuation<Void, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ surroundings: ServiceEnvironment, client: BusClient, settings: ShieldSettings, parts: Parts) {
        self.surroundings = surroundings
        self.parts = parts
        requests = ShieldRequests(
            client: client,
            language: settings.language,
            run: Identifier.make(wallMs: surroundings.time.now().wallMs)
        )
        pausedApps = PausedApps(surroundings, parts.pausing) { [hub = parts.hub] in await hub.waitForScreen()
        }
        director = ShieldStateMachine(settings)
        accessibility = AccessibilityPublisher(parts.accessibility)
        parts.facts.set(director.reply)
    }

    /// Starts the stage. Covers appear immediately. No app is paused until the apps that an earlier process paused run again.
    func start(_ scene: DesktopModel) async {
        let thread = surroundings.loop.thread
        do {
            timer = try DeadlineTimer(
                thread,
                time: surroundings.time,
                onStep: { [weak self] in self?.assumeIsolated { $0.reevaluate() } },
                ring: { [weak self] in self?.assumeIsolated { $0.timerDidFire() } }
            )
        } catch {
            surroundings.log.problem("no_alarm", error)
        }
        parts.policyMailbox.setHandler { [weak self] in
            thread.post { [weak self] in self?.assumeIsolated { $0.receivePolicy() } }
        }
        self.desktop = scene
        refresh()
        await pausedApps.start { [weak self] input in self?.assumeIsolated { $0.take(input) } }
        take(.ready)
    }

    /// Ends all shields. Apps run again first, then their covers close.
    func stop() async {
        take(.stop)
        if !director.isEmpty {
            await withCheckedContinuation { continuation in
                emptyContinuation = continuation
                surroundings.loop.thread.after(milliseconds: Self.endTimeout.ms) { [weak self] in
                    self?.assumeIsolated { $0.finishIfEmpty() }
                }
            }
        }
        timer?.set()
        await pausedApps.thawAll()
        await parts.drawingClient?.close()
    }

    private func finishIfEmpty() {
        emptyContinuation?.resume()
        emptyContinuation = nil
    }

    // MARK: - The screen

    nonisolated func desktopDidChange(_ scene: DesktopModel, _ event: DesktopEvent) {
        assumeIsolated { $0.receive(scene, event) }
    }

    /// Adds an event. All events that arrive together are handled in one round, because 200 windows must not take 200 rounds.
    private func receive(_ scene: DesktopModel, _ event: DesktopEvent) {
        switch event {
        case .pane(let id, let news):
            guard ShieldStateMachine.owns(id) else { return }
            pendingInputs.append(.pane(id, news))
        case .quiet, .idle, .touched, .chosen: return
        case .lost:
            // The next event comes from another screen, without a pane of this agent.
            self.desktop = scene
            return refresh()
        case .window, .windowGone, .focus, .outputs, .ready:
            self.desktop = scene
            isCurrent = false
        }
        guard !isRoundScheduled else { return }
        isRoundScheduled = true
        surroundings.loop.thread.post { [weak self] in self?.assumeIsolated { $0.processInputs() } }
    }

    private func processInputs() {
        isRoundScheduled = false
        if isCurrent { apply([]) } else { refresh() }
    }

    private func apply(_ inputs: [ShieldInput]) {
        let inputs = inputs + pendingInputs
        pendingInputs = []
        if !inputs.isEmpty { take(inputs) }
    }

    /// Decides about each app on the screen, and sends the scene and the decisions to the director.
    private func refresh() {
        isCurrent = true
        if let member {
            if statuses.count > Self.statusesMax { statuses = [:] }
            let wall = surroundings.time.now().wall
            for seen in desktop.windows.values {
                guard let app = seen.app?.id, statuses[app] == nil else { continue }
                statuses[app] = ShieldStatus(
                    policy.decide(ShieldSubject(app: app), member: member, wall: wall),
                    policy: policy.policies.number
                )
            }
        }
        apply([.scene(desktop, statuses)])
    }

    // MARK: - Policy

    /// The member whose usage this screen records. `nil` while the household is unknown.
    private var member: String? { policy.member }

    private func receivePolicy() {
        guard let policy = parts.policyMailbox.takePolicy() else { return }
        self.policy = policy
        reevaluate()
    }

    private func reevaluate() {
        statuses = [:]
        refresh()
    }

    private func timerDidFire() {
        let now = surroundings.time.now()
        if let nextGrantEnd, nextGrantEnd <= now.wall { reevaluate() }
        if let expectedShield, expectedShield.at - Self.prepareAhead <= now.boot {
            prepare(expectedShield.app)
        }
        take(.tick)
    }

    /// Decides in the same way as `shield.decide`, for the member at this screen.
    func decides(_ subject: ShieldSubject) -> Bool {
        guard let member else { return false }
        return policy.decide(subject, member: member, wall: surroundings.time.now().wall).isShielded
    }

    // MARK: - Preparation

    /// Prepares the shield of the foreground app shortly before that moment.
    nonisolated func checkWasScheduled(at moment: BootTime) {
        assumeIsolated { stage in
            guard let app = stage.desktop.foregroundApp?.id else { return }
            stage.expectedShield = (app, moment)
            if moment - stage.surroundings.time.now().boot <= Self.prepareAhead { stage.prepare(app) }
            stage.arm()
        }
    }

    private func prepare(_ app: String) {
        expectedShield = nil
        guard desktop.foregroundApp?.id == app, statuses[app]?.isShielded != true else { return }
        take(.soon(app: app))
    }

    // MARK: - The director

    private func take(_ input: ShieldInput) { take([input]) }

    private func take(_ inputs: [ShieldInput]) {
        let orders = director.apply(inputs, at: surroundings.time.now())
        // The panels read these facts once a shield is on the screen, and one of the orders shows it.
        parts.facts.set(director.reply)
        for order in orders { perform(order) }
        accessibility.publish(director.accessible, director.accessibleFocus)
        if director.isEmpty { finishIfEmpty() }
        let isNewPause = inputs.contains { if case .paused(_, .paused) = $0 { true } else { false } }
        pausedApps.assumeIsolated { [paused = director.paused] in $0.watch(paused, isNew: isNewPause) }
        arm()
    }

    private func arm() {
        let now = surroundings.time.now()
        nextGrantEnd = member.flatMap { policy.policies.members[$0]?.nextGrantEndMs(after: now.wallMs) }
            .map(WallTime.init(ms:))
        let preparing = expectedShield.map { max(now.boot, $0.at - Self.prepareAhead) }
        let due = [director.nextTick, preparing].compactMap(\.self).min()
        timer?.set(wallMs: nextGrantEnd?.ms, bootMs: due?.ms)
    }

    // MARK: - Orders

    private func perform(_ order: ShieldEffect) {
        let member = member
        switch order {
        case .screen(let acts): parts.hub.assumeIsolated { $0.perform(acts) }
        case .shielded(let apps): parts.hub.assumeIsolated { $0.setShieldedApps(apps) }
        case .verdict(let app, let pids): pausedApps.assumeIsolated { $0.requestVerdict(app, pids) }
        case .underway(let app, let pids): pausedApps.assumeIsolated { $0.checkForCall(app, pids) }
        case .pause(let app, let pids): pausedApps.assumeIsolated { $0.pause(app, pids) }
        case .thaw(let app): pausedApps.assumeIsolated { $0.thaw(app) }
        case .end(let app, let pids): pausedApps.assumeIsolated { $0.end(app, pids) }
        case .askLook(let app, let ticket, let counts, let wall):
            begin {
                $0.take(
                    await $0.requests.fetchAppearance(
                        app,
                        ticket,
                        member: member,
                        since: counts ? wall : nil
                    )
                )
            }
        case .press(let app, let shield, let button, let press):
            begin { $0.take(await $0.requests.press(app, shield: shield, button: button, press: press)) }
        case .requestTime(let app, let shield, let duration):
            begin {
                $0.take(
                    await $0.requests.requestTime(app, member: member, shield: shield, duration: duration)
                )
                await $0.requestOffer()
            }
        case .draw(let key, let request): begin { $0.take(.drawn(key, await $0.draw(request))) }
        case .forget(let paths): begin { await $0.parts.drawingClient?.discard(paths) }
        case .notify(let notice): begin { await $0.notify(notice) }
        case .requestOffer: begin { await $0.requestOffer() }
        }
    }

    private func begin(_ work: @escaping @Sendable (isolated ShieldController) async -> Void) {
        Task(executorPreference: surroundings.loop.thread, priority: .medium) { await work(self) }
    }

    private func requestOffer() async {
        guard !isRequestingOffer, let member else { return }
        isRequestingOffer = true
        take(await requests.offer(member, others: policy.hasGuardian(for: member) ? .guardian : nil))
        isRequestingOffer = false
    }

    private func notify(_ notice: ShieldNotice) async {
        do {
            try await requests.notify(notice, member: member)
        } catch {
            surroundings.log.problem("not_told", Problem(error), fields: ["id": .text(notice.id)])
        }
    }

    private func draw(_ request: DrawRequest) async -> Result<ShieldPicture, Problem> {
        guard let easel = parts.drawingClient else {
            return .failure(
                Problem(
                    "draw.not_installed",
                    "desktop-agent cannot draw shields. The reason is in its log.",
                    key: "draw.not_installed.shields-cannot-be"
                )
            )
        }
        do {
            let (path, answer) = try await easel.draw(request)
            return .success(ShieldPicture(path: path, answer))
        } catch {
            return .failure(error)
        }
    }
}
