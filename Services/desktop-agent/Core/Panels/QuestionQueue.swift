import STContracts
import STDesktop
import STPlatform

/// The waiting questions of apps to the member at this screen. One is shown at a time, in the order of arrival.
struct QuestionQueue: Sendable {
    /// Upper bound on the waiting questions. Further questions can be answered only in the terminal.
    static let queueMax = 8
    /// Upper bound on the remaining time of a question. Questions end after a minute, but a changed wall clock may result
    /// in any value.
    private static let lifetimeMax: Duration = .seconds(600)
    /// Upper bound on the stored postponed questions. They are stored so that they are not shown again.
    private static let postponedMax = 64
    /// Codes of refusals after which the question is closed.
    private static let finalErrorCodes: Set<String> = [
        "auth.canceled", "auth.already_answered", "auth.unknown_request", "auth.conflict",
    ]

    struct Waiting: Sendable, Equatable {
        var question: AuthQuestion
        var ends: BootTime
    }

    private var member: String?
    private(set) var queue: [Waiting] = []
    private var postponed: [String] = []
    private var isHeldBack = false
    /// The window of the first question in the queue.
    private(set) var form: QuestionForm?

    /// The visible question.
    var current: AuthQuestion? { isHeldBack ? nil : queue.first?.question }

    // MARK: - Questions

    /// Sets the member at this screen.
    mutating func setMember(_ member: String?) {
        guard member != self.member else { return }
        self.member = member
        let first = queue.first?.question.request
        queue.removeAll { $0.question.member != member }
        if queue.first?.question.request != first { beginForm() }
    }

    /// Hides the questions while a shield has the keyboard or the screen is locked.
    mutating func setHeldBack(_ isHeldBack: Bool) {
        guard isHeldBack != self.isHeldBack else { return }
        self.isHeldBack = isHeldBack
        if isHeldBack { beginForm() }
    }

    mutating func enqueue(_ question: AuthQuestion, _ now: TimeReading) {
        guard question.state == .pending, question.member == member, !postponed.contains(question.request),
            let ends = end(of: question, now), ends > now.boot
        else {
            return remove(question.request)
        }
        guard !queue.contains(where: { $0.question.request == question.request }) else { return }
        // A later question of an app replaces the earlier one.
        if let older = queue.first(where: { $0.question.app == question.app }) {
            remove(older.question.request)
        }
        guard queue.count < Self.queueMax else { return }
        queue.append(Waiting(question: question, ends: ends))
        if queue.count == 1 { beginForm() }
    }

    private func end(of question: AuthQuestion, _ now: TimeReading) -> BootTime? {
        guard let wallMs = RFC3339.wallMs(question.expiresAt) else { return nil }
        let rest = WallTime(ms: wallMs) - now.wall
        return rest > .zero ? now.boot + min(rest, Self.lifetimeMax) : nil
    }

    /// Removes the expired questions.
    mutating func advance(_ now: BootTime) {
        for waiting in queue where waiting.ends <= now { remove(waiting.question.request) }
        form?.advance(now)
    }

    func nextDue() -> BootTime? {
        var moments = queue.map(\.ends)
        if let giveUp = form?.replyDeadline { moments.append(giveUp) }
        if current != nil, let until = form?.lockedUntil { moments.append(until) }
        return moments.min()
    }

    private mutating func remove(_ request: String) {
        guard let index = queue.firstIndex(where: { $0.question.request == request }) else { return }
        queue.remove(at: index)
        if index == 0 { beginForm() }
    }

    private mutating func beginForm() {
        form?.wipe()
        form = queue.first.map { QuestionForm($0.question) }
    }

    // MARK: - The window

    mutating func markPainted(at now: BootTime) { form?.markPainted(at: now) }

    /// Returns the answer that this key or click gives, or nil if it gives none.
    mutating func handle(_ event: PaneEvent, at now: BootTime) -> QuestionAnswer? {
        guard let request = current?.request else { return nil }
        let outcome: QuestionForm.Outcome?
        switch event {
        case .key(let key): outcome = form?.handleKey(key, at: now)
        case .pressed(let spot): outcome = form?.handlePress(spot, at: now)
        case .shown, .hidden, .hovered, .held, .failed: outcome = nil
        }
        switch outcome {
        case .send(let answer): return answer
        case .postpone:
            postponed.append(request)
            if postponed.count > Self.postponedMax { postponed.removeFirst() }
            remove(request)
        case .nothing, nil: break
        }
        return nil
    }

    /// Receives the result of an answer. `refusal` is nil if auth-service accepted it.
    mutating func receiveReply(_ request: String, refusal: Problem?, at now: BootTime) {
        guard queue.first?.question.request == request, form?.isBusy == true else { return }
        guard let refusal, !Self.finalErrorCodes.contains(refusal.code) else { return remove(request) }
        form?.fail(refusal, at: now)
    }
}
