package import STContracts
package import STDesktop
package import STPlatform

/// All panels of one screen: what is known goes in, what is to be done comes out.
///
/// Knows no clock and no screen.
package struct PanelDirector: Sendable {
    package static let prefix = "panel:"
    static let countdownPane = PaneID(prefix + "countdown")
    static let questionPane = PaneID(prefix + "question")
    static let warningPane = PaneID(prefix + "warning")

    let settings: PanelSettings
    private let words: PanelWords
    private(set) var countdown: CountdownPlan
    private(set) var questions = QuestionPlan()
    private(set) var warnings = WarningPlan()
    private(set) var panes: [PanelPane] = [
        PanelPane(countdownPane), PanelPane(questionPane), PanelPane(warningPane),
    ]
    /// Each question gets a window of its own, so that keys meant for one never reach the next.
    private var questionShown: String?
    private var isScreenKnown = false
    private var isThere = true
    private var isLocked = false
    private var shielded: Set<String> = []
    private var front: String?
    /// The monitor at which somebody looks.
    private(set) var output: DesktopOutput?

    package init(_ settings: PanelSettings) {
        self.settings = settings
        words = PanelWords(language: settings.language)
        countdown = CountdownPlan(isOn: settings.hasCountdown)
    }

    // MARK: - What happens

    package mutating func take(_ scene: DesktopScene, _ event: DesktopEvent, _ now: TimeReading)
        -> [PanelOrder]
    {
        var orders: [PanelOrder] = []
        if case .lost = event { for index in panes.indices { orders += panes[index].lose() } }
        isScreenKnown = scene.isKnown
        look(at: scene)
        switch event {
        case .idle: there(false, now)
        case .touched: there(true, now)
        case .pane(let id, let news) where id.rawValue.hasPrefix(Self.prefix):
            return orders + take(id, news, now)
        case .window, .windowGone, .focus, .ready, .outputs, .lost, .pane: break
        }
        // Our own question takes the keyboard, and the app behind it is in front all the same.
        let app = scene.focus == nil && questionShown != nil ? nil : scene.appInFront
        if scene.focus != nil || questionShown == nil {
            front = app?.id
            countdown.front(app?.id, name: app?.name, atBootMs: now.bootMs)
        }
        return orders + turn(now)
    }

    /// Whether somebody is at the screen; `active` and whatever else there is.
    package mutating func presence(_ presence: Presence, _ now: TimeReading) -> [PanelOrder] {
        isLocked = presence == .locked || presence == .away || presence == .suspended
        there(presence == .active, now)
        return turn(now)
    }

    package mutating func sits(_ member: String?, _ now: TimeReading) -> [PanelOrder] {
        questions.sits(member)
        return turn(now)
    }

    /// Apps that have a shield on the screen.
    package mutating func shielded(_ apps: Set<String>, _ now: TimeReading) -> [PanelOrder] {
        shielded = apps
        countdown.shielded(apps, atBootMs: now.bootMs)
        return turn(now)
    }

    /// Rules, grants or limits have changed.
    package mutating func policyChanged(_ now: TimeReading) -> [PanelOrder] {
        countdown.changed(atBootMs: now.bootMs)
        return turn(now)
    }

    package mutating func asked(_ question: AuthQuestion, _ now: TimeReading) -> [PanelOrder] {
        questions.take(question, now)
        return turn(now)
    }

    /// A notification of ours that no desktop shows.
    package mutating func warned(id: String, title: String, text: String, _ now: TimeReading) -> [PanelOrder]
    {
        warnings.take(.init(id: id, title: title, text: text, atBootMs: now.bootMs))
        return turn(now)
    }

    package mutating func tick(_ now: TimeReading) -> [PanelOrder] { turn(now) }

    // MARK: - Answers to what was wanted

    package mutating func drawn(
        _ id: PaneID,
        ticket: Int64,
        path: String,
        answer: DrawPanelAnswer?,
        _ now: TimeReading
    ) -> [PanelOrder] {
        guard let index = panes.firstIndex(where: { $0.id == id }) else { return [.forget([path])] }
        let orders = panes[index].drawn(ticket: ticket, path: path, answer: answer)
        if id == Self.questionPane, panes[index].isPainted { questions.painted(atBootMs: now.bootMs) }
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

    /// When `tick` is wanted; nil: nothing is near.
    package func nextBootMs(_ now: TimeReading) -> Int64? {
        guard isScreenKnown else { return questions.nextBootMs() }
        return [countdown.nextBootMs(now.bootMs), questions.nextBootMs(), warnings.nextBootMs()]
            .compactMap { $0 }.min()
    }

    // MARK: - Inside

    /// A question that takes the keyboard leaves the monitor what it was.
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
        if id == Self.questionPane, questionShown != nil, questionShown == questions.current?.request {
            var answer: QuestionAnswer?
            switch event {
            case .key(let key): answer = questions.key(key, atBootMs: now.bootMs)
            case .pressed(let spot): answer = questions.pressed(spot, atBootMs: now.bootMs)
            case .shown, .hidden, .hovered, .held, .failed: break
            }
            if let answer { orders.append(.answer(answer)) }
        }
        if let index = panes.firstIndex(where: { $0.id == id }) { orders += panes[index].take(event) }
        return orders + turn(now)
    }

    private mutating func turn(_ now: TimeReading) -> [PanelOrder] {
        var orders: [PanelOrder] = []
        let shieldHasKeys = front.map { shielded.contains($0) } ?? false
        let isHeldBack = shieldHasKeys || isLocked || !isScreenKnown
        if questions.isHeldBack != isHeldBack { questions.isHeldBack = isHeldBack }
        if shieldHasKeys { warnings.dropShown() }
        warnings.hold(isHeldBack || !isThere)
        questions.pass(now.bootMs)
        warnings.pass(now.bootMs)
        if isScreenKnown, let ask = countdown.takeAsk(now.bootMs) {
            orders.append(.askBudget(app: ask.app, ticket: ask.ticket))
        }
        let next = questions.current?.request
        if next != questionShown {
            orders += panes[1].show(nil)
            questionShown = next
        }
        let faces = PanelFaces(settings: settings, words: words)
        orders += panes[1].show(faces.question(questions, now.bootMs))
        orders += panes[0].show(isScreenKnown ? countdown.view(now.bootMs).map { faces.countdown($0) } : nil)
        orders += panes[2].show(isScreenKnown ? warnings.current.map { faces.warning($0) } : nil)
        return orders
    }
}
