import STContracts
import STDesktop

/// What is known and under way of one app that is shielded, or was a moment ago.
struct ShieldedApp: Sendable {
    enum Hold: Sendable, Equatable {
        case free
        case pausing
        case paused(PauseMeans)
        case thawing
    }

    /// From the first moment in front of a person until it is left or lifted.
    struct Showing: Sendable {
        var ticket: Int64
        /// Its name at shield-service, once that has answered.
        var shield: String?
        var startedMs: Int64
        var leftMs: Int64?
        var presses: Int64 = 0
        var pressing: Pressing?
        /// Pressed before there was anybody to tell.
        var waiting: ShieldButton?
    }

    struct Pressing: Sendable {
        var button: ShieldButton
        var number: Int64
        var deadlineMs: Int64
    }

    enum Asking: Sendable, Equatable {
        case no
        case asked(ticket: Int64, deadlineMs: Int64)
        case done
        /// Nobody answered: the system's own look goes up, and is asked again then.
        case failed(againMs: Int64)
    }

    let id: String
    var name: String?
    var word: ShieldWord
    var showing: Showing?
    var look: KnownLook?
    var asking = Asking.no
    /// What was known when its look was asked for last.
    var asked: ShieldWord?
    /// No answer in time: the system's own look stands in.
    var isLate = false
    var hold = Hold.free
    var verdict: PauseVerdict?
    var isVerdictAsked = false
    /// The processes that the verdict, or the pause, was about.
    var pids: [Int32] = []
    /// Not tried again before.
    var pauseAgainMs: Int64 = 0
    var notPaused: String?
    /// Whether a call or a recording would be cut.
    var call = CallWatch()
    var escalation = ShieldEscalation()
    /// The windows that there were when they were asked to close.
    var closing: Set<WindowID> = []
    /// How often the input was refused while it was in front.
    var refusals = 0
    /// How often the screen went silent while it was held.
    var silences = 0
    /// How often somebody else has let it go on since it was held.
    var continuations = 0
    /// What the keyboard would press, once keys are used.
    var focus: String?
    var isMenuOpen = false
    var note: String?
    var noteUntilMs: Int64 = 0
    /// A request for more time is under way, or waits for its answer.
    var hasAsked = false
    var isAsking = false
    private(set) var steps: [ScreenShieldStep] = []

    init(id: String, name: String?, word: ShieldWord) {
        self.id = id
        self.name = name
        self.word = word
    }

    static let stepBytesMax = 240

    mutating func step(_ text: String, _ wallMs: Int64) {
        guard steps.last?.text != text else { return }
        if steps.count >= ScreenShield.stepsMax { steps.removeFirst() }
        let text =
            text.utf8.count <= Self.stepBytesMax ? text : String(text.prefix(Self.stepBytesMax / 4)) + "…"
        steps.append(ScreenShieldStep(wallMs: wallMs, text: text))
    }
}
