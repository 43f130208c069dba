import STContracts
import STDesktop
import STPlatform

/// The controls of one shield: its face, its buttons, the press under way, and the line with the result.
struct ShieldControls: Sendable {
    /// The time for the reply to a press. It is longer than the time that shield-service gives an app to answer.
    static let pressMs: Int64 = 8_000
    static let noteMs: Int64 = 8_000
    /// The additional time that one press requests.
    static let moreMs: Int64 = 15 * 60_000

    private struct Pressing {
        let button: ShieldButton
        let deadlineMs: Int64
    }

    private let app: String
    var face: ShieldFace
    /// The control that the keyboard would press. `nil` until keys are used.
    private(set) var focus: String?
    private(set) var isMenuOpen = false
    private(set) var note: String?
    private var noteUntilMs: Int64 = 0
    /// The number of presses in this showing. The last one may wait for its reply.
    private var presses: Int64 = 0
    private var pressing: Pressing?
    /// A button that was pressed before shield-service named the showing.
    private var waiting: ShieldButton?
    /// True after a request for more time was accepted.
    private var hasAsked = false
    private var isAsking = false
    /// True while the app has time to close, after the person asked for that.
    private var isClosing = false

    init(_ app: String, _ face: ShieldFace) {
        self.app = app
        self.face = face
    }

    // MARK: - Queries

    var dueMs: [Int64] {
        var due: [Int64] = []
        if let pressing { due.append(pressing.deadlineMs) }
        if note != nil { due.append(noteUntilMs) }
        return due
    }

    /// Returns the controls in reading order.
    func ring(_ round: ShieldRound) -> [String] {
        guard let look = face.shown(round.settings.language)?.look else { return [] }
        if isMenuOpen {
            return ShieldButton.menu.prefix(look.submenu.count).map(\.rawValue)
        }
        var ring = [ShieldButton.primary.rawValue]
        if look.secondary != nil { ring.append(ShieldButton.secondary.rawValue) }
        if let more = more(round), more.label != nil { ring.append(more.spot ?? DrawnSpot.moreTime) }
        return ring
    }

    /// Returns the control below the look's own buttons, and the line under it, or nil if there is neither.
    func more(_ round: ShieldRound) -> DrawMore? {
        var label: String?
        // The built-in look may offer more time itself. Then this control can close the app.
        let isOffered = face.look?.view.source == .builtIn
        if let offer = round.offer, !isOffered, !hasAsked, !isAsking,
            face.shown(round.settings.language) != nil
        {
            let isOwn = if case .own = offer { true } else { false }
            label = round.sayings.more(Self.durationMs(offer), isOwn: isOwn)
        }
        var spot: String?
        if label == nil, isOffered, !isClosing, round.scene.abilities.asksToClose {
            label = round.sayings.close
            spot = DrawnSpot.closeApp
        }
        guard label != nil || note != nil else { return nil }
        let isFocused = focus != nil && focus == spot ?? DrawnSpot.moreTime
        return DrawMore(label: label, spot: spot, note: note, isFocused: isFocused ? true : nil)
    }

    private static func durationMs(_ offer: MoreOffer) -> Int64 {
        switch offer {
        case .own(let mostMs, _): min(mostMs, moreMs)
        case .guardian: moreMs
        }
    }

    // MARK: - Time

    /// Ends a press without a reply in time, and removes an expired note.
    mutating func pass(_ round: inout ShieldRound) {
        if let pressing, pressing.deadlineMs <= round.now.bootMs {
            self.pressing = nil
            unanswered(pressing.button, &round)
        }
        if noteUntilMs <= round.now.bootMs { note = nil }
    }

    /// Ends the showing and the presses in it.
    mutating func endShowing() {
        face.end()
        presses = 0
        pressing = nil
        waiting = nil
    }

    mutating func close() {
        isMenuOpen = false
        focus = nil
    }

    /// Handles the removal of the shield: the app may be used again.
    mutating func lifted() {
        endShowing()
        close()
        hasAsked = false
        isClosing = false
        note = nil
    }

    /// Records that the windows were asked to close, at the request of the person.
    mutating func closes(_ round: ShieldRound) {
        close()
        isClosing = true
        say(round.sayings.closing, round.now, stays: true)
    }

    /// Handles the end of the time for closing.
    mutating func hasClosed() {
        guard isClosing else { return }
        isClosing = false
        note = nil
    }

    // MARK: - Keys

    mutating func press(
        _ key: PaneKey,
        _ round: inout ShieldRound
    ) {
        switch key {
        case .next: turnFocus(by: 1, round)
        case .previous: turnFocus(by: -1, round)
        case .press, .text(" "): if let focus { press(focus, &round) }
        case .cancel:
            if isMenuOpen {
                isMenuOpen = false
                focus = ShieldButton.secondary.rawValue
            } else {
                round.step(app, Message("agent.escape-was-pressed", "The person pressed Escape."))
                leave(&round)
            }
        case .backspace, .text: break
        }
    }

    private mutating func turnFocus(by step: Int, _ round: ShieldRound) {
        let ring = ring(round)
        guard !ring.isEmpty else { return }
        let place = focus.flatMap { ring.firstIndex(of: $0) }
        let next = place.map { ($0 + step + ring.count) % ring.count } ?? (step > 0 ? 0 : ring.count - 1)
        focus = ring[next]
    }

    // MARK: - Buttons

    mutating func press(
        _ spot: String,
        _ round: inout ShieldRound
    ) {
        guard round.isShielded(app) else { return }
        if spot == DrawnSpot.moreTime { return askForMore(&round) }
        guard let button = ShieldButton(rawValue: spot), button != .unknown else { return }
        if button == .secondary, let look = face.shown(round.settings.language)?.look, !look.submenu.isEmpty {
            if focus != nil { focus = isMenuOpen ? button.rawValue : ShieldButton.firstSubmenu.rawValue }
            isMenuOpen.toggle()
            return
        }
        isMenuOpen = false
        send(button, &round)
    }

    /// Receives the result of a request for a look. A waiting button is pressed now, because the showing has its name or
    /// will not get one.
    mutating func hear(
        _ outcome: LookOutcome,
        _ ticket: Int64,
        _ shelf: inout LookShelf,
        _ round: inout ShieldRound
    ) {
        guard face.hear(outcome, ticket, &shelf, &round), let button = waiting else { return }
        waiting = nil
        send(button, &round)
    }

    private mutating func send(
        _ button: ShieldButton,
        _ round: inout ShieldRound
    ) {
        if !face.isShowing { face.begin(&round) }
        guard pressing == nil else { return }
        guard let shield = face.shield else {
            if face.isAwaited {
                waiting = button
            } else {
                unanswered(button, &round)
            }
            return
        }
        presses += 1
        pressing = Pressing(button: button, deadlineMs: round.now.bootMs + Self.pressMs)
        round.step(
            app,
            Message("agent.button-was-pressed", "The person pressed the \(button.rawValue, "button") button.")
        )
        round.order(.press(app: app, shield: shield, button: button, press: presses))
    }

    /// Handles a press without a reply. The primary button leaves the app anyway. Every other button needs a reply.
    private mutating func unanswered(_ button: ShieldButton, _ round: inout ShieldRound) {
        round.step(
            app,
            Message(
                "agent.button-has-no-answer",
                "The person pressed the \(button.rawValue, "button") button, but there was no answer."
            )
        )
        if button == .primary { leave(&round) } else { say(round.sayings.silent, round.now) }
    }

    mutating func hear(
        _ result: Result<ShieldPress.Reply, Problem>,
        _ press: Int64,
        _ shelf: inout LookShelf,
        _ round: inout ShieldRound
    ) {
        guard let pressing, presses == press else { return }
        self.pressing = nil
        guard case .success(let reply) = result else { return unanswered(pressing.button, &round) }
        let (button, response) = (pressing.button.rawValue, reply.response.rawValue)
        round.step(
            app,
            Message(
                "agent.answer-to-button",
                "The answer to the \(button, "button") button was \(response, "response")."
            )
        )
        if let problem = reply.problem { say(round.sayings.refused(problem), round.now) }
        switch reply.response {
        case .close: leave(&round)
        case .defer:
            guard let view = reply.view else { return }
            shelf.add(face.take(view, round), app: app)
            focus = nil
        case .openApp: open(face.look?.view.app, &round)
        case .none, .unknown: break
        }
    }

    /// Moves the windows of the app to the background, and activates the previous window. The shield stays on the app.
    private mutating func leave(_ round: inout ShieldRound) {
        let scene = round.scene
        let windows = scene.windows(of: app).filter(\.window.isShown).map(\.window.id)
        close()
        round.step(
            app,
            Message("agent.windows-put-away", "Screen Time moves the windows of the app to the background.")
        )
        if scene.abilities.minimizes, !windows.isEmpty { round.act(.minimize(windows)) }
        guard scene.abilities.activates else { return }
        let next = round.recent.first { window in
            guard let seen = scene.windows[window], seen.window.isShown, let other = seen.app else {
                return false
            }
            return other.id != app && !round.isShielded(other.id)
        }
        round.act(.activate(next))
    }

    /// Activates a window of the app that set the shield. If it has none, a note asks the person to open the app.
    private mutating func open(_ asking: String?, _ round: inout ShieldRound) {
        guard let asking else { return }
        let windows = round.scene.windows(of: asking)
        guard round.scene.abilities.activates,
            let window = windows.first(where: \.window.isShown) ?? windows.first
        else {
            return say(round.sayings.open(windows.first?.app?.name ?? asking), round.now)
        }
        round.act(.activate(window.window.id))
    }

    // MARK: - More time

    private mutating func askForMore(_ round: inout ShieldRound) {
        guard !isAsking, let offer = round.offer else { return }
        isAsking = true
        focus = nil
        say(round.sayings.asking, round.now)
        round.step(app, Message("agent.person-asks-for-time", "The person asked for more time."))
        round.order(.requestTime(app: app, shield: face.shield, durationMs: Self.durationMs(offer)))
    }

    mutating func hear(_ result: Result<RequestAdd.Reply, Problem>, _ round: inout ShieldRound) {
        guard isAsking else { return }
        isAsking = false
        switch result {
        case .success(let reply):
            hasAsked = true
            say(round.sayings.asked(reply.request), round.now, stays: true)
            let request = reply.request.request
            round.step(
                app,
                Message("agent.request-was-made", "The request \(request, "request") asks for more time.")
            )
        case .failure(let problem):
            say(round.sayings.refused(problem), round.now)
            round.step(
                app,
                Message(
                    "agent.request-has-failed",
                    "The request for more time failed: \(problem.text, "problem")"
                )
            )
        }
    }

    /// Shows one line on the shield.
    private mutating func say(_ note: String, _ now: TimeReading, stays: Bool = false) {
        self.note = note
        noteUntilMs = stays ? .max : now.bootMs + Self.noteMs
    }
}
