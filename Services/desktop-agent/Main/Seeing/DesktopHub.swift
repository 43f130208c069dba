import STBus
import STContracts
import STDesktop
import STDesktopCore
import STPlatform
import STScreen
import STServiceKit
import STZeroMQ

/// A part of the agent that follows the screen, for example shields and panels.
///
/// Each function is called on the bus thread and must return without blocking. Events arrive in order, each with the
/// scene after it.
protocol SceneFollower: Sendable {
    func sceneChanged(_ scene: DesktopScene, _ event: DesktopEvent)

    /// Called after each reply of activity-center that names a moment at which a threshold of the foreground app may be due.
    func checkComes(atBootMs bootMs: Int64)

    /// Called after a change of member or presence. `DesktopFacts` has the new values.
    func presenceChanged()

    /// Called after each search for a display, also if it found none.
    func looked()
}

extension SceneFollower {
    func checkComes(atBootMs bootMs: Int64) {}

    func presenceChanged() {}

    func looked() {}
}

/// Receives the events of the screen, applies them to the scene, calls the followers, and sends observations to
/// `ObservationSender`.
///
/// Runs on the bus thread.
actor DesktopHub {
    /// The parts that the hub uses.
    struct Parts: Sendable {
        var choose: ScreenChooser
        var presence: SessionPresence
        /// Returns the app of a window. It is called for every change of a window, so it must cache its results.
        var naming: @Sendable (DesktopWindow) -> AppIdentity?
        /// Receives true if a child uses the session.
        var guardChild: @Sendable (Bool) -> Void = { _ in }
        /// Returns the reason why an app is never paused, or nil if it may be paused or has not been examined yet.
        var neverPaused: @Sendable (AppIdentity) -> Message? = { _ in nil }
        /// Receives the properties of the displays after each search.
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

    /// The time of this turn, read before the check for stops. A stop that begins after the check is later than this time, and
    /// the next turn detects it.
    private var now: TimeReading

    /// Reads the time and checks for stops. Must be called before each event, because events that were queued during a stop
    /// describe only the present.
    private func beginTurn() {
        now = surroundings.time.now()
        guard let stops = surroundings.stops else { return }
        // A program of the same account may send signals without end.
        for _ in 0..<Self.stopsMax where stops.take() {
            now = surroundings.time.now()
            watcher.wasStopped(now, isEnding: stops.isEnding)
        }
    }

    /// Runs until the task is cancelled.
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
        // The task only waits for its cancellation.
        let (never, continuation) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        continuation.finish()
        await end()
    }

    /// Sets the member of this session. Earlier observations belong to the previous member.
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

    /// The properties of the displays, and the chosen screen. `nil` before the first search.
    var choice: (signs: ScreenSigns, choice: AdapterChoice)? {
        keeper.assumeIsolated { keeper in keeper.choice.map { (keeper.signs, $0) } }
    }

    /// True if the agent observes nothing at the moment.
    var isBlind: Bool { keeper.assumeIsolated { $0.screen == nil } }

    /// The processes of browsers that report their foreground site, with the versions of their extensions.
    var tellingBrowsers: [Int32: String] { browsers.telling(atBootMs: surroundings.time.now().bootMs) }

    /// The foreground app, unless its process reports its site.
    var silentFront: AppIdentity? {
        guard let seen = front.window.flatMap({ scene.windows[$0] }), let process = seen.window.pid else {
            return nil
        }
        return tellingBrowsers[process] == nil ? seen.app : nil
    }

    /// The path of the unknown program in the foreground. `nil` if the foreground app is known.
    var unknownProgram: String? { front.window.flatMap { scene.windows[$0]?.app?.unknownProgram } }

    /// Adds a follower. It receives the events from now on. `scene` has the present state.
    func follow(_ follower: any SceneFollower) { followers.append(follower) }

    /// Sets the work to run at the end, while the screen still accepts acts.
    func beforeEnd(_ work: @escaping @Sendable () async -> Void) { beforeEnd = work }

    /// Performs acts in order. An act on a window that is gone has no effect.
    func perform(_ acts: [DesktopAct]) {
        for act in acts { panes.take(act) }
        keeper.assumeIsolated { $0.screen }?.perform(acts)
    }

    /// Returns once the display has answered, or immediately without a display.
    func answers() async { await keeper.screen?.answers() }

    /// Presses a control for assistive technology, with the same effect as a click.
    func press(_ pane: PaneID, _ spot: String) {
        beginTurn()
        if keeper.assumeIsolated({ $0.screen != nil }) { take(.pane(pane, .pressed(spot))) }
        settle()
    }

    /// Determines the apps of all windows again, after an installation or a removal.
    func lookUpApps() {
        beginTurn()
        let before = scene.windows
        scene.resolve(parts.naming)
        look(atBootMs: now.bootMs)
        // The display does not report these changes, because the windows themselves did not change.
        for (id, seen) in scene.windows where seen.app != before[id]?.app {
            for follower in followers { follower.sceneChanged(scene, .window(seen.window)) }
        }
        settle()
    }

    /// Sets the apps that have a shield on the screen. Time in front of a shield does not count as use.
    func shielded(_ apps: Set<String>) {
        beginTurn()
        watcher.shield(apps, now: now)
        settle()
    }

    /// Counts notifications that an app has shown to the person.
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

    /// Updates the foreground app and its site.
    private func look(atBootMs bootMs: Int64) {
        let app = front.app(in: scene, panes: panes.takingKeys)
        parts.presence.front(app.map { FrontApp($0, in: scene) })
        browsers.front(front.window.flatMap { scene.windows[$0]?.window }, atBootMs: bootMs)
        watcher.sees(app, site: browsers.site(atBootMs: bootMs), atBootMs: bootMs, now: now)
    }

    /// Handles a browser's report. The browser is the process that started browser-host. The kernel reports it, so a caller
    /// cannot claim another one.
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

    // MARK: - Observations

    /// Sends the observations that are ready, and sets the timer of the next one. Called after each event.
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

    /// Handles the acceptance of observations of a run. A threshold may be due at `checkAt`.
    func accepted(_ run: String, checkAt: Int64?) {
        guard run == watcher.run else { return }
        watcher.check(atBootMs: checkAt)
        if let checkAt { for follower in followers { follower.checkComes(atBootMs: checkAt) } }
        settle()
    }

    /// Begins another run, because activity-center has lost this one.
    func forgotten(_ run: String) { if run == watcher.run { beginRun() } }

    func beginRun() { watcher.beginRun(Self.newRun(surroundings)) }

    // MARK: - The end

    /// Sends the last observations before a sleep. The computer sleeps once this has returned, or after two seconds.
    func tellBeforeSleep() async {
        // Events of the screen arrive one turn of the loop later, and a change is sent only after its millisecond is over.
        for _ in 0..<100 {
            await surroundings.loop.thread.pause(ms: 2)
            settle()
            if watcher.isSettled, await sender.isWritten { return }
        }
    }

    /// Records that nothing is observed from now on, and removes all panes from the screen.
    private func end() async {
        // Paused apps must run again before their covers close.
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

/// The agent's own panes that may have the keyboard.
private struct OwnPanes {
    private var ordered: Set<PaneID> = []
    private var shown: Set<PaneID> = []

    /// The number of visible panes that take keys.
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
