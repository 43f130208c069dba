package import STContracts
package import STDesktop
package import STPlatform

/// The appearance of panels, and the panels that are enabled.
package struct PanelSettings: Sendable, Equatable {
    /// The language, for example `ko_KR`. `nil` means English.
    package var language: String?
    package var appearance: DrawAppearance
    /// True if the screen supports transparent corners.
    package var isRounded: Bool
    package var hasCountdown: Bool
    /// True if the screen measures in pixels, as X displays do.
    package var framesArePixels: Bool

    package init(
        language: String? = nil,
        appearance: DrawAppearance = .light,
        isRounded: Bool = false,
        hasCountdown: Bool = false,
        framesArePixels: Bool = true
    ) {
        self.language = language
        self.appearance = appearance
        self.isRounded = isRounded
        self.hasCountdown = hasCountdown
        self.framesArePixels = framesArePixels
    }
}

/// An action that the caller of `PanelStateMachine` performs.
package enum PanelEffect: Sendable, Equatable {
    case screen([DesktopAction])
    /// Draws a panel. The easel chooses the path of the output. The result has the same ticket.
    case draw(PaneID, DrawPanelRequest, ticket: Int64)
    /// Deletes files that are no longer needed.
    case forget([String])
    /// Requests the next budget of this app that ends in a shield. The result has the same ticket.
    case askBudget(app: String, ticket: Int64)
    case answer(QuestionAnswer)
}

/// Controls all panels of one screen. Each event returns the orders that result from it.
package struct PanelStateMachine: Sendable {
    /// The three panels. Each raw value is the index in `panes`.
    private enum Panel: Int, CaseIterable {
        case countdown, question, warning

        static let prefix = "panel:"

        var pane: PaneID { PaneID("\(Self.prefix)\(self)") }
    }

    private let settings: PanelSettings
    private let contentBuilder: PanelContentBuilder
    private var countdown: BudgetCountdown
    private(set) var questions = QuestionQueue()
    private var warnings = WarningQueue()
    private var panes = Panel.allCases.map { PanelPane($0.pane) }
    /// The request id of the visible question. Each question gets its own window, so that keys for one question never
    /// reach the next.
    private var questionShown: String?
    private var isScreenKnown = false
    private var isPresent = true
    private var isLocked = false
    private var shieldedApps: Set<String> = []
    private var foregroundApp: String?
    /// The monitor that the person looks at.
    private var output: DesktopOutput?

    package init(_ settings: PanelSettings) {
        self.settings = settings
        contentBuilder = PanelContentBuilder(
            settings: settings,
            strings: PanelStrings(language: settings.language)
        )
        countdown = BudgetCountdown(isOn: settings.hasCountdown)
    }

    // MARK: - Events

    package mutating func take(_ scene: DesktopModel, event: DesktopEvent, now: TimeReading)
        -> [PanelEffect]
    {
        var orders: [PanelEffect] = []
        if case .lost = event { for index in panes.indices { orders += panes[index].fail() } }
        isScreenKnown = scene.isKnown
        readDesktop(at: scene)
        switch event {
        case .pane(let id, let news) where id.rawValue.hasPrefix(Panel.prefix):
            return orders + take(id: id, event: news, now: now)
        case .window, .windowGone, .focus, .ready, .outputs, .lost, .pane, .quiet, .idle, .touched,
            .chosen:
            break
        }
        // A question panel takes the keyboard, but the app behind it remains the foreground app.
        let app = scene.focusedWindow == nil && questionShown != nil ? nil : scene.foregroundApp
        if scene.focusedWindow != nil || questionShown == nil {
            foregroundApp = app?.id
            countdown.setForeground(app?.id, name: app?.name, at: now.boot)
        }
        return orders + reconcile(now)
    }

    /// Receives the presence of the person at the screen.
    package mutating func updatePresence(_ presence: Presence, _ now: TimeReading) -> [PanelEffect] {
        isLocked = presence == .locked || presence == .away || presence == .suspended
        setPresent(presence == .active, now)
        return reconcile(now)
    }

    package mutating func updateMember(_ member: String?, _ now: TimeReading) -> [PanelEffect] {
        questions.setMember(member)
        return reconcile(now)
    }

    /// Receives the apps that have a shield on the screen.
    package mutating func updateShieldedApps(_ apps: Set<String>, _ now: TimeReading) -> [PanelEffect] {
        shieldedApps = apps
        countdown.setShieldedApps(apps, at: now.boot)
        return reconcile(now)
    }

    /// Handles a change of rules, grants or limits.
    package mutating func policyDidChange(_ now: TimeReading) -> [PanelEffect] {
        countdown.invalidate(at: now.boot)
        return reconcile(now)
    }

    package mutating func receiveQuestion(_ question: AuthQuestion, _ now: TimeReading) -> [PanelEffect] {
        questions.enqueue(question, now)
        return reconcile(now)
    }

    /// Shows a notification of Screen Time that no desktop shows.
    package mutating func receiveWarning(id: String, title: String, text: String, _ now: TimeReading)
        -> [PanelEffect]
    {
        warnings.enqueue(.init(id: id, title: title, text: text, at: now.boot))
        return reconcile(now)
    }

    package mutating func tick(_ now: TimeReading) -> [PanelEffect] { reconcile(now) }

    // MARK: - Results of orders

    package mutating func drawingDidFinish(
        _ id: PaneID,
        ticket: Int64,
        path: String,
        answer: DrawPanelAnswer?,
        _ now: TimeReading
    ) -> [PanelEffect] {
        guard let index = panes.firstIndex(where: { $0.id == id }) else { return [.forget([path])] }
        let orders = panes[index].drawingDidFinish(ticket: ticket, path: path, answer: answer)
        if id == Panel.question.pane, panes[index].isPainted { questions.markPainted(at: now.boot) }
        return orders
    }

    package mutating func receiveBudget(ticket: Int64, crossing: BootTime?, _ now: TimeReading)
        -> [PanelEffect]
    {
        countdown.receiveReply(ticket, crossing: crossing, now: now.boot)
        return reconcile(now)
    }

    package mutating func receiveAnswerResult(_ request: String, refusal: Problem?, _ now: TimeReading)
        -> [PanelEffect]
    {
        questions.receiveReply(request, refusal: refusal, at: now.boot)
        return reconcile(now)
    }

    /// The boot time at which `tick` must be called, or nil if nothing is due.
    package func nextTick(_ now: TimeReading) -> BootTime? {
        guard isScreenKnown else { return questions.nextDue() }
        return [countdown.nextDue(now.boot), questions.nextDue(), warnings.nextDue()]
            .compactMap { $0 }.min()
    }

    package var accessible: [AccessiblePane] { access.panes }

    package var accessibleFocus: AccessibleFocus? { access.focus }

    private var access: PanelAccessibility {
        PanelAccessibility(shown: panes, settings: settings, output: output)
    }

    // MARK: - Implementation

    /// Chooses the monitor of the focused window. The monitor remains the same while a question has the keyboard.
    private mutating func readDesktop(at scene: DesktopModel) {
        let frame = scene.focusedWindow.flatMap { scene.windows[$0]?.window.frame }
        let here = frame.flatMap { frame in
            scene.outputs.first {
                $0.frame.contains(x: frame.x + frame.width / 2, y: frame.y + frame.height / 2)
            }
        }
        let before = scene.outputs.first { $0.name == output?.name }
        output = here ?? before ?? scene.outputs.first
    }

    private mutating func setPresent(_ isThere: Bool, _ now: TimeReading) {
        self.isPresent = isThere
        countdown.setPresent(isThere, at: now.boot)
    }

    private mutating func take(id: PaneID, event: PaneEvent, now: TimeReading) -> [PanelEffect] {
        var orders: [PanelEffect] = []
        if id == Panel.question.pane, questionShown != nil, questionShown == questions.current?.request,
            let answer = questions.handle(event, at: now.boot)
        {
            orders.append(.answer(answer))
        }
        if let index = panes.firstIndex(where: { $0.id == id }) { orders += panes[index].handle(event) }
        return orders + reconcile(now)
    }

    private mutating func reconcile(_ now: TimeReading) -> [PanelEffect] {
        var orders: [PanelEffect] = []
        let shieldHasKeys = foregroundApp.map { shieldedApps.contains($0) } ?? false
        let isHeldBack = shieldHasKeys || isLocked || !isScreenKnown
        questions.setHeldBack(isHeldBack)
        if shieldHasKeys { warnings.removeDisplayed() }
        warnings.setHeldBack(isHeldBack || !isPresent)
        questions.advance(now.boot)
        warnings.advance(now.boot)
        if isScreenKnown, let ask = countdown.takeRequest(now.boot) {
            orders.append(.askBudget(app: ask.app, ticket: ask.ticket))
        }
        let next = questions.current?.request
        if next != questionShown {
            orders += show(nil, on: .question)
            questionShown = next
        }
        orders += show(contentBuilder.question(questions, now.boot), on: .question)
        let left = isScreenKnown ? countdown.view(now.boot) : nil
        orders += show(left.map { contentBuilder.countdown($0) }, on: .countdown)
        let warning = isScreenKnown ? warnings.current : nil
        orders += show(warning.map { contentBuilder.warning($0) }, on: .warning)
        return orders
    }

    private mutating func show(_ content: PanelContent?, on panel: Panel) -> [PanelEffect] {
        panes[panel.rawValue].show(content)
    }
}
