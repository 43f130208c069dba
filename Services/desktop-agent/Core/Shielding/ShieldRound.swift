package import STContracts
import STDesktop
import STPlatform

/// How shields are on this desktop.
package struct ShieldSettings: Sendable, Equatable {
    package var escalation: Escalation
    package var escalateAfterMs: Int64
    package var language: String
    package var appearance: DrawAppearance
    /// Whether the frame of a window is in pixels, as on X11.
    package var framesArePixels: Bool

    package init(
        escalation: Escalation = .pause,
        escalateAfterMs: Int64 = 60_000,
        language: String = "en",
        appearance: DrawAppearance = .light,
        framesArePixels: Bool = true
    ) {
        self.escalation = escalation
        self.escalateAfterMs = escalateAfterMs
        self.language = language
        self.appearance = appearance
        self.framesArePixels = framesArePixels
    }

    /// Whether shields hold their apps at all.
    var holds: Bool { escalation == .pause || escalation == .close || escalation == .end }
}

/// What the parts of the director go by in one round, and what they have ordered in it so far.
struct ShieldRound: Sendable {
    static let recentMax = 32
    static let stepBytesMax = 240

    let settings: ShieldSettings
    let sayings: ShieldSayings
    private(set) var now = TimeReading(wallMs: 0, bootMs: 0, monotonicMs: 0)
    private(set) var scene = DesktopScene()
    private var words: [String: ShieldWord] = [:]
    /// Windows that were in front, the last one first.
    private(set) var recent: [WindowID] = []
    /// Apps that an earlier agent paused run again, so this one may pause.
    var isReady = false
    var isStopping = false
    /// The next settling has to check the covers.
    var coversAreDue = false
    /// How more time may be asked for here; nil: it cannot.
    var offer: MoreOffer?
    /// What was done about each app that has a shield, for `desktop.shields`.
    private var steps: [String: [ScreenShieldStep]] = [:]
    private var lastTicket: Int64 = 0
    private var orders: [ShieldOrder] = []
    /// What the screen is to do before the next order.
    private var acts: [DesktopAct] = []

    init(_ settings: ShieldSettings) {
        self.settings = settings
        sayings = ShieldSayings(settings.language)
    }

    mutating func begin(at now: TimeReading) { self.now = now }

    /// All that was ordered.
    mutating func end() -> [ShieldOrder] {
        flush()
        defer { orders = [] }
        return orders
    }

    // MARK: - The screen

    mutating func see(_ scene: DesktopScene, _ words: [String: ShieldWord]) {
        if let focus = scene.focus, focus != self.scene.focus {
            recent.removeAll { $0 == focus }
            recent.insert(focus, at: 0)
            if recent.count > Self.recentMax { recent.removeLast() }
        }
        self.scene = scene
        self.words = words
        coversAreDue = true
    }

    func word(of app: String) -> ShieldWord { words[app] ?? .allowed }

    func isShielded(_ app: String) -> Bool { !isStopping && word(of: app).isShielded }

    // MARK: - Orders

    mutating func act(_ act: DesktopAct) { acts.append(act) }

    mutating func order(_ order: ShieldOrder) {
        flush()
        orders.append(order)
    }

    private mutating func flush() {
        if acts.isEmpty { return }
        orders.append(.screen(acts))
        acts = []
    }

    mutating func nextTicket() -> Int64 {
        lastTicket += 1
        return lastTicket
    }

    // MARK: - Steps

    mutating func beginSteps(of app: String) { steps[app] = [] }

    mutating func endSteps(of app: String) { steps[app] = nil }

    func steps(of app: String) -> [ScreenShieldStep] { steps[app] ?? [] }

    /// The same step twice in a row is written once; without a shield there is nothing to write about.
    mutating func step(_ app: String, _ text: Message) {
        let isShort = text.english.utf8.count <= Self.stepBytesMax
        let kept =
            isShort ? text : Message(verbatim: String(text.english.prefix(Self.stepBytesMax / 4)) + "…")
        guard let before = steps[app], before.last?.text != kept else { return }
        if before.count >= ScreenShield.stepsMax { steps[app]?.removeFirst() }
        steps[app]?.append(ScreenShieldStep(wallMs: now.wallMs, text: kept))
    }
}
