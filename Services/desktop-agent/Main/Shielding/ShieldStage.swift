import STContracts
import STDesktop
import STDesktopCore
import STDomain
import STPlatform
import STScreen
import STServiceKit
import STZeroMQ

/// Connects `ShieldDirector` with the screen, the policy, the processes, the pictures and the other services.
///
/// Runs on the bus thread. Only its tasks wait for anything.
actor ShieldStage: SceneFollower {
    struct Parts: Sendable {
        var hub: DesktopHub
        var pausing: any AppPausing
        /// Draws the pictures. `nil` if no drawing is possible, so that shields are bare colours.
        var easel: Easel?
        var wire: PolicyWire
        var facts: DesktopFacts
        /// The interface for assistive technology. `nil` if the session has no bus.
        var access: AccessiblePanes?
    }

    /// The maximum time that the end waits until all apps run again.
    private static let endMs: Int64 = 2_000
    private static let wordsMax = 4_000
    /// The time before a threshold at which the agent prepares the shield of the foreground app.
    private static let soonMs: Int64 = 15_000

    private let surroundings: Surroundings
    private let parts: Parts
    private let calls: ShieldCalls
    private let held: HeldApps
    private var director: ShieldDirector
    private var access: AccessTeller
    private var policy = ShieldPolicy()
    private var scene = DesktopScene()
    private var words: [String: ShieldWord] = [:]
    /// Inputs that were not handled yet.
    private var heard: [ShieldInput] = []
    private var hasLooked = true
    private var isRoundComing = false
    private var isAskingOffer = false
    private var alarm: DueAlarm?
    private var soon: (app: String, bootMs: Int64)?
    /// The earliest end of a grant, as a wall time.
    private var nextWallMs: Int64?
    private var whenEmpty: CheckedContinuation<Void, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ surroundings: Surroundings, client: BusClient, settings: ShieldSettings, parts: Parts) {
        self.surroundings = surroundings
        self.parts = parts
        calls = ShieldCalls(
            client: client,
            language: settings.language,
            run: Identifier.make(wallMs: surroundings.time.now().wallMs)
        )
        held = HeldApps(surroundings, parts.pausing) { [hub = parts.hub] in await hub.answers() }
        director = ShieldDirector(settings)
        access = AccessTeller(parts.access)
        parts.facts.set(director.reply)
    }

    /// Starts the stage. Covers appear immediately. No app is paused until the apps that an earlier process paused run again.
    func start(_ scene: DesktopScene) async {
        let thread = surroundings.loop.thread
        do {
            alarm = try DueAlarm(
                thread,
                surroundings.time,
                onStep: { [weak self] in self?.assumeIsolated { $0.decideAnew() } },
                { [weak self] in self?.assumeIsolated { $0.due() } }
            )
        } catch {
            surroundings.log.problem("no_alarm", error)
        }
        parts.wire.listen { [weak self] in
            thread.post { [weak self] in self?.assumeIsolated { $0.hearPolicy() } }
        }
        self.scene = scene
        look()
        await held.start { [weak self] input in self?.assumeIsolated { $0.take(input) } }
        take(.ready)
    }

    /// Ends all shields. Apps run again first, then their covers close.
    func stop() async {
        take(.stop)
        if !director.isEmpty {
            await withCheckedContinuation { continuation in
                whenEmpty = continuation
                surroundings.loop.thread.after(milliseconds: Self.endMs) { [weak self] in
                    self?.assumeIsolated { $0.isOver() }
                }
            }
        }
        alarm?.set()
        await held.thawAll()
        await parts.easel?.close()
    }

    private func isOver() {
        whenEmpty?.resume()
        whenEmpty = nil
    }

    // MARK: - The screen

    nonisolated func sceneChanged(_ scene: DesktopScene, _ event: DesktopEvent) {
        assumeIsolated { $0.hear(scene, event) }
    }

    /// Adds an event. All events that arrive together are handled in one round, because 200 windows must not take 200 rounds.
    private func hear(_ scene: DesktopScene, _ event: DesktopEvent) {
        switch event {
        case .pane(let id, let news):
            guard ShieldDirector.owns(id) else { return }
            heard.append(.pane(id, news))
        case .quiet, .idle, .touched, .chosen: return
        case .lost:
            // The next event comes from another screen, without a pane of this agent.
            self.scene = scene
            return look()
        case .window, .windowGone, .focus, .outputs, .ready:
            self.scene = scene
            hasLooked = false
        }
        guard !isRoundComing else { return }
        isRoundComing = true
        surroundings.loop.thread.post { [weak self] in self?.assumeIsolated { $0.round() } }
    }

    private func round() {
        isRoundComing = false
        if hasLooked { takeHeard([]) } else { look() }
    }

    private func takeHeard(_ inputs: [ShieldInput]) {
        let inputs = inputs + heard
        heard = []
        if !inputs.isEmpty { take(inputs) }
    }

    /// Decides about each app on the screen, and sends the scene and the decisions to the director.
    private func look() {
        hasLooked = true
        if let member {
            if words.count > Self.wordsMax { words = [:] }
            let wallMs = surroundings.time.now().wallMs
            for seen in scene.windows.values {
                guard let app = seen.app?.id, words[app] == nil else { continue }
                words[app] = ShieldWord(
                    policy.decide(ShieldSubject(app: app), member: member, wallMs: wallMs),
                    policy: policy.book.number
                )
            }
        }
        takeHeard([.scene(scene, words)])
    }

    // MARK: - Policy

    /// The member whose usage this screen records. `nil` while the household is unknown.
    private var member: String? { policy.member }

    private func hearPolicy() {
        guard let policy = parts.wire.take() else { return }
        self.policy = policy
        decideAnew()
    }

    private func decideAnew() {
        words = [:]
        look()
    }

    private func due() {
        let now = surroundings.time.now()
        if let next = nextWallMs, next <= now.wallMs { decideAnew() }
        if let soon, soon.bootMs - Self.soonMs <= now.bootMs { prepare(soon.app) }
        take(.tick)
    }

    /// Decides in the same way as `shield.decide`, for the member at this screen.
    func decides(_ subject: ShieldSubject) -> Bool {
        guard let member else { return false }
        return policy.decide(subject, member: member, wallMs: surroundings.time.now().wallMs).isShielded
    }

    // MARK: - Preparation

    /// Prepares the shield of the foreground app shortly before that moment.
    nonisolated func checkComes(atBootMs bootMs: Int64) {
        assumeIsolated { stage in
            guard let app = stage.scene.appInFront?.id else { return }
            stage.soon = (app, bootMs)
            if bootMs - stage.surroundings.time.now().bootMs <= Self.soonMs { stage.prepare(app) }
            stage.arm()
        }
    }

    private func prepare(_ app: String) {
        soon = nil
        guard scene.appInFront?.id == app, words[app]?.isShielded != true else { return }
        take(.soon(app: app))
    }

    // MARK: - The director

    private func take(_ input: ShieldInput) { take([input]) }

    private func take(_ inputs: [ShieldInput]) {
        let orders = director.take(inputs, at: surroundings.time.now())
        // The panels read these facts once a shield is on the screen, and one of the orders shows it.
        parts.facts.set(director.reply)
        for order in orders { carryOut(order) }
        access.tell(director.accessible, director.accessibleFocus)
        if director.isEmpty { isOver() }
        let isNewPause = inputs.contains { if case .paused(_, .paused) = $0 { true } else { false } }
        held.assumeIsolated { [paused = director.paused] in $0.watch(paused, isNew: isNewPause) }
        arm()
    }

    private func arm() {
        let now = surroundings.time.now()
        nextWallMs = member.flatMap { policy.book.members[$0]?.nextGrantEndMs(after: now.wallMs) }
        let preparing = soon.map { max(now.bootMs, $0.bootMs - Self.soonMs) }
        let bootMs = [director.nextMs, preparing].compactMap(\.self).min()
        alarm?.set(wallMs: nextWallMs, bootMs: bootMs)
    }

    // MARK: - Orders

    private func carryOut(_ order: ShieldOrder) {
        let member = member
        switch order {
        case .screen(let acts): parts.hub.assumeIsolated { $0.perform(acts) }
        case .shielded(let apps): parts.hub.assumeIsolated { $0.shielded(apps) }
        case .verdict(let app, let pids): held.assumeIsolated { $0.verdict(app, pids) }
        case .underway(let app, let pids): held.assumeIsolated { $0.underway(app, pids) }
        case .pause(let app, let pids): held.assumeIsolated { $0.pause(app, pids) }
        case .thaw(let app): held.assumeIsolated { $0.thaw(app) }
        case .end(let app, let pids): held.assumeIsolated { $0.end(app, pids) }
        case .askLook(let app, let ticket, let counts, let wallMs):
            begin { $0.take(await $0.calls.look(app, ticket, member: member, since: counts ? wallMs : nil)) }
        case .press(let app, let shield, let button, let press):
            begin { $0.take(await $0.calls.press(app, shield, button, press)) }
        case .requestTime(let app, let shield, let durationMs):
            begin {
                $0.take(await $0.calls.requestTime(app, member: member, shield, durationMs))
                await $0.askOffer()
            }
        case .draw(let key, let request): begin { $0.take(.drawn(key, await $0.draw(request))) }
        case .forget(let paths): begin { await $0.parts.easel?.forget(paths) }
        case .notify(let notice): begin { await $0.notify(notice) }
        case .askOffer: begin { await $0.askOffer() }
        }
    }

    private func begin(_ work: @escaping @Sendable (isolated ShieldStage) async -> Void) {
        Task(executorPreference: surroundings.loop.thread, priority: .medium) { await work(self) }
    }

    private func askOffer() async {
        guard !isAskingOffer, let member else { return }
        isAskingOffer = true
        take(await calls.offer(member, others: policy.hasGuardian(for: member) ? .guardian : nil))
        isAskingOffer = false
    }

    private func notify(_ notice: ShieldNotice) async {
        do {
            try await calls.notify(notice, member: member)
        } catch {
            surroundings.log.problem("not_told", Problem(error), ["id": .text(notice.id)])
        }
    }

    private func draw(_ request: DrawRequest) async -> Result<ShieldPicture, Problem> {
        guard let easel = parts.easel else {
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
