import Glibc
import STContracts
import STDesktop
import STPlatform

/// What a person answers to a question in a window of ours.
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

/// The window of one question: what is typed and pressed in it, and what the answer came to.
///
/// A question comes while the person does something else. So what was meant for something else must not answer it: keys count
/// after a pause, by which the person has seen the window, or once it has been there for seconds; until then none is sent, and
/// nothing that answers is where Return would press it.
struct QuestionForm: Sendable {
    /// Clicks count when the picture has been there for so long, with nothing clicked meanwhile.
    static let quietMs: Int64 = 400
    /// A person who types elsewhere pauses for half a second now and then.
    static let quietForKeysMs: Int64 = 1_000
    /// Who still types without a pause means this window: its field shows what arrives.
    static let seenMs: Int64 = 3_000
    static let answerMs: Int64 = 15_000
    private static let lockedMsMost: Int64 = 3_600_000

    /// Why something that was pressed did nothing.
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

    /// What a key or a click leads to.
    enum Outcome: Sendable, Equatable {
        case nothing
        /// Not now: the question is left to the terminal, and to the app that may ask again.
        case putOff
        case send(QuestionAnswer)
    }

    private let question: AuthQuestion
    private(set) var chosen = 0
    private(set) var passcode = TypedPasscode()
    private(set) var focus = Focus.passcode
    /// Whether the person moved there, rather than that it was there.
    private var isFocusMoved = false
    /// Return was pressed on Don’t Allow once, and once more is wanted.
    private(set) var isDenyMarked = false
    private(set) var error: Problem?
    private(set) var hint: Hint?
    private var errorBootMs: Int64 = 0
    private var sentBootMs: Int64?
    /// The person has turned to the window.
    private var isUsed = false
    /// When its picture came to the screen.
    private var paintedBootMs: Int64?
    private var keyBootMs: Int64?
    private var clickBootMs: Int64?

    init(_ question: AuthQuestion) { self.question = question }

    var isBusy: Bool { sentBootMs != nil }

    /// Until when no passcode is taken.
    var lockedUntilBootMs: Int64? {
        error?.details["retry_after_ms"].flatMap { Int64($0) }.map {
            errorBootMs + max(0, min($0, Self.lockedMsMost))
        }
    }

    /// When an answer is given up.
    var givenUpBootMs: Int64? { sentBootMs.map { $0 + Self.answerMs } }

    // MARK: - Time and answers

    mutating func pass(_ nowBootMs: Int64) {
        if let givenUpBootMs, givenUpBootMs <= nowBootMs {
            fail(
                Problem("auth.no_answer", "Screen Time did not process the answer in time.", retryable: true),
                atBootMs: nowBootMs
            )
        }
        if let until = lockedUntilBootMs, until <= nowBootMs { error = nil }
    }

    /// The answer did not count.
    mutating func fail(_ problem: Problem, atBootMs bootMs: Int64) {
        sentBootMs = nil
        error = problem
        errorBootMs = bootMs
        passcode.clear()
        focus = .passcode
        isFocusMoved = false
        isDenyMarked = false
    }

    /// A pane without its picture asks nothing, so the pause begins with the picture.
    mutating func painted(atBootMs bootMs: Int64) { paintedBootMs = paintedBootMs ?? bootMs }

    // MARK: - Keys and clicks

    mutating func key(_ key: PaneKey, atBootMs bootMs: Int64) -> Outcome {
        guard let paintedBootMs, !isBusy else { return .nothing }
        if bootMs - (keyBootMs ?? paintedBootMs) >= Self.quietForKeysMs { isUsed = true }
        keyBootMs = bootMs
        guard isUsed || bootMs - paintedBootMs >= Self.seenMs else {
            hint = .tooEarly
            return .nothing
        }
        hint = nil
        let wasDenyMarked = isDenyMarked
        isDenyMarked = false
        switch key {
        case .next: move(1)
        case .previous: move(-1)
        case .cancel: return .putOff
        case .backspace:
            if lockedUntilBootMs == nil { error = nil }
            passcode.removeLast()
            focus = .passcode
        // Without a pause it may be the end of a line that is typed elsewhere.
        case .press: return isUsed ? press(atBootMs: bootMs, again: wasDenyMarked) : .nothing
        // The space bar presses anything but a field.
        case .text(" ") where focus != .passcode: return press(atBootMs: bootMs, again: wasDenyMarked)
        case .text(let text):
            if lockedUntilBootMs == nil { error = nil }
            focus = .passcode
            passcode.type(text)
        }
        return .nothing
    }

    mutating func pressed(_ spot: String, atBootMs bootMs: Int64) -> Outcome {
        guard let paintedBootMs, !isBusy else { return .nothing }
        if bootMs - (clickBootMs ?? paintedBootMs) >= Self.quietMs { isUsed = true }
        clickBootMs = bootMs
        guard isUsed else { return .nothing }
        isDenyMarked = false
        hint = nil
        switch spot {
        case DrawnSpot.allow:
            focus = .allow
            isFocusMoved = true
            return send(allow: true, atBootMs: bootMs)
        case DrawnSpot.deny: return send(allow: false, atBootMs: bootMs)
        case DrawnSpot.passcode: focus = .passcode
        default:
            for index in question.provers.indices where DrawnSpot.prover(index) == spot { choose(index) }
        }
        return .nothing
    }

    /// Everything that the keyboard reaches, from above.
    private var stops: [Focus] {
        let choices = question.provers.count > 1 ? question.provers.indices.map { Focus.prover($0) } : []
        return choices + [.passcode, .deny, .allow]
    }

    private mutating func move(_ step: Int) {
        let stops = stops
        let index = stops.firstIndex(of: focus) ?? 0
        focus = stops[(index + step + stops.count) % stops.count]
        isFocusMoved = true
    }

    /// Return in the field goes on to Allow and does not press it; Don’t Allow wants it twice, for nothing is typed
    /// before it that would show whether it is meant.
    private mutating func press(atBootMs bootMs: Int64, again: Bool) -> Outcome {
        switch focus {
        case .prover(let index): choose(index)
        case .passcode:
            guard !passcode.isEmpty else { return .nothing }
            focus = .allow
            isFocusMoved = true
        case .deny where isFocusMoved:
            if again { return send(allow: false, atBootMs: bootMs) }
            isDenyMarked = true
        case .allow where isFocusMoved: return send(allow: true, atBootMs: bootMs)
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
        isFocusMoved = true
    }

    private mutating func send(allow: Bool, atBootMs bootMs: Int64) -> Outcome {
        guard allow else {
            sentBootMs = bootMs
            return .send(QuestionAnswer(request: question.request, allow: false))
        }
        guard !passcode.isEmpty else {
            focus = .passcode
            hint = .passcodeMissing
            return .nothing
        }
        sentBootMs = bootMs
        let by = question.provers.indices.contains(chosen) ? question.provers[chosen] : nil
        let answer = QuestionAnswer(request: question.request, allow: true, by: by, passcode: passcode)
        passcode.clear()
        return .send(answer)
    }

    /// Nothing of what was typed into one window stays in memory for the next.
    mutating func wipe() { passcode.clear() }
}

/// A passcode as it is typed: printed, it says how long it is and nothing else.
package struct TypedPasscode: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// auth-service refuses longer ones.
    static let charactersMax = 128

    private var characters: [Character] = []

    package init() {}

    package var count: Int { characters.count }
    package var isEmpty: Bool { characters.isEmpty }
    /// For the one request that proves who the person is.
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
