import STContracts
import STDesktop
import STPlatform

/// The questions of apps that wait for the people at this screen: one at a time, in their order.
///
/// A question comes while somebody does something else. So what was meant for something else must not answer it: no key
/// counts before the person has turned to the window, by a click in it or by Tab after a long pause, and nothing that
/// answers is where Return would press it.
struct QuestionPlan: Sendable {
    /// More at once are left to the terminal.
    static let queueMax = 8
    /// Clicks count when the picture has been there for so long, with nothing pressed meanwhile.
    static let quietMs: Int64 = 400
    /// Whoever types pauses for half a second now and then; after this, Tab is meant for what is new.
    static let quietForKeysMs: Int64 = 1_500
    /// A question ends after a minute; a clock that was set may say anything.
    static let livesMostMs: Int64 = 600_000
    static let answerMs: Int64 = 15_000
    /// Those that were put off are not shown again.
    static let putOffMax = 64

    struct Waiting: Sendable, Equatable {
        var question: AuthQuestion
        var endsBootMs: Int64
    }

    enum Focus: Sendable, Equatable {
        case prover(Int)
        case passcode
        case deny
        case allow
    }

    private(set) var member: String?
    private(set) var queue: [Waiting] = []
    private var putOff: [String] = []
    /// A shield has the keyboard, or nobody is there: nothing is shown then.
    var isHeldBack = false {
        didSet { if isHeldBack { leave() } }
    }

    // Of the one that is shown: the first of the queue.
    var chosen = 0
    var passcode = TypedPasscode()
    var focus = Focus.passcode
    /// Whether the person moved there, rather than that it was there.
    var isFocusMoved = false
    /// Return was pressed on Don’t Allow once, and once more is wanted.
    var isDenyMarked = false
    var error: Problem?
    var errorBootMs: Int64 = 0
    private(set) var sentBootMs: Int64?
    /// The person has turned to the window.
    private var isUsed = false
    /// Since when nothing was pressed; nil until its picture is on the screen.
    private var quietSinceBootMs: Int64?

    /// The one in the window.
    var current: AuthQuestion? { isHeldBack ? nil : queue.first?.question }

    var isBusy: Bool { sentBootMs != nil }

    // MARK: - What is asked

    /// Whose screen this is.
    mutating func sits(_ member: String?) {
        guard member != self.member else { return }
        self.member = member
        let first = queue.first?.question.request
        queue.removeAll { $0.question.member != member }
        if queue.first?.question.request != first { leave() }
    }

    mutating func take(_ question: AuthQuestion, _ now: TimeReading) {
        guard question.state == .pending, question.member == member, !putOff.contains(question.request),
            let ends = endBootMs(of: question, now), ends > now.bootMs
        else {
            return remove(question.request)
        }
        guard !queue.contains(where: { $0.question.request == question.request }) else { return }
        // The latest of an app is the one that counts.
        if let older = queue.first(where: { $0.question.app == question.app }) {
            remove(older.question.request)
        }
        guard queue.count < Self.queueMax else { return }
        queue.append(Waiting(question: question, endsBootMs: ends))
        if queue.count == 1 { leave() }
    }

    private func endBootMs(of question: AuthQuestion, _ now: TimeReading) -> Int64? {
        guard let wallMs = RFC3339.wallMs(question.expiresAt) else { return nil }
        let restMs = wallMs - now.wallMs
        return restMs > 0 ? now.bootMs + min(restMs, Self.livesMostMs) : nil
    }

    /// Takes away those that are over.
    mutating func pass(_ nowBootMs: Int64) {
        for waiting in queue where waiting.endsBootMs <= nowBootMs { remove(waiting.question.request) }
        if let sent = sentBootMs, nowBootMs - sent >= Self.answerMs {
            fail(
                Problem("auth.no_answer", "The answer was not taken in time.", retryable: true),
                atBootMs: nowBootMs
            )
        }
        if let until = lockedUntilBootMs, until <= nowBootMs { error = nil }
    }

    func nextBootMs() -> Int64? {
        var moments = queue.map(\.endsBootMs)
        if let sent = sentBootMs { moments.append(sent + Self.answerMs) }
        if current != nil, let until = lockedUntilBootMs { moments.append(until) }
        return moments.min()
    }

    /// Until when no passcode is taken.
    var lockedUntilBootMs: Int64? {
        error?.details["retry_after_ms"].flatMap { Int64($0) }.map {
            errorBootMs + max(0, min($0, 3_600_000))
        }
    }

    private mutating func remove(_ request: String) {
        guard let index = queue.firstIndex(where: { $0.question.request == request }) else { return }
        queue.remove(at: index)
        if index == 0 { leave() }
    }

    /// Nothing of what was typed into one window is there in the next.
    private mutating func leave() {
        passcode.clear()
        chosen = 0
        focus = .passcode
        isFocusMoved = false
        isDenyMarked = false
        error = nil
        sentBootMs = nil
        isUsed = false
        quietSinceBootMs = nil
    }

    // MARK: - The window

    /// A pane without its picture asks nothing, so the pause begins with the picture.
    mutating func painted(atBootMs bootMs: Int64) {
        guard quietSinceBootMs == nil else { return }
        quietSinceBootMs = bootMs
    }

    /// Whether a key is meant for this window: all are once it was turned to, which of all keys Tab and the arrows do.
    mutating func counts(_ key: PaneKey, atBootMs bootMs: Int64) -> Bool {
        let turns = key == .next || key == .previous
        return turnsTo(atBootMs: bootMs, quietMs: turns ? Self.quietForKeysMs : nil)
    }

    mutating func clickCounts(atBootMs bootMs: Int64) -> Bool {
        turnsTo(atBootMs: bootMs, quietMs: Self.quietMs)
    }

    /// What does not count puts the moment off.
    private mutating func turnsTo(atBootMs bootMs: Int64, quietMs: Int64?) -> Bool {
        guard let since = quietSinceBootMs else { return false }
        if isUsed { return true }
        quietSinceBootMs = bootMs
        if let quietMs, bootMs - since >= quietMs { isUsed = true }
        return isUsed
    }

    /// Not now: it is left to the terminal, and to the app that may ask again.
    mutating func putOffCurrent() {
        guard let request = current?.request else { return }
        putOff.append(request)
        if putOff.count > Self.putOffMax { putOff.removeFirst() }
        remove(request)
    }

    // MARK: - Answers

    mutating func send(allow: Bool, atBootMs bootMs: Int64) -> QuestionAnswer? {
        guard let question = current, !isBusy else { return nil }
        guard allow else {
            sentBootMs = bootMs
            return QuestionAnswer(request: question.request, allow: false)
        }
        guard !passcode.isEmpty else {
            focus = .passcode
            return nil
        }
        sentBootMs = bootMs
        let by = question.provers.indices.contains(chosen) ? question.provers[chosen] : nil
        let answer = QuestionAnswer(request: question.request, allow: true, by: by, passcode: passcode)
        passcode.clear()
        return answer
    }

    /// `refusal`: it did not count; nil: it did.
    mutating func answered(_ request: String, refusal: Problem?, atBootMs bootMs: Int64) {
        guard queue.first?.question.request == request, sentBootMs != nil else { return }
        guard let refusal else { return remove(request) }
        let over: Set<String> = [
            "auth.canceled", "auth.already_answered", "auth.unknown_request", "auth.conflict",
        ]
        if over.contains(refusal.code) { return remove(request) }
        fail(refusal, atBootMs: bootMs)
    }

    private mutating func fail(_ problem: Problem, atBootMs bootMs: Int64) {
        sentBootMs = nil
        error = problem
        errorBootMs = bootMs
        passcode.clear()
        focus = .passcode
        isFocusMoved = false
        isDenyMarked = false
    }
}
