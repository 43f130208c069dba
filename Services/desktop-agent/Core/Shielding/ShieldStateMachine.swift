package import STContracts
package import STDesktop
package import STPlatform

/// Controls the shields on the screen: their covers, their pictures, the pauses of their apps, and their removal.
///
/// The director receives inputs and returns orders. After each input it orders the difference between the required and the
/// present state, so the order of inputs does not matter. Each part holds one subject: `ShieldContext` the known state,
/// `ShieldCovers` the covers, `ShieldPainter` the pictures, and `ShieldedApp` the look, the buttons and the processes of one app.
package struct ShieldStateMachine: Sendable {
    /// Upper bound on the shields in one reply.
    private static let reportedShieldsMax = 40
    private static let reportedWindowsMax = 20

    /// The time to wait for the reply to a button.
    package static let pressTimeout = ShieldControls.pressTimeout

    private(set) var context: ShieldContext
    private(set) var apps: [String: ShieldedApp] = [:]
    private(set) var covers = ShieldCovers()
    private(set) var painter = ShieldPainter()
    private(set) var appearances = AppearanceCache()
    private var foreground = ForegroundTracker()
    /// The apps whose shields were last reported with the order `shielded`.
    private var reportedApps: Set<String> = []

    package init(_ settings: ShieldSettings) { context = ShieldContext(settings) }

    /// Returns true if a pane belongs to the director.
    package static func owns(_ pane: PaneID) -> Bool { ShieldCovers.owns(pane) }

    // MARK: - Queries

    /// True if nothing is covered or paused.
    package var isEmpty: Bool { covers.isEmpty && apps.values.allSatisfy(\.enforcement.isFree) }

    /// The paused apps, according to the last results.
    package var paused: [String] { apps.values.filter { $0.enforcement.means != nil }.map(\.id).sorted() }

    /// The reply of `desktop.shields`.
    package var reply: DesktopShields.Reply {
        let shields = apps.values.sorted { $0.id < $1.id }.filter {
            context.isShielded($0.id) || !$0.enforcement.isFree
        }
        var bytes = 0
        let views = shields.prefix(Self.reportedShieldsMax).map { shield in
            var view = shield.view(covers, windowsMax: Self.reportedWindowsMax, context)
            bytes += view.steps.reduce(0) { $0 + $1.text.replyBytes }
            // A shield without its steps is better than no reply.
            if bytes > BusLimits.pageBytes { view.steps = [] }
            return view
        }
        return DesktopShields.Reply(shields: views, escalation: context.settings.escalation)
    }

    package var accessible: [AccessiblePane] { covers.isEmpty ? [] : access.panes }

    package var accessibleFocus: AccessibleFocus? { access.focus }

    private var access: ShieldAccessibility {
        ShieldAccessibility(
            apps: apps,
            covers: covers,
            pictures: painter.pictures,
            foregroundWindow: foreground.window,
            context: context
        )
    }

    /// The boot time at which a `tick` is due, or nil.
    package var nextTick: BootTime? {
        let due = covers.retryTimes + painter.dueTimes + apps.values.flatMap { $0.dueTimes(covers, context) }
        // Past moments are excluded, so that a step that had no effect does not cause an endless loop.
        return due.filter { $0 > context.now.boot && $0 < .distantFuture }.min()
    }

    // MARK: - A round

    package mutating func apply(_ input: ShieldInput, at now: TimeReading) -> [ShieldEffect] {
        apply([input], at: now)
    }

    /// Handles several simultaneous inputs in one round.
    package mutating func apply(_ inputs: [ShieldInput], at now: TimeReading) -> [ShieldEffect] {
        context.begin(at: now)
        for input in inputs { handle(input) }
        reconcile()
        return context.end()
    }

    private mutating func handle(_ input: ShieldInput) {
        switch input {
        case .ready: context.isReady = true
        case .scene(let scene, let words): context.update(scene, words)
        case .pane(let id, let event): handle(event, of: id)
        case .look(let app, let ticket, let outcome):
            apps[app]?.controls.hear(outcome, ticket: ticket, shelf: &appearances, round: &context)
        case .drawn(let key, let result): painter.hear(result, of: key, apps: apps.keys, round: &context)
        case .answered(let app, let press, let result):
            apps[app]?.controls.hear(result, press: press, shelf: &appearances, round: &context)
        case .requested(let app, let result): apps[app]?.controls.handle(result, &context)
        case .verdict(let app, let verdict): apps[app]?.enforcement.handle(verdict, &context)
        case .paused(let app, let outcome):
            apps[app]?.enforcement.hear(outcome, covers: &covers, round: &context)
        case .thawed(let app): apps[app]?.enforcement.didThaw(&covers)
        case .screenTimedOut:
            for id in apps.keys.sorted() { apps[id]?.enforcement.screenDidTimeOut(&context) }
        case .continued(let app): apps[app]?.enforcement.appDidContinue(&context)
        case .underway(let app, let sentence):
            apps[app]?.enforcement.handleCallCheck(call: sentence, &context)
        case .ended(let app, let processes):
            context.recordStep(
                app,
                Message(
                    "agent.processes-asked-to-end",
                    count: processes,
                    one: "Screen Time asked \(processes, "count") process to end.",
                    other: "Screen Time asked \(processes, "count") processes to end."
                )
            )
        case .offer(let offer): context.offer = offer
        case .soon(let app): prepare(app)
        case .tick:
            // A cover may be due for another attempt, or the time of a question may be over.
            if covers.isRetryDue(context.now.boot) || apps.values.contains(where: \.enforcement.isClosing) {
                context.areCoversDue = true
            }
        case .stop:
            context.isStopping = true
            context.areCoversDue = true
        }
    }

    private mutating func handle(_ event: PaneEvent, of id: PaneID) {
        guard let pane = covers[id] else { return }
        switch event {
        case .shown(let width, let height, let scale, _):
            covers.shown(id: id, size: PaneSize(width: width, height: height, scale: scale), round: &context)
        case .hidden: covers.markHidden(id)
        case .hovered: break
        case .pressed(let spot): if !pane.isClosing { apps[pane.app]?.press(spot, &context) }
        case .key(let key): if !pane.isClosing { apps[pane.app]?.press(key, &context) }
        case .held(let isHeld, let why):
            covers.setInputHeld(id, isHeld)
            apps[pane.app]?.enforcement.inputAnswered(
                pane,
                isHeld: isHeld,
                why: why,
                covers: &covers,
                round: &context
            )
        case .failed(let why): covers.fail(id: id, why: why, round: &context)
        }
    }

    private mutating func prepare(_ id: String) {
        guard apps[id] == nil, let seen = context.desktop.windows(of: id).first(where: { $0.window.isShown })
        else { return }
        painter.prepare(seen, id: id, known: appearances[id], covers: covers, round: context)
    }

    /// Orders all differences between the required state and the present one.
    private mutating func reconcile() {
        if context.areCoversDue {
            context.areCoversDue = false
            cover()
        }
        // A cover that takes the keys does not replace the window under it as the foreground window.
        let inFront = foreground.app(in: context.desktop, panes: covers.visibleCount)
        for id in apps.keys.sorted() { apps[id]?.show(isInFront: id == inFront, covers, &context) }
        enforce()
        // A removed cover may have prevented a pause.
        if removeUnneededCovers() { enforce() }
        if context.isStopping {
            painter.clear(&context)
        } else {
            painter.paint(apps, front: foreground.window, covers: &covers, round: &context)
        }
        reportShieldedApps()
    }

    // MARK: - Steps of a round

    /// Places one cover over each visible window of a shielded app, and removes all others. Called after the screen or a
    /// decision has changed.
    private mutating func cover() {
        let scene = context.desktop
        covers.discardFailures(beyond: scene)
        if !context.isStopping, scene.abilities.covers, scene.isKnown {
            // The focused window comes first.
            if let seen = scene.focusedWindow.flatMap({ scene.windows[$0] }) { cover(seen) }
            let others = scene.windows.values.filter {
                $0.window.id != scene.focusedWindow && isUncovered($0)
            }
            for seen in others.sorted(by: { $0.window.id.rawValue < $1.window.id.rawValue }) { cover(seen) }
        }
        covers.closeUnwanted(context)
        for id in apps.keys { apps[id]?.reconcile(&context) }
    }

    private func isUncovered(_ seen: IdentifiedWindow) -> Bool {
        guard seen.window.isShown, let app = seen.app, context.isShielded(app.id) else { return false }
        return covers[seen.window.id]?.app != app.id
    }

    private mutating func cover(_ seen: IdentifiedWindow) {
        let window = seen.window.id
        guard isUncovered(seen), let app = seen.app,
            apps[app.id]?.enforcement.isQuestion(window, context) != true,
            covers.canCover(window, context.now.boot)
        else { return }
        if apps[app.id] == nil {
            apps[app.id] = ShieldedApp(
                app,
                word: context.status(of: app.id),
                known: appearances[app.id],
                round: &context
            )
        }
        guard let shielded = apps[app.id] else { return }
        let look = shielded.presentation.appearance ?? appearances[app.id]
        covers.cover(
            window,
            of: app.id,
            name: shielded.title,
            background: CachedAppearance.background(look, context.settings.appearance),
            isFree: shielded.enforcement.isFree,
            &context
        )
    }

    private mutating func enforce() {
        let leaving = covers.closingApps(context.desktop)
        var windows: [String: [IdentifiedWindow]] = [:]
        for seen in context.desktop.windows.values {
            guard let app = seen.app?.id, apps[app] != nil else { continue }
            windows[app, default: []].append(seen)
        }
        for id in apps.keys.sorted() {
            apps[id]?.enforcement.turn(
                windows[id] ?? [],
                isLeaving: leaving.contains(id),
                covers: &covers,
                round: &context
            )
        }
    }

    /// Removes closing covers, and apps without a cover. Returns true if any cover was removed.
    private mutating func removeUnneededCovers() -> Bool {
        let held = Set(apps.values.lazy.filter { !$0.enforcement.isFree }.map(\.id))
        let isAnyGone = covers.removeUnneeded(held: held, &context)
        let covered = covers.apps
        for (id, app) in apps
        where !covered.contains(id) && app.enforcement.isFree && !app.presentation.isShowing {
            // The cover has failed so far. The app remains, so that its steps appear in the reply.
            if context.isShielded(id), context.desktop.windows.values.contains(where: { $0.app?.id == id }) {
                continue
            }
            apps[id] = nil
            context.endSteps(of: id)
        }
        return isAnyGone
    }

    private mutating func reportShieldedApps() {
        let shielded = Set(
            covers.visiblePanes(first: nil).lazy.filter { [context] in context.isShielded($0.app) }.map(\.app)
        )
        guard shielded != reportedApps else { return }
        reportedApps = shielded
        context.addEffect(.shielded(shielded))
    }
}
