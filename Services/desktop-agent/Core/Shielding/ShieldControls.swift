import STContracts
import STDesktop
import STPlatform

/// The controls of one shield: its face, its buttons, the press under way, and the line with the result.
struct ShieldControls: Sendable {
    /// The time for the reply to a press. It is longer than the time that shield-service gives an app to answer.
    static let pressTimeout: Duration = .seconds(8)
    static let noteLength: Duration = .seconds(8)
    /// The additional time that one press requests.
    static let additionalTime: Duration = .seconds(60 * 15)

    private struct Pressing {
        let button: ShieldButton
        let deadline: BootTime
    }

    private let app: String
    var presentation: ShieldFace
    /// The control that the keyboard would press. `nil` until keys are used.
    private(set) var focus: String?
    private(set) var isMenuOpen = false
    private(set) var note: String?
    private var noteEnd = BootTime(ms: 0)
    /// The number of presses in this showing. The last one may wait for its reply.
    private var presses: Int64 = 0
    private var pendingPress: Pressing?
    /// A button that was pressed before shield-service named the showing.
    private var waiting: ShieldButton?
    /// True after a request for more time was accepted.
    private var hasRequestedTime = false
    private var isRequestingTime = false
    /// True while the app has time to close, after the person asked for that.
    private var isClosing = false

    init(_ app: String, _ face: ShieldFace) {
        self.app = app
        self.presentation = face
    }

    // MARK: - Queries

    var dueTimes: [BootTime] {
        var due: [BootTime] = []
        if let pendingPress { due.append(pendingPress.deadline) }
        if note != nil { due.append(noteEnd) }
        return due
    }

    /// Returns the controls in reading order.
    func focusOrder(_ round: ShieldContext) -> [String] {
        guard let look = presentation.displayedAppearance(round.settings.language)?.appearance else {
            return []
        }
        if isMenuOpen {
            return ShieldButton.menu.prefix(look.submenu.count).map(\.rawValue)
        }
        var ring = [ShieldButton.primary.rawValue]
        if look.secondary != nil { ring.append(ShieldButton.secondary.rawValue) }
        if let more = moreTimeButton(round), more.label != nil {
            ring.append(more.spot ?? DrawnSpot.moreTime)
        }
        return ring
    }

    /// Returns the control below the look's own buttons, and the line under it, or nil if there is neither.
    func moreTimeButton(_ round: ShieldContext) -> DrawMore? {
        var label: String?
        // The built-in look may offer more time itself. Then this control can close the app.
        let isOffered = presentation.appearance?.view.source == .builtIn
        if let offer = round.offer, !isOffered, !hasRequestedTime, !isRequestingTime,
            presentation.displayedAppearance(round.settings.language) != nil
        {
            let isOwn = if case .own = offer { true } else { false }
            label = round.strings.moreTime(Self.duration(of: offer), isOwn: isOwn)
        }
        var spot: String?
        if label == nil, isOffered, !isClosing, round.desktop.abilities.closesWindows {
            label = round.strings.close
            spot = DrawnSpot.closeApp
        }
        guard label != nil || note != nil else { return nil }
        let isFocused = focus != nil && focus == spot ?? DrawnSpot.moreTime
        return DrawMore(label: label, spot: spot, note: note, isFocused: isFocused ? true : nil)
    }

    private static func duration(of offer: MoreTimeOffer) -> Duration {
        switch offer {
        case .own(let most, _): min(most, additionalTime)
        case .guardian: additionalTime
        }
    }

    // MARK: - Time

    /// Ends a press without a reply in time, and removes an expired note.
    mutating func advance(_ round: inout ShieldContext) {
        if let pendingPress, pendingPress.deadline <= round.now.boot {
            self.pendingPress = nil
            pressDidTimeOut(pendingPress.button, &round)
        }
        if noteEnd <= round.now.boot { note = nil }
    }

    /// Ends the showing and the presses in it.
    mutating func hide() {
        presentation.end()
        presses = 0
        pendingPress = nil
        waiting = nil
    }

    mutating func close() {
        isMenuOpen = false
        focus = nil
    }

    /// Handles the removal of the shield: the app may be used again.
    mutating func shieldDidLift() {
        hide()
        close()
        hasRequestedTime = false
        isClosing = false
        note = nil
    }

    /// Records that the windows were asked to close, at the request of the person.
    mutating func shouldClose(_ round: ShieldContext) {
        close()
        isClosing = true
        showNote(round.strings.closing, round.now, stays: true)
    }

    /// Handles the end of the time for closing.
    mutating func finishClosing() {
        guard isClosing else { return }
        isClosing = false
        note = nil
    }

    // MARK: - Keys

    mutating func press(
        _ key: PaneKey,
        _ round: inout ShieldContext
    ) {
        switch key {
        case .next: moveFocus(by: 1, round)
        case .previous: moveFocus(by: -1, round)
        case .press, .text(" "): if let focus { press(focus, &round) }
        case .cancel:
            if isMenuOpen {
                isMenuOpen = false
                focus = ShieldButton.secondary.rawValue
            } else {
                round.recordStep(app, Message("agent.escape-was-pressed", "The person pressed Escape."))
                closeApp(&round)
            }
        case .backspace, .text: break
        }
    }

    private mutating func moveFocus(by step: Int, _ round: ShieldContext) {
        let ring = focusOrder(round)
        guard !ring.isEmpty else { return }
        let place = focus.flatMap { ring.firstIndex(of: $0) }
        let next = place.map { ($0 + step + ring.count) % ring.count } ?? (step > 0 ? 0 : ring.count - 1)
        focus = ring[next]
    }

    // MARK: - Buttons

    mutating func press(
        _ spot: String,
        _ round: inout ShieldContext
    ) {
        guard round.isShielded(app) else { return }
        if spot == DrawnSpot.moreTime { return requestMoreTime(&round) }
        guard let button = ShieldButton(rawValue: spot), button != .unknown else { return }
        if button == .secondary,
            let look = presentation.displayedAppearance(round.settings.language)?.appearance,
            !look.submenu.isEmpty
        {
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
        _ outcome: AppearanceOutcome,
        ticket: Int64,
        shelf: inout AppearanceCache,
        round: inout ShieldContext
    ) {
        guard presentation.hear(outcome, ticket: ticket, shelf: &shelf, round: &round), let button = waiting
        else { return }
        waiting = nil
        send(button, &round)
    }

    private mutating func send(
        _ button: ShieldButton,
        _ round: inout ShieldContext
    ) {
        if !presentation.isShowing { presentation.begin(&round) }
        guard pendingPress == nil else { return }
        guard let shield = presentation.shield else {
            if presentation.isAwaited {
                waiting = button
            } else {
                pressDidTimeOut(button, &round)
            }
            return
        }
        presses += 1
        pendingPress = Pressing(button: button, deadline: round.now.boot + Self.pressTimeout)
        round.recordStep(
            app,
            Message("agent.button-was-pressed", "The person pressed the \(button.rawValue, "button") button.")
        )
        round.addEffect(.press(app: app, shield: shield, button: button, press: presses))
    }

    /// Handles a press without a reply. The primary button leaves the app anyway. Every other button needs a reply.
    private mutating func pressDidTimeOut(_ button: ShieldButton, _ round: inout ShieldContext) {
        round.recordStep(
            app,
            Message(
                "agent.button-has-no-answer",
                "The person pressed the \(button.rawValue, "button") button, but there was no answer."
            )
        )
        if button == .primary { closeApp(&round) } else { showNote(round.strings.silent, round.now) }
    }

    mutating func hear(
        _ result: Result<ShieldPress.Reply, Problem>,
        press: Int64,
        shelf: inout AppearanceCache,
        round: inout ShieldContext
    ) {
        guard let pendingPress, presses == press else { return }
        self.pendingPress = nil
        guard case .success(let reply) = result else { return pressDidTimeOut(pendingPress.button, &round) }
        let (button, response) = (pendingPress.button.rawValue, reply.response.rawValue)
        round.recordStep(
            app,
            Message(
                "agent.answer-to-button",
                "The answer to the \(button, "button") button was \(response, "response")."
            )
        )
        if let problem = reply.problem { showNote(round.strings.refused(problem), round.now) }
        switch reply.response {
        case .close: closeApp(&round)
        case .defer:
            guard let view = reply.view else { return }
            shelf.add(presentation.store(view, round), app: app)
            focus = nil
        case .openApp: open(presentation.appearance?.view.app, &round)
        case .none, .unknown: break
        }
    }

    /// Moves the windows of the app to the background, and activates the previous window. The shield stays on the app.
    private mutating func closeApp(_ round: inout ShieldContext) {
        let scene = round.desktop
        let windows = scene.windows(of: app).filter(\.window.isShown).map(\.window.id)
        close()
        round.recordStep(
            app,
            Message("agent.windows-put-away", "Screen Time moves the windows of the app to the background.")
        )
        if scene.abilities.minimizes, !windows.isEmpty { round.addAction(.minimize(windows)) }
        guard scene.abilities.activates else { return }
        let next = round.recent.first { window in
            guard let seen = scene.windows[window], seen.window.isShown, let other = seen.app else {
                return false
            }
            return other.id != app && !round.isShielded(other.id)
        }
        round.addAction(.activate(next))
    }

    /// Activates a window of the app that set the shield. If it has none, a note asks the person to open the app.
    private mutating func open(_ asking: String?, _ round: inout ShieldContext) {
        guard let asking else { return }
        let windows = round.desktop.windows(of: asking)
        guard round.desktop.abilities.activates,
            let window = windows.first(where: \.window.isShown) ?? windows.first
        else {
            return showNote(round.strings.open(windows.first?.app?.name ?? asking), round.now)
        }
        round.addAction(.activate(window.window.id))
    }

    // MARK: - More time

    private mutating func requestMoreTime(_ round: inout ShieldContext) {
        guard !isRequestingTime, let offer = round.offer else { return }
        isRequestingTime = true
        focus = nil
        showNote(round.strings.requestingTime, round.now)
        round.recordStep(app, Message("agent.person-asks-for-time", "The person asked for more time."))
        round.addEffect(
            .requestTime(app: app, shield: presentation.shield, duration: Self.duration(of: offer))
        )
    }

    mutating func handle(_ result: Result<RequestAdd.Reply, Problem>, _ round: inout ShieldContext) {
        guard isRequestingTime else { return }
        isRequestingTime = false
        switch result {
        case .success(let reply):
            hasRequestedTime = true
            showNote(round.strings.timeRequested(reply.request), round.now, stays: true)
            let request = reply.request.request
            round.recordStep(
                app,
                Message("agent.request-was-made", "The request \(request, "request") asks for more time.")
            )
        case .failure(let problem):
            showNote(round.strings.refused(problem), round.now)
            round.recordStep(
                app,
                Message(
                    "agent.request-has-failed",
                    "The request for more time failed: \(problem.text, "problem")"
                )
            )
        }
    }

    /// Shows one line on the shield.
    private mutating func showNote(_ note: String, _ now: TimeReading, stays: Bool = false) {
        self.note = note
        noteEnd = stays ? .distantFuture : now.boot + Self.noteLength
    }
}
