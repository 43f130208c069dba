import STBus
import STContracts
import STDesktop
import STDesktopCore
import STPlatform
import STScreen
import STServiceKit
import STZeroMQ

/// Owns the screen that is looked at: hears its events, folds them, tells whoever follows, and says what was seen.
///
/// Lives on the bus thread. Without a screen it says that nothing can be seen, and looks again now and then.
actor DesktopHub {
    /// How it is tried to find a screen again: from one second to half a minute.
    private static let retry = Backoff(firstMs: 1_000, limitMs: 30_000)

    /// What the hub stands on.
    struct Parts: Sendable {
        var choose: ScreenChooser
        var presence: any PresenceSource
        var naming: AppNaming
        /// Why an app is never paused; nil: it may be, as far as is known.
        var neverPaused: @Sendable (AppIdentity) -> String? = { _ in nil }
        var looked: @Sendable (ScreenSigns) -> Void = { _ in }
    }

    let host: ServiceHost<DesktopState>
    let surroundings: Surroundings
    let client: BusClient
    let facts: DesktopFacts
    private let parts: Parts
    private let idleMs: Int64
    private(set) var scene = DesktopScene()
    private(set) var followers: [any SceneFollower] = []
    private var screen: (any DesktopScreen)?
    private var inbox: EventInbox?
    private(set) var choice: AdapterChoice?
    /// What the displays said of themselves, when they were asked last.
    private(set) var signs = ScreenSigns()
    private var failures = 0
    private var retryTimer: UInt64?
    private var front = Front()
    private var panes = OwnPanes()
    private var isEnding = false
    private var beforeEnd: @Sendable () async -> Void = {}
    private let door = ScreenDoor()

    // What is told of it; see the other file.
    var watcher: Watcher
    var member: String?
    var queue = TellingQueue()
    var isWriting = false
    var isBeating = false
    var underWay: BeatUnderWay?
    var toldStraight: Int64 = 0
    private var dueAlarm: DueAlarm?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(
        _ host: ServiceHost<DesktopState>,
        _ surroundings: Surroundings,
        client: BusClient,
        facts: DesktopFacts,
        parts: Parts
    ) {
        self.host = host
        self.surroundings = surroundings
        self.client = client
        self.facts = facts
        self.parts = parts
        idleMs = surroundings.configuration.number(.desktopIdle)
        watcher = Watcher(
            bootID: surroundings.time.bootID,
            run: Identifier.make(wallMs: surroundings.time.now().wallMs)
        )
    }

    /// Until the task is cancelled.
    func run() async {
        do {
            dueAlarm = try DueAlarm(surroundings.loop.thread, surroundings.time) { [weak self] in
                self?.assumeIsolated { $0.settle() }
            }
        } catch {
            surroundings.log.problem("no_alarm", error)
            return
        }
        facts.answer(DesktopWindows.self) { [unowned self] request in
            try assumeIsolated {
                try WindowAnswer.page(request, scene: $0.scene, neverPaused: $0.parts.neverPaused)
            }
        }
        let thread = surroundings.loop.thread
        parts.presence.start { [weak self] word in
            thread.post { [weak self] in self?.assumeIsolated { $0.hear(word) } }
        }
        open()
        await findMember()
        // Nothing of this task is left to do but to notice its end.
        let (never, continuation) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        continuation.finish()
        await end()
    }

    private func findMember() async {
        member = await MemberFinder(surroundings: surroundings, client: client).find()
        settle()
    }

    // MARK: - For the other parts of the process

    /// From the next event on; what is there already it finds in `scene`.
    func follow(_ follower: any SceneFollower) { followers.append(follower) }

    /// Is waited for at the end, while the screen still takes acts.
    func beforeEnd(_ work: @escaping @Sendable () async -> Void) { beforeEnd = work }

    /// In order; what is no longer there takes no harm.
    func perform(_ acts: [DesktopAct]) {
        for act in acts { panes.take(act) }
        screen?.perform(acts)
    }

    /// Comes back once the display has answered.
    func answers() async { await screen?.answers() }

    /// What assistive technology presses is pressed as by a hand.
    func press(_ pane: PaneID, _ spot: String) {
        if screen != nil { take(.pane(pane, .pressed(spot))) }
        settle()
    }

    /// Apps were installed or removed, so windows may belong to others.
    func lookUpApps() {
        let before = scene.windows
        scene.resolve(parts.naming)
        look(atBootMs: surroundings.time.now().bootMs)
        // The display says nothing of it, and would not until something happens to the window itself.
        for (id, seen) in scene.windows where seen.app != before[id]?.app {
            for follower in followers { follower.sceneChanged(scene, .window(seen.window)) }
        }
        settle()
    }

    // MARK: - The screen

    private func open() {
        retryTimer = nil
        guard !isEnding else { return }
        let thread = surroundings.loop.thread
        let inbox = EventInbox { [weak self] in
            thread.post { [weak self] in self?.assumeIsolated { $0.takeEvents() } }
        }
        door.open(parts.choose, idleMs: idleMs, inbox) { [weak self] chosen, problem in
            thread.post { [weak self] in self?.assumeIsolated { $0.opened(chosen, inbox, problem) } }
        }
    }

    private func opened(_ chosen: ChosenScreen, _ inbox: EventInbox, _ problem: Problem?) {
        guard !isEnding else {
            if let screen = chosen.screen { door.close(screen) {} }
            return
        }
        signs = chosen.signs
        parts.looked(signs)
        if choice != chosen.choice {
            choice = chosen.choice
            surroundings.log.info(
                "screen",
                chosen.choice.reason,
                ["adapter": .text(chosen.choice.kind.rawValue)]
            )
        }
        guard let screen = chosen.screen else {
            if let problem, failures == 0 { surroundings.log.problem("screen_unreachable", problem) }
            return isBlind()
        }
        self.screen = screen
        self.inbox = inbox
        takeEvents()
    }

    /// Says so, and looks again later.
    private func isBlind() {
        watcher.sight(false, now: surroundings.time.now())
        settle()
        failures += 1
        let delayMs = max(1_000, Self.retry.delayMs(attempt: failures))
        retryTimer = surroundings.loop.thread.after(milliseconds: delayMs) { [weak self] in
            self?.assumeIsolated { $0.open() }
        }
    }

    private func takeEvents() {
        guard screen != nil, let inbox else { return }
        for event in inbox.take() {
            take(event)
            if case .lost(let problem) = event {
                lose(problem)
                break
            }
        }
        settle()
    }

    private func take(_ event: DesktopEvent) {
        scene.take(event, parts.naming)
        panes.take(event)
        parts.presence.take(event)
        let now = surroundings.time.now()
        switch event {
        case .ready:
            failures = 0
            look(atBootMs: now.bootMs)
            watcher.sight(true, now: now)
        case .focus(_, let bootMs): look(atBootMs: bootMs)
        case .window, .windowGone, .pane: look(atBootMs: now.bootMs)
        case .idle, .touched, .outputs, .lost: break
        }
        for follower in followers { follower.sceneChanged(scene, event) }
    }

    /// Which app is in front by now.
    private func look(atBootMs bootMs: Int64) {
        let app = front.app(in: scene, panes: panes.takingKeys)
        parts.presence.front(app.map { FrontApp($0, in: scene) })
        watcher.sees(app, atBootMs: bootMs, now: surroundings.time.now())
    }

    private func lose(_ problem: Problem) {
        surroundings.log.problem("screen_lost", problem)
        if let screen { door.close(screen) {} }
        screen = nil
        inbox = nil
        front = Front()
        panes = OwnPanes()
        isBlind()
    }

    // MARK: - What is seen

    private func hear(_ word: PresenceWord) {
        watcher.hears(word, now: surroundings.time.now())
        settle()
    }

    /// After whatever happened: tells what can be told, and asks to be woken when there is more.
    func settle() {
        guard !isEnding else { return }
        watcher.tick(surroundings.time.now())
        tell()
        showFacts()
        dueAlarm?.set(bootMs: watcher.nextBootMs)
    }

    private func showFacts() {
        guard let choice else { return }
        var sight = DesktopFacts.Sight(
            source: screen == nil ? .none : choice.kind,
            reason: choice.reason,
            isBlind: screen == nil,
            wayOut: choice.wayOut
        )
        sight.member = member
        sight.presence = watcher.present?.presence
        sight.app = watcher.present?.app
        sight.told = toldStraight
        let before = facts.sight
        guard sight != before else { return }
        facts.set(sight)
        guard sight.member != before?.member || sight.presence != before?.presence else { return }
        for follower in followers { follower.presenceChanged() }
    }

    /// Writes down that nothing is seen from now on, and takes everything of ours off the screen.
    private func end() async {
        // What is paused must go on before its cover goes.
        await beforeEnd()
        isEnding = true
        if let retryTimer { surroundings.loop.thread.cancelTimer(retryTimer) }
        dueAlarm?.set()
        parts.presence.stop()
        watcher.end(surroundings.time.now())
        await tellAll()
        guard let screen else { return }
        self.screen = nil
        await withCheckedContinuation { continuation in door.close(screen) { continuation.resume() } }
    }
}
