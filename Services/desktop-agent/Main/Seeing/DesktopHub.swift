import STBus
import STContracts
import STDesktop
import STDesktopCore
import STPlatform
import STScreen
import STServiceKit
import STZeroMQ

/// A part of the agent that wants to know what is on the screen: shields, panels.
///
/// Called on the bus thread for every event, in order, with the scene as it is after it; returns at once.
protocol SceneFollower: Sendable {
    func sceneChanged(_ scene: DesktopScene, _ event: DesktopEvent)

    /// At that moment something about the app in front may be decided.
    func checkComes(atBootMs bootMs: Int64)

    /// Another member sits here, or a person came, left or locked the screen: `DesktopFacts` has it.
    func presenceChanged()

    /// The displays were looked at, and may tell nothing.
    func looked()
}

extension SceneFollower {
    func checkComes(atBootMs bootMs: Int64) {}

    func presenceChanged() {}

    func looked() {}
}

/// Hears the screen, folds its events, tells the followers, and hands what was seen to the sender.
///
/// Lives on the bus thread.
actor DesktopHub {
    /// What the hub stands on.
    struct Parts: Sendable {
        var choose: ScreenChooser
        var presence: SessionPresence
        /// Which app a window belongs to; called for every change of a window, so it remembers.
        var naming: @Sendable (DesktopWindow) -> AppIdentity?
        /// Whether a child uses the session.
        var guardChild: @Sendable (Bool) -> Void = { _ in }
        /// Why an app is never paused; nil: it may be, as far as is known.
        var neverPaused: @Sendable (AppIdentity) -> Message? = { _ in nil }
        /// Hears what the displays say of themselves, each time they are looked at.
        var looked: @Sendable (ScreenSigns) -> Void = { _ in }
    }

    private static let stopsMax = 3

    private let surroundings: Surroundings
    private let sender: ObservationSender
    private let facts: DesktopFacts
    private let parts: Parts
    private let keeper: ScreenKeeper
    private(set) var scene = DesktopScene()
    private var followers: [any SceneFollower] = []
    private var front = Front()
    private var browsers = BrowserBook()
    private var panes = OwnPanes()
    private var watcher: Watcher
    private(set) var member: String?
    private var dueAlarm: DueAlarm?
    private var isEnding = false
    private var beforeEnd: @Sendable () async -> Void = {}

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(
        _ surroundings: Surroundings,
        sender: ObservationSender,
        facts: DesktopFacts,
        parts: Parts
    ) {
        self.surroundings = surroundings
        self.sender = sender
        self.facts = facts
        self.parts = parts
        keeper = ScreenKeeper(surroundings, parts.choose)
        now = surroundings.time.now()
        watcher = Watcher(
            bootID: surroundings.time.bootID,
            run: Self.newRun(surroundings),
            countsStops: surroundings.directories.isProtectedAccount
        )
    }

    private static func newRun(_ surroundings: Surroundings) -> String {
        Identifier.make(wallMs: surroundings.time.now().wallMs)
    }

    /// The time of this turn, read before the check for stops. A stop that begins after the check is later than this time, and the next
    /// turn detects it.
    private var now: TimeReading

    /// Call this before processing each event, because events that were queued during a stop describe only the present.
    private func beginTurn() {
        now = surroundings.time.now()
        guard let stops = surroundings.stops else { return }
        // A program of the same account may send signals without end.
        for _ in 0..<Self.stopsMax where stops.take() {
            now = surroundings.time.now()
            watcher.wasStopped(now, isEnding: stops.isEnding)
        }
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
        await sender.tell(self)
        facts.answerWindows { [unowned self] request in
            try assumeIsolated {
                try WindowAnswer.page(request, scene: $0.scene, neverPaused: $0.parts.neverPaused)
            }
        }
        facts.hearBrowsers { [unowned self] request, principal in
            try assumeIsolated { try $0.browses(request, principal) }
        }
        let thread = surroundings.loop.thread
        parts.presence.start { [weak self] word in
            thread.post { [weak self] in self?.assumeIsolated { $0.hear(word) } }
        }
        for descriptor in surroundings.stops?.descriptors ?? [] {
            thread.currentWaiter.watch(descriptor: descriptor) { [weak self] in
                self?.assumeIsolated { $0.settle() }
            }
        }
        await keeper.start { [weak self] news in self?.assumeIsolated { $0.hear(news) } }
        settle()
        // This task has nothing left to do but notice its end.
        let (never, continuation) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        continuation.finish()
        await end()
    }

    /// Whose time counts from now on; what was seen so far counts for the person before.
    func sits(_ member: String, isChild: Bool) {
        parts.guardChild(isChild)
        let isGuarded = isChild && surroundings.directories.isProtectedAccount
        if isGuarded != front.isGuarded {
            beginTurn()
            front.isGuarded = isGuarded
            look(atBootMs: now.bootMs)
        }
        guard member != self.member else { return }
        beginTurn()
        if self.member != nil {
            watcher.end(now)
            tell()
            beginRun()
            if scene.isKnown { watcher.sight(true, now: now) }
            look(atBootMs: now.bootMs)
        }
        self.member = member
        settle()
    }

    // MARK: - For the other parts of the process

    /// What the displays said of themselves, and which screen was chosen; nil before the first look.
    var choice: (signs: ScreenSigns, choice: AdapterChoice)? {
        keeper.assumeIsolated { keeper in keeper.choice.map { (keeper.signs, $0) } }
    }

    /// Whether the agent observes nothing at the moment.
    var isBlind: Bool { keeper.assumeIsolated { $0.screen == nil } }

    /// The processes of browsers that say which site is in front, and the version of their extension.
    var tellingBrowsers: [Int32: String] { browsers.telling(atBootMs: surroundings.time.now().bootMs) }

    /// The app in front, unless its process says which site it shows.
    var silentFront: AppIdentity? {
        guard let seen = front.window.flatMap({ scene.windows[$0] }), let process = seen.window.pid else {
            return nil
        }
        return tellingBrowsers[process] == nil ? seen.app : nil
    }

    /// The path of the unknown program in the foreground. Nil if the foreground app is known.
    var unknownProgram: String? { front.window.flatMap { scene.windows[$0]?.app?.unknownProgram } }

    /// From the next event on; what is there already is in `scene`.
    func follow(_ follower: any SceneFollower) { followers.append(follower) }

    /// `work` runs at the end, while the screen still takes acts.
    func beforeEnd(_ work: @escaping @Sendable () async -> Void) { beforeEnd = work }

    /// In order; an act on a window that is no longer there does no harm.
    func perform(_ acts: [DesktopAct]) {
        for act in acts { panes.take(act) }
        keeper.assumeIsolated { $0.screen }?.perform(acts)
    }

    /// Comes back once the display has answered; without one at once.
    func answers() async { await keeper.screen?.answers() }

    /// What assistive technology presses is pressed as by a hand.
    func press(_ pane: PaneID, _ spot: String) {
        beginTurn()
        if keeper.assumeIsolated({ $0.screen != nil }) { take(.pane(pane, .pressed(spot))) }
        settle()
    }

    /// Apps were installed or removed, so windows may belong to others.
    func lookUpApps() {
        beginTurn()
        let before = scene.windows
        scene.resolve(parts.naming)
        look(atBootMs: now.bootMs)
        // The display says nothing of it, and would not until something happens to the window itself.
        for (id, seen) in scene.windows where seen.app != before[id]?.app {
            for follower in followers { follower.sceneChanged(scene, .window(seen.window)) }
        }
        settle()
    }

    /// Apps that have a shield on the screen: time in front of them does not count as use.
    func shielded(_ apps: Set<String>) {
        beginTurn()
        watcher.shield(apps, now: now)
        settle()
    }

    /// An app has put notifications before the person.
    func notified(_ app: String, _ count: Int = 1) {
        beginTurn()
        watcher.notified(app, Int64(clamping: count), now: now)
        settle()
    }

    // MARK: - The screen

    private func hear(_ news: ScreenKeeper.News) {
        beginTurn()
        switch news {
        case .looked(let signs):
            parts.looked(signs)
            for follower in followers { follower.looked() }
        case .event(let event): take(event)
        case .lost:
            front = Front(isGuarded: front.isGuarded)
            browsers.front(nil, atBootMs: now.bootMs)
            panes = OwnPanes()
        case .nothingToSee:
            watcher.sight(false, now: now)
            settle()
        case .allHeard: settle()
        }
    }

    private func take(_ event: DesktopEvent) {
        scene.take(event, parts.naming)
        panes.take(event)
        parts.presence.take(event)
        switch event {
        case .ready:
            look(atBootMs: now.bootMs)
            watcher.sight(true, now: now)
        case .focus(_, let bootMs): look(atBootMs: bootMs)
        case .window, .windowGone, .pane: look(atBootMs: now.bootMs)
        case .quiet, .idle, .touched, .outputs, .chosen, .lost: break
        }
        for follower in followers { follower.sceneChanged(scene, event) }
    }

    /// Which app is in front by now, and which site in it.
    private func look(atBootMs bootMs: Int64) {
        let app = front.app(in: scene, panes: panes.takingKeys)
        parts.presence.front(app.map { FrontApp($0, in: scene) })
        browsers.front(front.window.flatMap { scene.windows[$0]?.window }, atBootMs: bootMs)
        watcher.sees(app, site: browsers.site(atBootMs: bootMs), atBootMs: bootMs, now: now)
    }

    /// The browser is the process that started browser-host: the kernel says so, and no caller can claim another.
    private func browses(_ request: BrowserTell.Request, _ principal: Principal) throws {
        guard let browser = ProcFile.parent(of: principal.pid), browser > 1 else {
            throw Problem("browse.unknown", "The browser that started browser-host has exited.")
        }
        beginTurn()
        try browsers.take(request, of: browser, bootMs: now.bootMs)
        look(atBootMs: now.bootMs)
        settle()
    }

    private func hear(_ word: PresenceWord) {
        beginTurn()
        watcher.hears(word, now: now)
        settle()
    }

    // MARK: - What is seen

    /// After anything has happened: tells what can be told, and sets the alarm for the rest.
    private func settle() {
        guard !isEnding else { return }
        beginTurn()
        if watcher.present?.site != nil, browsers.site(atBootMs: now.bootMs) == nil {
            look(atBootMs: now.bootMs)
        }
        watcher.tick(now)
        tell()
        showFacts()
        let due = [watcher.nextBootMs, browsers.nextBootMs(after: now.bootMs)].compactMap(\.self)
        dueAlarm?.set(bootMs: due.min())
    }

    private func tell() {
        guard let member, watcher.hasReady else { return }
        let isBeat = watcher.isBeatAlone
        let seen = watcher.take(member: member, zone: surroundings.time.zone())
        sender.assumeIsolated { [run = watcher.run] in $0.take(seen, of: run, isBeat: isBeat) }
    }

    private func showFacts() {
        let (choice, isBlind) = keeper.assumeIsolated { ($0.choice, $0.screen == nil) }
        guard let choice else { return }
        var sight = DesktopFacts.Sight(
            source: isBlind ? .none : choice.kind,
            reason: choice.reason,
            isBlind: isBlind,
            wayOut: choice.wayOut
        )
        sight.member = member
        sight.presence = watcher.present?.presence
        sight.app = watcher.present?.app
        sight.site = watcher.present?.site
        sight.beats = sender.assumeIsolated { $0.beats }
        let before = facts.sight
        guard sight != before else { return }
        facts.set(sight)
        guard sight.member != before?.member || sight.presence != before?.presence else { return }
        for follower in followers { follower.presenceChanged() }
    }

    /// activity-center has accepted observations of a run, and something may be decided at `checkAt`.
    func accepted(_ run: String, checkAt: Int64?) {
        guard run == watcher.run else { return }
        watcher.check(atBootMs: checkAt)
        if let checkAt { for follower in followers { follower.checkComes(atBootMs: checkAt) } }
        settle()
    }

    /// activity-center no longer knows the run: from now on there is another one.
    func forgotten(_ run: String) { if run == watcher.run { beginRun() } }

    func beginRun() { watcher.beginRun(Self.newRun(surroundings)) }

    // MARK: - The end

    /// The computer sleeps once this has returned, or two seconds later.
    func tellBeforeSleep() async {
        // The screen is heard a turn of the loop later, and the millisecond of a change must be over.
        for _ in 0..<100 {
            await surroundings.loop.thread.pause(ms: 2)
            settle()
            if watcher.isSettled, await sender.isWritten { return }
        }
    }

    /// Writes down that nothing is seen from now on, and takes everything of ours off the screen.
    private func end() async {
        // What is paused must go on before its cover goes.
        await beforeEnd()
        isEnding = true
        dueAlarm?.set()
        parts.presence.stop()
        for descriptor in surroundings.stops?.descriptors ?? [] {
            surroundings.loop.thread.currentWaiter.unwatch(descriptor: descriptor)
        }
        beginTurn()
        watcher.end(now)
        tell()
        await sender.writeAll()
        await keeper.close()
    }
}

/// Our own windows on the screen, as far as they may have the keyboard.
private struct OwnPanes {
    private var ordered: Set<PaneID> = []
    private var shown: Set<PaneID> = []

    /// How many can be seen and take keys.
    var takingKeys: Int { shown.count }

    mutating func take(_ act: DesktopAct) {
        switch act {
        case .openPane(let order) where order.takesKeys: ordered.insert(order.id)
        case .closePane(let id):
            ordered.remove(id)
            shown.remove(id)
        default: break
        }
    }

    mutating func take(_ event: DesktopEvent) {
        guard case .pane(let id, let news) = event, ordered.contains(id) else { return }
        switch news {
        case .shown: shown.insert(id)
        case .hidden, .failed: shown.remove(id)
        case .hovered, .pressed, .key, .held: break
        }
    }
}
