import Glibc
import STContracts
import STDesktop
import STPlatform

/// The answer that a person gives in a question panel.
package struct QuestionAnswer: Sendable, Equatable {
    package var request: String
    package var allow: Bool
    package var by: String?
    package var passcode: TypedPasscode?

    package init(request: String, allow: Bool, by: String? = nil, passcode: TypedPasscode? = nil) {
        self.request = request
        self.allow = allow
        self.by = by
        self.passcode = passcode
    }
}

/// The window of one question: its input, and the result of the answer.
///
/// A question appears while the person does something else, and input for that must not answer it. Keys count after a pause in
/// which the person could notice the window, or after the window was visible for seconds. Before that nothing is sent, and the
/// focus is on no control on which Return answers.
struct QuestionForm: Sendable {
    /// The time that the picture must be visible without a click before clicks count.
    static let inputGuard: Duration = .milliseconds(400)
    /// The time without a key before keys count. A person who types elsewhere sometimes pauses for half a second.
    static let keyGuard: Duration = .seconds(1)
    /// The time after which keys count even without a pause. The person has seen the input in the field of this window by then.
    static let seenLength: Duration = .seconds(3)
    static let replyTimeout: Duration = .seconds(15)
    private static let lockedMax: Duration = .seconds(3_600)

    /// The reason why input had no effect.
    enum Hint: Sendable, Equatable {
        case tooEarly
        case passcodeMissing
    }

    enum Focus: Sendable, Equatable {
        case prover(Int)
        case passcode
        case deny
        case allow
    }

    /// The result of a key or a click.
    enum Outcome: Sendable, Equatable {
        case nothing
        /// The person postpones the question. It remains in the terminal, and the app may ask again.
        case postpone
        case send(QuestionAnswer)
    }

    private let question: AuthQuestion
    private(set) var chosen = 0
    private(set) var passcode = TypedPasscode()
    private(set) var focus = Focus.passcode
    /// True if the person moved the focus, false if it has its initial position.
    private var hasMovedFocus = false
    /// True after the first Return on Don’t Allow. A second Return confirms it.
    private(set) var isDenyHighlighted = false
    private(set) var error: Problem?
    private(set) var hint: Hint?
    private var errorTime = BootTime(ms: 0)
    private var sentAt: BootTime?
    /// True after the person used the window on purpose.
    private var isUsed = false
    /// The boot time at which the picture appeared on the screen.
    private var paintedAt: BootTime?
    private var lastKey: BootTime?
    private var lastClick: BootTime?

    init(_ question: AuthQuestion) { self.question = question }

    var isBusy: Bool { sentAt != nil }

    /// The boot time until which no passcode is accepted.
    var lockedUntil: BootTime? {
        error?.details["retry_after_ms"].flatMap { Int64($0) }.map {
            errorTime + max(.zero, min(.milliseconds($0), Self.lockedMax))
        }
    }

    /// The boot time at which an unanswered request fails.
    var replyDeadline: BootTime? { sentAt.map { $0 + Self.replyTimeout } }

    // MARK: - Time and answers

    mutating func advance(_ now: BootTime) {
        if let replyDeadline, replyDeadline <= now {
            fail(
                Problem(
                    "auth.no_answer",
                    "Screen Time did not process the answer in time. Try again.",
                    retryable: true
                ),
                at: now
            )
        }
        if let until = lockedUntil, until <= now { error = nil }
    }

    /// Handles an answer that was refused or failed.
    mutating func fail(_ problem: Problem, at now: BootTime) {
        sentAt = nil
        error = problem
        errorTime = now
        passcode.clear()
        focus = .passcode
        hasMovedFocus = false
        isDenyHighlighted = false
    }

    /// Starts the pause for keys and clicks. A pane without its picture shows no question, so the pause begins with the picture.
    mutating func markPainted(at now: BootTime) { paintedAt = paintedAt ?? now }

    // MARK: - Keys and clicks

    mutating func handleKey(_ key: PaneKey, at now: BootTime) -> Outcome {
        guard let paintedAt, !isBusy else { return .nothing }
        if now - (lastKey ?? paintedAt) >= Self.keyGuard { isUsed = true }
        lastKey = now
        guard isUsed || now - paintedAt >= Self.seenLength else {
            hint = .tooEarly
            return .nothing
        }
        hint = nil
        let wasDenyMarked = isDenyHighlighted
        isDenyHighlighted = false
        switch key {
        case .next: moveFocus(1)
        case .previous: moveFocus(-1)
        case .cancel: return .postpone
        case .backspace:
            if lockedUntil == nil { error = nil }
            passcode.removeLast()
            focus = .passcode
        // Without a pause, Return may be the end of a line for another window.
        case .press: return isUsed ? press(at: now, again: wasDenyMarked) : .nothing
        // The space bar presses every control except the field.
        case .text(" ") where focus != .passcode: return press(at: now, again: wasDenyMarked)
        case .text(let text):
            if lockedUntil == nil { error = nil }
            focus = .passcode
            passcode.type(text)
        }
        return .nothing
    }

    mutating func handlePress(_ spot: String, at now: BootTime) -> Outcome {
        guard let paintedAt, !isBusy else { return .nothing }
        if now - (lastClick ?? paintedAt) >= Self.inputGuard { isUsed = true }
        lastClick = now
        guard isUsed else { return .nothing }
        isDenyHighlighted = false
        hint = nil
        switch spot {
        case DrawnSpot.allow:
            focus = .allow
            hasMovedFocus = true
            return send(allow: true, at: now)
        case DrawnSpot.deny: return send(allow: false, at: now)
        case DrawnSpot.passcode: focus = .passcode
        default:
            for index in question.provers.indices where DrawnSpot.prover(index) == spot { choose(index) }
        }
        return .nothing
    }

    /// All controls that the keyboard reaches, from top to bottom.
    private var focusOrder: [Focus] {
        let choices = question.provers.count > 1 ? question.provers.indices.map { Focus.prover($0) } : []
        return choices + [.passcode, .deny, .allow]
    }

    private mutating func moveFocus(_ step: Int) {
        let stops = focusOrder
        let index = stops.firstIndex(of: focus) ?? 0
        focus = stops[(index + step + stops.count) % stops.count]
        hasMovedFocus = true
    }

    /// Handles Return and the space bar.
    ///
    /// Return in the passcode field moves the focus to Allow and does not press it. Don’t Allow requires Return twice, because no
    /// typed passcode before it shows the person's intent.
    private mutating func press(at now: BootTime, again: Bool) -> Outcome {
        switch focus {
        case .prover(let index): choose(index)
        case .passcode:
            guard !passcode.isEmpty else { return .nothing }
            focus = .allow
            hasMovedFocus = true
        case .deny where hasMovedFocus:
            if again { return send(allow: false, at: now) }
            isDenyHighlighted = true
        case .allow where hasMovedFocus: return send(allow: true, at: now)
        case .deny, .allow: break
        }
        return .nothing
    }

    private mutating func choose(_ index: Int) {
        if index != chosen {
            passcode.clear()
            error = nil
        }
        chosen = index
        focus = .passcode
        hasMovedFocus = true
    }

    private mutating func send(allow: Bool, at now: BootTime) -> Outcome {
        guard allow else {
            sentAt = now
            return .send(QuestionAnswer(request: question.request, allow: false))
        }
        guard !passcode.isEmpty else {
            focus = .passcode
            hint = .passcodeMissing
            return .nothing
        }
        sentAt = now
        let by = question.provers.indices.contains(chosen) ? question.provers[chosen] : nil
        let answer = QuestionAnswer(request: question.request, allow: true, by: by, passcode: passcode)
        passcode.clear()
        return .send(answer)
    }

    /// Clears the passcode, so that no input of one window remains in memory for the next.
    mutating func wipe() { passcode.clear() }
}

/// A passcode during its input. Its printed form contains only its length.
package struct TypedPasscode: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The limit of auth-service, which refuses longer passcodes.
    static let charactersMax = 128

    private var characters: [Character] = []

    package init() {}

    package var count: Int { characters.count }
    package var isEmpty: Bool { characters.isEmpty }
    /// The text of the passcode. Only for the request that proves the person's identity.
    package var revealed: String { String(characters) }

    mutating func type(_ text: String) {
        characters += text.prefix(max(0, Self.charactersMax - characters.count))
    }

    mutating func removeLast() {
        if !characters.isEmpty { characters.removeLast() }
    }

    mutating func clear() {
        for index in characters.indices { characters[index] = "\0" }
        characters = []
    }

    package var description: String { "a passcode of \(count) characters" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
