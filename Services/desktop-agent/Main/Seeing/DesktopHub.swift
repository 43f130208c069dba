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
protocol DesktopModelObserver: Sendable {
    func desktopDidChange(_ scene: DesktopModel, _ event: DesktopEvent)

    /// Called after each reply of activity-center that names a moment at which a threshold of the foreground app may be due.
    func checkWasScheduled(at moment: BootTime)

    /// Called after a change of member or presence. `DesktopFacts` has the new values.
    func presenceDidChange()

    /// Called after each search for a display, also if it found none.
    func probeDidFinish()
}

extension DesktopModelObserver {
    func checkWasScheduled(at moment: BootTime) {}

    func presenceDidChange() {}

    func probeDidFinish() {}
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
        var resolveApp: @Sendable (DesktopWindow) -> AppIdentity?
        /// Receives true if a child uses the session.
        var setChildProtection: @Sendable (Bool) -> Void = { _ in }
        /// Returns the reason why an app is never paused, or nil if it may be paused or has not been examined yet.
        var exemptionReason: @Sendable (AppIdentity) -> Message? = { _ in nil }
        /// Receives the properties of the displays after each search.
        var onProbe: @Sendable (ScreenProbeResult) -> Void = { _ in }
    }

    private static let stopsMax = 3

    private let surroundings: ServiceEnvironment
    private let sender: ObservationSender
    private let facts: DesktopFacts
    private let parts: Parts
    private let screenConnection: ScreenConnection
    private(set) var desktop = DesktopModel()
    private var observers: [any DesktopModelObserver] = []
    private var foreground = ForegroundTracker()
    private var browsers = BrowserReports()
    private var panes = OwnPanes()
    private var observations: ObservationBuilder
    private(set) var member: String?
    private var timer: DeadlineTimer?
    private var isEnding = false
    private var beforeEnd: @Sendable () async -> Void = {}

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(
        _ surroundings: ServiceEnvironment,
        sender: ObservationSender,
        facts: DesktopFacts,
        parts: Parts
    ) {
        self.surroundings = surroundings
        self.sender = sender
        self.facts = facts
        self.parts = parts
        screenConnection = ScreenConnection(surroundings, parts.choose)
        now = surroundings.time.now()
        observations = ObservationBuilder(
            bootID: surroundings.time.bootID,
            run: Self.newRun(surroundings),
            countsStops: surroundings.directories.isProtectedAccount
        )
    }

    private static func newRun(_ surroundings: ServiceEnvironment) -> String {
        Identifier.make(wallMs: surroundings.time.now().wallMs)
    }

    /// The time of this turn, read before the check for stops. A stop that begins after the check is later than this time, and
    /// the next turn detects it.
    private var now: TimeReading

    /// Reads the time and checks for stops. Must be called before each event, because events that were queued during a stop
    /// describe only the present.
    private func beginTurn() {
        now = surroundings.time.now()
        guard let stops = surroundings.shutdown else { return }
        // A program of the same account may send signals without end.
        for _ in 0..<Self.stopsMax where stops.consume() {
            now = surroundings.time.now()
            observations.recordSuspension(now, isEnding: stops.isEnding)
        }
    }

    /// Runs until the task is cancelled.
    func run() async {
        do {
            timer = try DeadlineTimer(surroundings.loop.thread, time: surroundings.time) { [weak self] in
                self?.assumeIsolated { $0.reconcile() }
            }
        } catch {
            surroundings.log.problem("no_alarm", error)
            return
        }
        await sender.setHub(self)
        facts.setWindowsProvider { [unowned self] request in
            try assumeIsolated {
                try WindowReplyBuilder.page(request, scene: $0.desktop, neverPaused: $0.parts.exemptionReason)
            }
        }
        facts.setBrowserHandler { [unowned self] request, principal in
            try assumeIsolated { try $0.receiveBrowserReport(request, principal) }
        }
        let thread = surroundings.loop.thread
        parts.presence.start { [weak self] word in
            thread.post { [weak self] in self?.assumeIsolated { $0.handle(word) } }
        }
        for descriptor in surroundings.shutdown?.descriptors ?? [] {
            thread.currentWaiter.watch(descriptor: descriptor) { [weak self] in
                self?.assumeIsolated { $0.reconcile() }
            }
        }
        await screenConnection.start { [weak self] news in self?.assumeIsolated { $0.handle(news) } }
        reconcile()
        // The task only waits for its cancellation.
        let (never, continuation) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        continuation.finish()
        await end()
    }

    /// Sets the member of this session. Earlier observations belong to the previous member.
    func setMember(_ member: String, isChild: Bool) {
        parts.setChildProtection(isChild)
        let isGuarded = isChild && surroundings.directories.isProtectedAccount
        if isGuarded != foreground.isGuarded {
            beginTurn()
            foreground.isGuarded = isGuarded
            refresh(at: now.boot)
        }
        guard member != self.member else { return }
        beginTurn()
        if self.member != nil {
            observations.end(now)
            sendObservations()
            beginRun()
            if desktop.isKnown { observations.setCanObserve(true, now: now) }
            refresh(at: now.boot)
        }
        self.member = member
        reconcile()
    }

    // MARK: - For the other parts of the process

    /// The properties of the displays, and the chosen screen. `nil` before the first search.
    var choice: (signs: ScreenProbeResult, choice: AdapterChoice)? {
        screenConnection.assumeIsolated { keeper in keeper.choice.map { (keeper.signs, $0) } }
    }

    /// True if the agent observes nothing at the moment.
    var hasNoScreen: Bool { screenConnection.assumeIsolated { $0.screen == nil } }

    /// The processes of browsers that report their foreground site, with the versions of their extensions.
    var reportingBrowsers: [Int32: String] {
        browsers.reportingBrowsers(at: surroundings.time.now().boot)
    }

    /// The foreground app, unless its process reports its site.
    var unreportingBrowser: AppIdentity? {
        guard let seen = foreground.window.flatMap({ desktop.windows[$0] }), let process = seen.window.pid
        else {
            return nil
        }
        return reportingBrowsers[process] == nil ? seen.app : nil
    }

    /// The path of the unknown program in the foreground. `nil` if the foreground app is known.
    var unknownProgram: String? { foreground.window.flatMap { desktop.windows[$0]?.app?.unknownProgram } }

    /// Adds a follower. It receives the events from now on. `scene` has the present state.
    func addObserver(_ follower: any DesktopModelObserver) { observers.append(follower) }

    /// Sets the work to run at the end, while the screen still accepts acts.
    func beforeEnd(_ work: @escaping @Sendable () async -> Void) { beforeEnd = work }

    /// Performs acts in order. An act on a window that is gone has no effect.
    func perform(_ acts: [DesktopAction]) {
        for act in acts { panes.apply(act) }
        screenConnection.assumeIsolated { $0.screen }?.perform(acts)
    }

    /// Returns once the display has answered, or immediately without a display.
    func waitForScreen() async { await screenConnection.screen?.waitUntilResponsive() }

    /// Presses a control for assistive technology, with the same effect as a click.
    func press(_ pane: PaneID, _ spot: String) {
        beginTurn()
        if screenConnection.assumeIsolated({ $0.screen != nil }) { apply(.pane(pane, .pressed(spot))) }
        reconcile()
    }

    /// Determines the apps of all windows again, after an installation or a removal.
    func resolveApps() {
        beginTurn()
        let before = desktop.windows
        desktop.resolve(parts.resolveApp)
        refresh(at: now.boot)
        // The display does not report these changes, because the windows themselves did not change.
        for (id, seen) in desktop.windows where seen.app != before[id]?.app {
            for follower in observers { follower.desktopDidChange(desktop, .window(seen.window)) }
        }
        reconcile()
    }

    /// Sets the apps that have a shield on the screen. Time in front of a shield does not count as use.
    func setShieldedApps(_ apps: Set<String>) {
        beginTurn()
        observations.updateShieldedApps(apps, now: now)
        reconcile()
    }

    /// Counts notifications that an app has shown to the person.
    func recordNotification(_ app: String, _ count: Int = 1) {
        beginTurn()
        observations.recordNotification(app, Int64(clamping: count), now: now)
        reconcile()
    }

    // MARK: - The screen

    private func handle(_ news: ScreenConnection.ScreenEvent) {
        beginTurn()
        switch news {
        case .looked(let signs):
            parts.onProbe(signs)
            for follower in observers { follower.probeDidFinish() }
        case .event(let event): apply(event)
        case .lost:
            foreground = ForegroundTracker(isGuarded: foreground.isGuarded)
            browsers.setForeground(nil, at: now.boot)
            panes = OwnPanes()
        case .noScreen:
            observations.setCanObserve(false, now: now)
            reconcile()
        case .drained: reconcile()
        }
    }

    private func apply(_ event: DesktopEvent) {
        desktop.apply(event, parts.resolveApp)
        panes.apply(event)
        parts.presence.apply(event)
        switch event {
        case .ready:
            refresh(at: now.boot)
            observations.setCanObserve(true, now: now)
        case .focus(_, let bootMs): refresh(at: BootTime(ms: bootMs))
        case .window, .windowGone, .pane: refresh(at: now.boot)
        case .quiet, .idle, .touched, .outputs, .chosen, .lost: break
        }
        for follower in observers { follower.desktopDidChange(desktop, event) }
    }

    /// Updates the foreground app and its site.
    private func refresh(at moment: BootTime) {
        let app = foreground.app(in: desktop, panes: panes.takingKeys)
        parts.presence.setForegroundApp(app.map { FrontApp($0, in: desktop) })
        browsers.setForeground(foreground.window.flatMap { desktop.windows[$0]?.window }, at: moment)
        observations.updateForeground(app, site: browsers.site(at: moment), at: moment, now: now)
    }

    /// Handles a browser's report. The browser is the process that started browser-host. The kernel reports it, so a caller
    /// cannot claim another one.
    private func receiveBrowserReport(_ request: BrowserReport.Request, _ principal: Principal) throws {
        guard let browser = ProcFile.parent(of: principal.pid), browser > 1 else {
            throw Problem("browse.unknown", "The browser that started browser-host has exited.")
        }
        beginTurn()
        try browsers.receive(request, of: browser, at: now.boot)
        refresh(at: now.boot)
        reconcile()
    }

    private func handle(_ word: PresenceReport) {
        beginTurn()
        observations.updatePresence(word, now: now)
        reconcile()
    }

    // MARK: - Observations

    /// Sends the observations that are ready, and sets the timer of the next one. Called after each event.
    private func reconcile() {
        guard !isEnding else { return }
        beginTurn()
        if observations.lastState?.site != nil, browsers.site(at: now.boot) == nil {
            refresh(at: now.boot)
        }
        observations.tick(now)
        sendObservations()
        publishFacts()
        let due = [observations.nextTick, browsers.nextExpiry(after: now.boot)].compactMap(\.self)
        timer?.set(bootMs: due.min()?.ms)
    }

    private func sendObservations() {
        guard let member, observations.hasReady else { return }
        let isBeat = observations.hasOnlyHeartbeat
        let seen = observations.takeObservations(member: member, zone: surroundings.time.zone())
        sender.assumeIsolated { [run = observations.run] in $0.receive(seen, of: run, isBeat: isBeat) }
    }

    private func publishFacts() {
        let (choice, isBlind) = screenConnection.assumeIsolated { ($0.choice, $0.screen == nil) }
        guard let choice else { return }
        var sight = DesktopFacts.ObservationState(
            source: isBlind ? .none : choice.kind,
            reason: choice.reason,
            isBlind: isBlind,
            wayOut: choice.remedy
        )
        sight.member = member
        sight.presence = observations.lastState?.presence
        sight.app = observations.lastState?.app
        sight.site = observations.lastState?.site
        sight.heartbeats = sender.assumeIsolated { $0.heartbeatCount }
        let before = facts.observation
        guard sight != before else { return }
        facts.set(sight)
        guard sight.member != before?.member || sight.presence != before?.presence else { return }
        for follower in observers { follower.presenceDidChange() }
    }

    /// Handles the acceptance of observations of a run. A threshold may be due at `checkAt`.
    func handleAccepted(_ run: String, checkAt: BootTime?) {
        guard run == observations.run else { return }
        observations.setCheck(at: checkAt)
        if let checkAt { for follower in observers { follower.checkWasScheduled(at: checkAt) } }
        reconcile()
    }

    /// Begins another run, because activity-center has lost this one.
    func handleUnknownRun(_ run: String) { if run == observations.run { beginRun() } }

    func beginRun() { observations.beginRun(Self.newRun(surroundings)) }

    // MARK: - The end

    /// Sends the last observations before a sleep. The computer sleeps once this has returned, or after two seconds.
    func sendBeforeSleep() async {
        // Events of the screen arrive one turn of the loop later, and a change is sent only after its millisecond is over.
        for _ in 0..<100 {
            await surroundings.loop.thread.pause(ms: 2)
            reconcile()
            if observations.isSettled, await sender.isWritten { return }
        }
    }

    /// Records that nothing is observed from now on, and removes all panes from the screen.
    private func end() async {
        // Paused apps must run again before their covers close.
        await beforeEnd()
        isEnding = true
        timer?.set()
        parts.presence.stop()
        for descriptor in surroundings.shutdown?.descriptors ?? [] {
            surroundings.loop.thread.currentWaiter.unwatch(descriptor: descriptor)
        }
        beginTurn()
        observations.end(now)
        sendObservations()
        await sender.writeAll()
        await screenConnection.close()
    }
}

/// The agent's own panes that may have the keyboard.
private struct OwnPanes {
    private var ordered: Set<PaneID> = []
    private var shown: Set<PaneID> = []

    /// The number of visible panes that take keys.
    var takingKeys: Int { shown.count }

    mutating func apply(_ act: DesktopAction) {
        switch act {
        case .openPane(let order) where order.takesKeys: ordered.insert(order.id)
        case .closePane(let id):
            ordered.remove(id)
            shown.remove(id)
        default: break
        }
    }

    mutating func apply(_ event: DesktopEvent) {
        guard case .pane(let id, let news) = event, ordered.contains(id) else { return }
        switch news {
        case .shown: shown.insert(id)
        case .hidden, .failed: shown.remove(id)
        case .hovered, .pressed, .key, .held: break
        }
    }
}
