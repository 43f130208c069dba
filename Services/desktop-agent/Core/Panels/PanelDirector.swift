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

/// An action that the caller of `PanelDirector` performs.
package enum PanelOrder: Sendable, Equatable {
    case screen([DesktopAct])
    /// Draws a panel. The easel chooses the path of the output. The result has the same ticket.
    case draw(PaneID, DrawPanelRequest, ticket: Int64)
    /// Deletes files that are no longer needed.
    case forget([String])
    /// Requests the next budget of this app that ends in a shield. The result has the same ticket.
    case askBudget(app: String, ticket: Int64)
    case answer(QuestionAnswer)
}

/// Controls all panels of one screen. Each event returns the orders that result from it.
package struct PanelDirector: Sendable {
    /// The three panels. Each raw value is the index in `panes`.
    private enum Panel: Int, CaseIterable {
        case countdown, question, warning

        static let prefix = "panel:"

        var pane: PaneID { PaneID("\(Self.prefix)\(self)") }
    }

    private let settings: PanelSettings
    private let faces: PanelFaces
    private var countdown: CountdownPlan
    private(set) var questions = QuestionPlan()
    private var warnings = WarningPlan()
    private var panes = Panel.allCases.map { PanelPane($0.pane) }
    /// The request id of the visible question. Each question gets its own window, so that keys for one question never
    /// reach the next.
    private var questionShown: String?
    private var isScreenKnown = false
    private var isThere = true
    private var isLocked = false
    private var shielded: Set<String> = []
    private var front: String?
    /// The monitor that the person looks at.
    private var output: DesktopOutput?

    package init(_ settings: PanelSettings) {
        self.settings = settings
        faces = PanelFaces(settings: settings, words: PanelWords(language: settings.language))
        countdown = CountdownPlan(isOn: settings.hasCountdown)
    }

    // MARK: - Events

    package mutating func take(_ scene: DesktopScene, _ event: DesktopEvent, _ now: TimeReading)
        -> [PanelOrder]
    {
        var orders: [PanelOrder] = []
        if case .lost = event { for index in panes.indices { orders += panes[index].lose() } }
        isScreenKnown = scene.isKnown
        look(at: scene)
        switch event {
        case .pane(let id, let news) where id.rawValue.hasPrefix(Panel.prefix):
            return orders + take(id, news, now)
        case .window, .windowGone, .focus, .ready, .outputs, .lost, .pane, .quiet, .idle, .touched,
            .chosen:
            break
        }
        // A question panel takes the keyboard, but the app behind it remains the foreground app.
        let app = scene.focus == nil && questionShown != nil ? nil : scene.appInFront
        if scene.focus != nil || questionShown == nil {
            front = app?.id
            countdown.front(app?.id, name: app?.name, atBootMs: now.bootMs)
        }
        return orders + turn(now)
    }

    /// Receives the presence of the person at the screen.
    package mutating func presence(_ presence: Presence, _ now: TimeReading) -> [PanelOrder] {
        isLocked = presence == .locked || presence == .away || presence == .suspended
        there(presence == .active, now)
        return turn(now)
    }

    package mutating func sits(_ member: String?, _ now: TimeReading) -> [PanelOrder] {
        questions.sits(member)
        return turn(now)
    }

    /// Receives the apps that have a shield on the screen.
    package mutating func shielded(_ apps: Set<String>, _ now: TimeReading) -> [PanelOrder] {
        shielded = apps
        countdown.shielded(apps, atBootMs: now.bootMs)
        return turn(now)
    }

    /// Handles a change of rules, grants or limits.
    package mutating func policyChanged(_ now: TimeReading) -> [PanelOrder] {
        countdown.changed(atBootMs: now.bootMs)
        return turn(now)
    }

    package mutating func asked(_ question: AuthQuestion, _ now: TimeReading) -> [PanelOrder] {
        questions.take(question, now)
        return turn(now)
    }

    /// Shows a notification of Screen Time that no desktop shows.
    package mutating func warned(id: String, title: String, text: String, _ now: TimeReading) -> [PanelOrder]
    {
        warnings.take(.init(id: id, title: title, text: text, atBootMs: now.bootMs))
        return turn(now)
    }

    package mutating func tick(_ now: TimeReading) -> [PanelOrder] { turn(now) }

    // MARK: - Results of orders

    package mutating func drawn(
        _ id: PaneID,
        ticket: Int64,
        path: String,
        answer: DrawPanelAnswer?,
        _ now: TimeReading
    ) -> [PanelOrder] {
        guard let index = panes.firstIndex(where: { $0.id == id }) else { return [.forget([path])] }
        let orders = panes[index].drawn(ticket: ticket, path: path, answer: answer)
        if id == Panel.question.pane, panes[index].isPainted { questions.painted(atBootMs: now.bootMs) }
        return orders
    }

    package mutating func budget(ticket: Int64, crossingBootMs: Int64?, _ now: TimeReading) -> [PanelOrder] {
        countdown.answered(ticket, crossingBootMs: crossingBootMs, nowBootMs: now.bootMs)
        return turn(now)
    }

    package mutating func answered(_ request: String, refusal: Problem?, _ now: TimeReading) -> [PanelOrder] {
        questions.answered(request, refusal: refusal, atBootMs: now.bootMs)
        return turn(now)
    }

    /// The boot time at which `tick` must be called, or nil if nothing is due.
    package func nextBootMs(_ now: TimeReading) -> Int64? {
        guard isScreenKnown else { return questions.nextBootMs() }
        return [countdown.nextBootMs(now.bootMs), questions.nextBootMs(), warnings.nextBootMs()]
            .compactMap { $0 }.min()
    }

    package var accessible: [AccessiblePane] { access.panes }

    package var accessibleFocus: AccessibleFocus? { access.focus }

    private var access: PanelAccess { PanelAccess(shown: panes, settings: settings, output: output) }

    // MARK: - Implementation

    /// Chooses the monitor of the focused window. The monitor remains the same while a question has the keyboard.
    private mutating func look(at scene: DesktopScene) {
        let frame = scene.focus.flatMap { scene.windows[$0]?.window.frame }
        let here = frame.flatMap { frame in
            scene.outputs.first {
                $0.frame.contains(x: frame.x + frame.width / 2, y: frame.y + frame.height / 2)
            }
        }
        let before = scene.outputs.first { $0.name == output?.name }
        output = here ?? before ?? scene.outputs.first
    }

    private mutating func there(_ isThere: Bool, _ now: TimeReading) {
        self.isThere = isThere
        countdown.isThere(isThere, atBootMs: now.bootMs)
    }

    private mutating func take(_ id: PaneID, _ event: PaneEvent, _ now: TimeReading) -> [PanelOrder] {
        var orders: [PanelOrder] = []
        if id == Panel.question.pane, questionShown != nil, questionShown == questions.current?.request,
            let answer = questions.take(event, atBootMs: now.bootMs)
        {
            orders.append(.answer(answer))
        }
        if let index = panes.firstIndex(where: { $0.id == id }) { orders += panes[index].take(event) }
        return orders + turn(now)
    }

    private mutating func turn(_ now: TimeReading) -> [PanelOrder] {
        var orders: [PanelOrder] = []
        let shieldHasKeys = front.map { shielded.contains($0) } ?? false
        let isHeldBack = shieldHasKeys || isLocked || !isScreenKnown
        questions.hold(isHeldBack)
        if shieldHasKeys { warnings.dropShown() }
        warnings.hold(isHeldBack || !isThere)
        questions.pass(now.bootMs)
        warnings.pass(now.bootMs)
        if isScreenKnown, let ask = countdown.takeAsk(now.bootMs) {
            orders.append(.askBudget(app: ask.app, ticket: ask.ticket))
        }
        let next = questions.current?.request
        if next != questionShown {
            orders += show(nil, on: .question)
            questionShown = next
        }
        orders += show(faces.question(questions, now.bootMs), on: .question)
        let left = isScreenKnown ? countdown.view(now.bootMs) : nil
        orders += show(left.map { faces.countdown($0) }, on: .countdown)
        let warning = isScreenKnown ? warnings.current : nil
        orders += show(warning.map { faces.warning($0) }, on: .warning)
        return orders
    }

    private mutating func show(_ content: PanelContent?, on panel: Panel) -> [PanelOrder] {
        panes[panel.rawValue].show(content)
    }
}
