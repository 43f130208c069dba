package import STContracts
import STDesktop
import STPlatform

package struct ShieldSettings: Sendable, Equatable {
    package var escalation: Escalation
    package var escalateAfter: Duration
    package var language: String
    package var appearance: DrawAppearance
    /// True if the frames of windows are in pixels, as on X11.
    package var framesArePixels: Bool

    package init(
        escalation: Escalation = .pause,
        escalateAfter: Duration = .seconds(60),
        language: String = "en",
        appearance: DrawAppearance = .light,
        framesArePixels: Bool = true
    ) {
        self.escalation = escalation
        self.escalateAfter = escalateAfter
        self.language = language
        self.appearance = appearance
        self.framesArePixels = framesArePixels
    }

    /// True if shields may pause their apps.
    var pausesApps: Bool { escalation == .pause || escalation == .close || escalation == .end }
}

/// The common input of the parts of the director in one round, and the orders that they have added so far.
struct ShieldContext: Sendable {
    static let recentMax = 32
    static let stepBytesMax = 240

    let settings: ShieldSettings
    let strings: ShieldSayings
    private(set) var now = TimeReading(wallMs: 0, bootMs: 0, monotonicMs: 0)
    private(set) var desktop = DesktopModel()
    private var statuses: [String: ShieldStatus] = [:]
    /// Windows that had the focus, the most recent one first.
    private(set) var recent: [WindowID] = []
    /// True once apps that an earlier agent had paused run again. Only then may this agent pause apps.
    var isReady = false
    var isStopping = false
    /// True if the covers must be checked at the end of this round.
    var areCoversDue = false
    /// The way to ask for more time here. `nil` if there is none.
    var offer: MoreTimeOffer?
    /// The steps of each app with a shield, for `desktop.shields`.
    private var steps: [String: [ScreenShieldStep]] = [:]
    private var lastTicket: Int64 = 0
    private var effects: [ShieldEffect] = []
    /// Acts of the screen that come before the next order.
    private var actions: [DesktopAction] = []

    init(_ settings: ShieldSettings) {
        self.settings = settings
        strings = ShieldSayings(settings.language)
    }

    mutating func begin(at now: TimeReading) { self.now = now }

    /// Returns all orders of the round, and removes them.
    mutating func end() -> [ShieldEffect] {
        flushActions()
        defer { effects = [] }
        return effects
    }

    // MARK: - The screen

    mutating func update(_ scene: DesktopModel, _ words: [String: ShieldStatus]) {
        if let focus = scene.focusedWindow, focus != self.desktop.focusedWindow {
            recent.removeAll { $0 == focus }
            recent.insert(focus, at: 0)
            if recent.count > Self.recentMax { recent.removeLast() }
        }
        self.desktop = scene
        self.statuses = words
        areCoversDue = true
    }

    func status(of app: String) -> ShieldStatus { statuses[app] ?? .allowed }

    func isShielded(_ app: String) -> Bool { !isStopping && status(of: app).isShielded }

    // MARK: - Orders

    mutating func addAction(_ act: DesktopAction) { actions.append(act) }

    mutating func addEffect(_ order: ShieldEffect) {
        flushActions()
        effects.append(order)
    }

    private mutating func flushActions() {
        if actions.isEmpty { return }
        effects.append(.screen(actions))
        actions = []
    }

    mutating func nextTicket() -> Int64 {
        lastTicket += 1
        return lastTicket
    }

    // MARK: - Steps

    mutating func beginSteps(of app: String) { steps[app] = [] }

    mutating func endSteps(of app: String) { steps[app] = nil }

    func steps(of app: String) -> [ScreenShieldStep] { steps[app] ?? [] }

    /// Records a step. The same step twice in a row is recorded once. Apps without a shield have no steps.
    mutating func recordStep(_ app: String, _ text: Message) {
        let isShort = text.english.utf8.count <= Self.stepBytesMax
        let kept =
            isShort ? text : Message(verbatim: String(text.english.prefix(Self.stepBytesMax / 4)) + "…")
        guard let before = steps[app], before.last?.text != kept else { return }
        if before.count >= ScreenShield.stepsMax { steps[app]?.removeFirst() }
        steps[app]?.append(ScreenShieldStep(wallMs: now.wallMs, text: kept))
    }
}
