package import STContracts
package import STDesktop
package import STPlatform

/// Controls the shields on the screen: their covers, their pictures, the pauses of their apps, and their removal.
///
/// The director receives inputs and returns orders. After each input it orders the difference between the required and the
/// present state, so the order of inputs does not matter. Each part holds one subject: `ShieldRound` the known state,
/// `ShieldCovers` the covers, `ShieldPainter` the pictures, and `ShieldedApp` the look, the buttons and the processes of one app.
package struct ShieldDirector: Sendable {
    /// Upper bound on the shields in one reply.
    private static let toldMax = 40
    private static let windowsToldMax = 20

    /// The time to wait for the reply to a button.
    package static let pressMs = ShieldControls.pressMs

    private(set) var round: ShieldRound
    private(set) var apps: [String: ShieldedApp] = [:]
    private(set) var covers = ShieldCovers()
    private(set) var painter = ShieldPainter()
    private(set) var shelf = LookShelf()
    private var front = Front()
    /// The apps whose shields were last reported with the order `shielded`.
    private var told: Set<String> = []

    package init(_ settings: ShieldSettings) { round = ShieldRound(settings) }

    /// Returns true if a pane belongs to the director.
    package static func owns(_ pane: PaneID) -> Bool { ShieldCovers.owns(pane) }

    // MARK: - Queries

    /// True if nothing is covered or paused.
    package var isEmpty: Bool { covers.isEmpty && apps.values.allSatisfy(\.hold.isFree) }

    /// The paused apps, according to the last results.
    package var paused: [String] { apps.values.filter { $0.hold.means != nil }.map(\.id).sorted() }

    /// The reply of `desktop.shields`.
    package var reply: DesktopShields.Reply {
        let shields = apps.values.sorted { $0.id < $1.id }.filter {
            round.isShielded($0.id) || !$0.hold.isFree
        }
        var bytes = 0
        let views = shields.prefix(Self.toldMax).map { shield in
            var view = shield.view(covers, windowsMax: Self.windowsToldMax, round)
            bytes += view.steps.reduce(0) { $0 + $1.text.replyBytes }
            // A shield without its steps is better than no reply.
            if bytes > BusLimits.pageBytes { view.steps = [] }
            return view
        }
        return DesktopShields.Reply(shields: views, escalation: round.settings.escalation)
    }

    package var accessible: [AccessiblePane] { covers.isEmpty ? [] : access.panes }

    package var accessibleFocus: AccessibleFocus? { access.focus }

    private var access: ShieldAccess {
        ShieldAccess(apps: apps, covers: covers, gallery: painter.gallery, front: front.window, round: round)
    }

    /// The boot time at which a `tick` is due, or nil.
    package var nextMs: Int64? {
        let due = covers.retriesMs + painter.dueMs + apps.values.flatMap { $0.dueMs(covers, round) }
        // Past moments are excluded, so that a step that had no effect does not cause an endless loop.
        return due.filter { $0 > round.now.bootMs && $0 < .max }.min()
    }

    // MARK: - A round

    package mutating func take(_ input: ShieldInput, at now: TimeReading) -> [ShieldOrder] {
        take([input], at: now)
    }

    /// Handles several simultaneous inputs in one round.
    package mutating func take(_ inputs: [ShieldInput], at now: TimeReading) -> [ShieldOrder] {
        round.begin(at: now)
        for input in inputs { hear(input) }
        settle()
        return round.end()
    }

    private mutating func hear(_ input: ShieldInput) {
        switch input {
        case .ready: round.isReady = true
        case .scene(let scene, let words): round.see(scene, words)
        case .pane(let id, let event): hear(event, of: id)
        case .look(let app, let ticket, let outcome):
            apps[app]?.controls.hear(outcome, ticket, &shelf, &round)
        case .drawn(let key, let result): painter.hear(result, of: key, apps.keys, &round)
        case .answered(let app, let press, let result):
            apps[app]?.controls.hear(result, press, &shelf, &round)
        case .requested(let app, let result): apps[app]?.controls.hear(result, &round)
        case .verdict(let app, let verdict): apps[app]?.hold.hear(verdict, &round)
        case .paused(let app, let outcome): apps[app]?.hold.hear(outcome, &covers, &round)
        case .thawed(let app): apps[app]?.hold.hearThawed(&covers)
        case .silent: for id in apps.keys.sorted() { apps[id]?.hold.screenIsSilent(&round) }
        case .continued(let app): apps[app]?.hold.wasContinued(&round)
        case .underway(let app, let sentence): apps[app]?.hold.hear(call: sentence, &round)
        case .ended(let app, let processes):
            round.step(
                app,
                Message(
                    "agent.processes-asked-to-end",
                    count: processes,
                    one: "Screen Time asked \(processes, "count") process to end.",
                    other: "Screen Time asked \(processes, "count") processes to end."
                )
            )
        case .offer(let offer): round.offer = offer
        case .soon(let app): prepare(app)
        case .tick:
            // A cover may be due for another attempt, or the time of a question may be over.
            if covers.isRetryDue(round.now.bootMs) || apps.values.contains(where: \.hold.isClosing) {
                round.coversAreDue = true
            }
        case .stop:
            round.isStopping = true
            round.coversAreDue = true
        }
    }

    private mutating func hear(_ event: PaneEvent, of id: PaneID) {
        guard let pane = covers[id] else { return }
        switch event {
        case .shown(let width, let height, let scale, _):
            covers.shown(id, PaneSize(width: width, height: height, scale: scale), &round)
        case .hidden: covers.hidden(id)
        case .hovered: break
        case .pressed(let spot): if !pane.isClosing { apps[pane.app]?.press(spot, &round) }
        case .key(let key): if !pane.isClosing { apps[pane.app]?.press(key, &round) }
        case .held(let isHeld, let why):
            covers.held(id, isHeld)
            apps[pane.app]?.hold.inputAnswered(pane, isHeld: isHeld, why, &covers, &round)
        case .failed(let why): covers.fail(id, why, &round)
        }
    }

    private mutating func prepare(_ id: String) {
        guard apps[id] == nil, let seen = round.scene.windows(of: id).first(where: { $0.window.isShown })
        else { return }
        painter.prepare(seen, id, known: shelf[id], covers, round)
    }

    /// Orders all differences between the required state and the present one.
    private mutating func settle() {
        if round.coversAreDue {
            round.coversAreDue = false
            cover()
        }
        // A cover that takes the keys does not replace the window under it as the foreground window.
        let inFront = front.app(in: round.scene, panes: covers.upCount)
        for id in apps.keys.sorted() { apps[id]?.show(isInFront: id == inFront, covers, &round) }
        hold()
        // A removed cover may have prevented a pause.
        if takeDown() { hold() }
        if round.isStopping {
            painter.clear(&round)
        } else {
            painter.paint(apps, front: front.window, &covers, &round)
        }
        tellShielded()
    }

    // MARK: - Steps of a round

    /// Places one cover over each visible window of a shielded app, and removes all others. Called after the screen or a
    /// decision has changed.
    private mutating func cover() {
        let scene = round.scene
        covers.forgetFailures(beyond: scene)
        if !round.isStopping, scene.abilities.covers, scene.isKnown {
            // The focused window comes first.
            if let seen = scene.focus.flatMap({ scene.windows[$0] }) { cover(seen) }
            let others = scene.windows.values.filter { $0.window.id != scene.focus && isBare($0) }
            for seen in others.sorted(by: { $0.window.id.rawValue < $1.window.id.rawValue }) { cover(seen) }
        }
        covers.closeUnwanted(round)
        for id in apps.keys { apps[id]?.turn(&round) }
    }

    private func isBare(_ seen: SeenWindow) -> Bool {
        guard seen.window.isShown, let app = seen.app, round.isShielded(app.id) else { return false }
        return covers[seen.window.id]?.app != app.id
    }

    private mutating func cover(_ seen: SeenWindow) {
        let window = seen.window.id
        guard isBare(seen), let app = seen.app, apps[app.id]?.hold.isQuestion(window, round) != true,
            covers.mayCover(window, round.now.bootMs)
        else { return }
        if apps[app.id] == nil {
            apps[app.id] = ShieldedApp(app, round.word(of: app.id), known: shelf[app.id], &round)
        }
        guard let shielded = apps[app.id] else { return }
        let look = shielded.face.look ?? shelf[app.id]
        covers.cover(
            window,
            of: app.id,
            name: shielded.title,
            background: KnownLook.background(look, round.settings.appearance),
            isFree: shielded.hold.isFree,
            &round
        )
    }

    private mutating func hold() {
        let leaving = covers.leaving(round.scene)
        var windows: [String: [SeenWindow]] = [:]
        for seen in round.scene.windows.values {
            guard let app = seen.app?.id, apps[app] != nil else { continue }
            windows[app, default: []].append(seen)
        }
        for id in apps.keys.sorted() {
            apps[id]?.hold.turn(windows[id] ?? [], isLeaving: leaving.contains(id), &covers, &round)
        }
    }

    /// Removes closing covers, and apps without a cover. Returns true if any cover was removed.
    private mutating func takeDown() -> Bool {
        let held = Set(apps.values.lazy.filter { !$0.hold.isFree }.map(\.id))
        let isAnyGone = covers.takeDown(held: held, &round)
        let covered = covers.apps
        for (id, app) in apps where !covered.contains(id) && app.hold.isFree && !app.face.isShowing {
            // The cover has failed so far. The app remains, so that its steps appear in the reply.
            if round.isShielded(id), round.scene.windows.values.contains(where: { $0.app?.id == id }) {
                continue
            }
            apps[id] = nil
            round.endSteps(of: id)
        }
        return isAnyGone
    }

    private mutating func tellShielded() {
        let shielded = Set(
            covers.up(first: nil).lazy.filter { [round] in round.isShielded($0.app) }.map(\.app)
        )
        guard shielded != told else { return }
        told = shielded
        round.order(.shielded(shielded))
    }
}
