import STContracts
import STDesktop
import STPlatform

/// The pause of one app. Its processes are paused only while every visible window has a cover and every cover captures the input.
/// After that the app may be closed and ended, if the settings allow it, each step with its warning.
struct ShieldEnforcement: Sendable {
    /// The time that a call under way gets before the next step.
    static let callTimeout: Duration = .seconds(60)
    static let pauseRetryDelay: Duration = .seconds(5)
    /// The minimum time to answer an app that asks whether to save, even if the settings contain a shorter one.
    static let questionTime: Duration = .seconds(60)
    private static let inputHoldRetry: Duration = .seconds(4)
    private static let refusalsMax = 3
    private static let unresponsiveWait: Duration = .seconds(60)
    private static let unresponsiveMax = 6
    private static let continuationsMax = 5
    /// Upper bound on the times that a paused app comes to the foreground before it runs for a moment. A paused app reads
    /// nothing, and a Wayland compositor ends an app with too many unread messages. This was observed after 200 times.
    static let callsMax = 40
    /// The time for which an app runs to draw itself at its new size, or to read the messages of the desktop.
    static let drawingTime: Duration = .milliseconds(400)

    enum State: Sendable, Equatable {
        case free
        case pausing
        case paused(PauseMeans)
        case thawing
    }

    private let app: String
    private let name: String
    private(set) var state = State.free
    private(set) var verdict: PauseVerdict?
    private var isVerdictRequested = false
    /// The number of times that the app came to the foreground during the pause.
    private var calls = 0
    private var isForeground = false
    /// The processes of the last verdict or pause.
    private var pids: [Int32] = []
    /// The frames of the windows at the time of the pause. Their content keeps that size.
    private var frames: [WindowID: ScreenRect] = [:]
    /// The boot time before which no pause is attempted.
    private var pauseRetry = BootTime(ms: 0)
    /// The reason why the app is not paused, as a text for people.
    private(set) var notPausedReason: Message?
    private var call = CallCheck()
    private var escalation = ShieldEscalation()
    /// The windows that existed when they were asked to close.
    private var closing: Set<WindowID> = []
    /// True if the person asked to close the app, rather than the settings.
    private var isWanted = false
    /// The number of times that the input was refused while the app was in the foreground.
    private var refusals = 0
    /// The number of times that the display did not answer while the app was paused.
    private var unresponsiveCount = 0
    /// The number of times that another program resumed the paused app.
    private var continuations = 0

    init(_ app: String, name: String) {
        self.app = app
        self.name = name
    }

    // MARK: - Queries

    var isFree: Bool { state == .free }

    var means: PauseMeans? { if case .paused(let means) = state { means } else { nil } }

    /// True if the windows were asked to close, so that a new window may be a question.
    var isClosing: Bool { !closing.isEmpty }

    /// The stage that the shield has reached. `nil` if it only covers.
    var stage: ScreenShieldStage? {
        switch escalation.step {
        case .closing: .closing
        case .ending: .ending
        case .pause: means == nil ? nil : .paused
        }
    }

    func dueTimes(_ covers: ShieldCovers, _ round: ShieldContext) -> [BootTime] {
        var due: [BootTime] = []
        if let until = call.warnedUntil { due.append(until) }
        if isFree {
            due.append(pauseRetry)
            due += covers.inputHoldRetries(app)
        }
        if round.isShielded(app),
            let next = escalation.nextDue(round.settings.escalation, after: wait(round))
        {
            due.append(next)
        }
        return due
    }

    /// Returns true for a window that appeared after the app was asked to close, while its time for an answer lasts.
    ///
    /// Such a window stays uncovered until then, because a person who cannot choose "Save" would lose their work.
    func isQuestion(_ window: WindowID, _ round: ShieldContext) -> Bool {
        guard escalation.step == .closing, !closing.contains(window), let since = escalation.since else {
            return false
        }
        // The time is limited, so that the window does not stay uncovered if no next step comes.
        return round.now.boot - since < wait(round)
    }

    /// Returns the duration of the present step.
    private func wait(_ round: ShieldContext) -> Duration {
        let wait = round.settings.escalateAfter
        let hasQuestion =
            escalation.step == .closing
            && round.desktop.windows.values.contains {
                $0.app?.id == app && $0.window.isShown && !closing.contains($0.window.id)
            }
        return hasQuestion ? max(wait, Self.questionTime) : wait
    }

    private func mustRun(_ round: ShieldContext) -> Bool {
        escalation.needsRunningApp(round.settings.escalation, after: wait(round), now: round.now.boot)
    }

    private func nextStep(_ round: ShieldContext) -> ShieldEscalation.Step? {
        escalation.due(round.settings.escalation, after: wait(round), now: round.now.boot)
    }

    // MARK: - Pauses

    /// Handles the removal of the shield: the app may be used again.
    mutating func shieldDidLift() {
        escalation = ShieldEscalation()
        closing = []
        isWanted = false
        refusals = 0
        call = CallCheck()
    }

    /// Pauses the app, resumes it, or takes the next step, according to the present state.
    ///
    /// `isLeaving` is true if a cover over one of its `windows` is closing.
    mutating func turn(
        _ windows: [IdentifiedWindow],
        isLeaving: Bool,
        covers: inout ShieldCovers,
        round: inout ShieldContext
    ) {
        let shown = windows.filter(\.window.isShown)
        switch state {
        case .pausing, .paused:
            let isSafe =
                round.isShielded(app) && !isLeaving && !windows.isEmpty
                && shown.allSatisfy { covers.pane(over: $0)?.isBlockingInput == true } && !mustRun(round)
            guard isSafe else {
                round.recordStep(app, Message("agent.app-runs-again", "It runs again."))
                return thaw(&round)
            }
            guard !isVisibleOutsideCovers(windows, round) else {
                round.recordStep(
                    app,
                    Message(
                        "agent.app-redraws-itself",
                        "Its window became smaller, so it runs for a moment to draw itself again."
                    )
                )
                pauseRetry = round.now.boot + Self.drawingTime
                return thaw(&round)
            }
            guard !hasManyWindows(windows, round) else {
                round.recordStep(
                    app,
                    Message(
                        "agent.app-reads-its-messages",
                        """
                        It came to the foreground \(Self.callsMax, "count") times while it was paused. \
                        Screen Time resumes it for a moment, so that it can process the messages from the \
                        desktop.
                        """
                    )
                )
                pauseRetry = round.now.boot + Self.drawingTime
                return thaw(&round)
            }
            escalate(windows, &round)
        case .thawing: break
        case .free:
            guard round.isShielded(app), round.isReady, round.settings.pausesApps, round.desktop.isKnown
            else {
                return
            }
            let covered = shown.filter { !isQuestion($0.window.id, round) }
            let isUp = !shown.isEmpty && covered.allSatisfy { covers.pane(over: $0)?.isMapped == true }
            guard isUp, !isLeaving else { return }
            begin(windows, shown: shown, covers: &covers, round: &round)
        }
    }

    /// Prepares and orders the pause of a covered app.
    private mutating func begin(
        _ windows: [IdentifiedWindow],
        shown: [IdentifiedWindow],
        covers: inout ShieldCovers,
        round: inout ShieldContext
    ) {
        let now = round.now.boot
        let pids = Array(Set(windows.compactMap(\.window.pid))).sorted()
        if verdict == nil || self.pids != pids {
            // The verdict was about other processes, so it does not apply to these.
            guard !isVerdictRequested, pauseRetry <= now || self.pids != pids else { return }
            self.pids = pids
            isVerdictRequested = true
            verdict = nil
            round.addEffect(.verdict(app: app, pids: pids))
            if call.isUnknown { requestCallCheck(&round) }
            return
        }
        // An app that is never paused is never closed or ended either, because this agent may run in it.
        guard case .allowed? = verdict else { return }
        // The search starts early, so that the minute of a call starts early.
        if call.isUnknown { return requestCallCheck(&round) }
        if call.isWaiting(now) { return }
        escalate(windows, &round)
        guard !mustRun(round), pauseRetry <= now else { return }
        guard round.desktop.abilities.holdsInput else {
            notPausedReason = Message(
                "agent.desktop-holds-no-input",
                "On this desktop, a cover cannot capture the input."
            )
            return
        }
        for seen in shown {
            guard let pane = covers.pane(over: seen), pane.needsInputHold(now) else { continue }
            covers.requestInputHold(pane.id, &round)
        }
        guard shown.allSatisfy({ covers.pane(over: $0)?.isBlockingInput == true }), isFreeOfCalls(&round)
        else { return }
        call.reset()
        state = .pausing
        notPausedReason = nil
        frames = windows.reduce(into: [:]) { $0[$1.window.id] = $1.window.frame }
        round.addEffect(.pause(app: app, pids: pids))
    }

    private mutating func hasManyWindows(_ windows: [IdentifiedWindow], _ round: ShieldContext) -> Bool {
        let isInFront = windows.contains { $0.window.id == round.desktop.focusedWindow }
        if isInFront && !self.isForeground { calls += 1 }
        self.isForeground = isInFront
        return round.desktop.abilities.waitsForClients && calls >= Self.callsMax
    }

    /// Returns true if a window is smaller than its content, on a desktop that does not crop the content.
    private func isVisibleOutsideCovers(_ windows: [IdentifiedWindow], _ round: ShieldContext) -> Bool {
        guard !round.desktop.abilities.clipsToFrames else { return false }
        return windows.contains {
            guard let frame = $0.window.frame, let held = frames[$0.window.id] else { return false }
            return frame.width < held.width || frame.height < held.height
        }
    }

    private mutating func thaw(_ round: inout ShieldContext) {
        state = .thawing
        round.addEffect(.thaw(app: app))
    }

    mutating func handle(_ verdict: PauseVerdict, _ round: inout ShieldContext) {
        isVerdictRequested = false
        self.verdict = verdict
        switch verdict {
        case .allowed: notPausedReason = nil
        case .never(let why):
            notPausedReason = why
            round.recordStep(
                app,
                Message("agent.covered-but-not-paused", "It is covered but not paused: \(why, "reason")")
            )
        case .impossible(let why):
            scheduleRetry(why, round)
            round.recordStep(
                app,
                Message("agent.app-cannot-be-paused", "Screen Time cannot pause it: \(why, "reason")")
            )
        }
    }

    mutating func hear(_ outcome: PauseOutcome, covers: inout ShieldCovers, round: inout ShieldContext) {
        // In the other states an order to resume follows this pause, regardless of its result.
        guard state == .pausing else { return }
        switch outcome {
        case .paused(let means, let processes):
            state = .paused(means)
            calls = 0
            round.recordStep(
                app,
                Message(
                    "agent.processes-are-paused",
                    count: processes,
                    one: "Screen Time paused \(processes, "count") process.",
                    other: "Screen Time paused \(processes, "count") processes."
                )
            )
        case .refused(let why):
            releaseInput(&covers)
            scheduleRetry(why, round)
            round.recordStep(
                app,
                Message("agent.app-was-not-paused", "Screen Time did not pause it: \(why, "reason")")
            )
        }
    }

    private mutating func scheduleRetry(_ why: Message, _ round: ShieldContext) {
        notPausedReason = why
        verdict = nil
        pauseRetry = round.now.boot + Self.pauseRetryDelay
    }

    mutating func didThaw(_ covers: inout ShieldCovers) { if state == .thawing { releaseInput(&covers) } }

    /// Marks the app as running. A capture of the input for the last pause is not valid for the next one.
    private mutating func releaseInput(_ covers: inout ShieldCovers) {
        state = .free
        covers.resetInputHolds(of: app)
    }

    // MARK: - Calls

    /// Returns true if no call or recording would be interrupted without a warning of a minute. Starts the search if the last
    /// answer is too old.
    private mutating func isFreeOfCalls(_ round: inout ShieldContext) -> Bool {
        guard !call.isWaiting(round.now.boot) else { return false }
        if call.isFresh(round.now.boot) { return true }
        requestCallCheck(&round)
        return false
    }

    private mutating func requestCallCheck(_ round: inout ShieldContext) {
        guard !call.isRequested else { return }
        call.beginRequest()
        round.addEffect(.underway(app: app, pids: pids))
    }

    mutating func handleCallCheck(call sentence: Message?, _ round: inout ShieldContext) {
        guard call.isRequested,
            call.receiveAnswer(sentence != nil, warning: Self.callTimeout, round.now.boot), let sentence
        else { return }
        let seconds = Self.callTimeout.ms / 1000
        round.recordStep(
            app,
            Message(
                "agent.call-has-time-left",
                "\(sentence, "call") Screen Time waits \(MessageValue.duration(ms: Self.callTimeout.ms), "length")."
            )
        )
        let (title, body) = round.strings.call(sentence, name: name, step: nextStep(round), seconds: seconds)
        notify("call", title: title, body: body, round: &round)
    }

    // MARK: - Closing and ending

    private mutating func escalate(_ windows: [IdentifiedWindow], _ round: inout ShieldContext) {
        let goal = round.settings.escalation
        let next = nextStep(round)
        let seconds = round.settings.escalateAfter.ms / 1000
        if escalation.since == nil, goal == .close || goal == .end {
            notify(
                "close",
                title: round.strings.closeTitle(name),
                body: round.strings.closeBody(seconds: seconds),
                round: &round
            )
        }
        escalation.begin(round.now.boot)
        guard let next, isFreeOfCalls(&round) else { return }
        escalation.advance(next, round.now.boot)
        call.reset()
        switch next {
        case .closing:
            requestClose(windows, &round)
            if goal == .end {
                notify(
                    "end",
                    title: round.strings.endTitle(name),
                    body: round.strings.endBody(seconds: seconds),
                    round: &round
                )
            }
            if means != nil { thaw(&round) }
        case .ending:
            round.recordStep(
                app,
                Message("agent.asks-processes-to-end", "Screen Time asks the processes of the app to end.")
            )
            round.areCoversDue = true
            round.addEffect(.end(app: app, pids: pids))
        case .pause: break
        }
    }

    /// Closes the app at the request of the person. The app runs again behind its cover, and its windows are asked to close as by
    /// their own close button. A window that appears then stays uncovered, because it asks whether to save. An app that stays
    /// open is paused again.
    mutating func close(_ round: inout ShieldContext) {
        guard escalation.step == .pause else { return }
        isWanted = true
        escalation.advance(.closing, round.now.boot)
        requestClose(round.desktop.windows(of: app), &round)
        round.areCoversDue = true
    }

    /// Returns true once the time for a requested close is over.
    mutating func isDoneClosing(_ round: ShieldContext) -> Bool {
        guard isWanted, escalation.step != .closing || !mustRun(round) else { return false }
        isWanted = false
        if escalation.step == .closing { escalation = ShieldEscalation() }
        closing = []
        return true
    }

    private mutating func requestClose(_ windows: [IdentifiedWindow], _ round: inout ShieldContext) {
        round.recordStep(
            app,
            Message("agent.asks-windows-to-close", "Screen Time asks the windows of the app to close.")
        )
        closing = Set(windows.map(\.window.id))
        guard round.desktop.abilities.closesWindows else { return }
        for window in closing.sorted(by: { $0.rawValue < $1.rawValue }) {
            round.addAction(.askToClose(window))
        }
    }

    private func notify(_ kind: String, title: String, body: String, round: inout ShieldContext) {
        round.addEffect(.notify(ShieldNotice(id: "shield/\(kind)/\(app)", title: title, body: body)))
    }

    // MARK: - Failures

    /// Receives the answer of a cover that requested the input.
    mutating func inputAnswered(
        _ pane: ShieldPane,
        isHeld: Bool,
        why: Message?,
        covers: inout ShieldCovers,
        round: inout ShieldContext
    ) {
        guard !isHeld else { return refusals = 0 }
        let reason =
            why
            ?? Message(
                "agent.input-is-not-released",
                "The desktop does not give the shield control of the keyboard and pointer."
            )
        notPausedReason = reason
        round.recordStep(
            app,
            Message(
                "agent.cover-holds-no-input",
                "The cover over \(pane.window, "window") does not capture the input: \(reason, "reason")"
            )
        )
        guard !pane.isClosing, round.isShielded(app), isFree else { return }
        covers.scheduleInputHold(pane.id, at: round.now.boot + Self.inputHoldRetry)
        guard round.desktop.focusedWindow == pane.window else { return }
        refusals += 1
        guard refusals >= Self.refusalsMax, round.desktop.abilities.minimizes else { return }
        // A game that has grabbed pointer and keyboard releases them if it is minimised. Otherwise it might never release them.
        refusals = 0
        round.recordStep(
            app,
            Message(
                "agent.window-is-minimised",
                "The window \(pane.window, "window") keeps the input, so Screen Time minimises it."
            )
        )
        round.addAction(.minimize([pane.window]))
    }

    /// Resumes the app because the display does not answer. A paused app with exclusive use of the display blocks the display.
    mutating func screenDidTimeOut(_ round: inout ShieldContext) {
        guard state == .pausing || means != nil else { return }
        let wait = Self.unresponsiveWait * (1 << min(unresponsiveCount, Self.unresponsiveMax))
        unresponsiveCount += 1
        pauseRetry = round.now.boot + wait
        notPausedReason = Message(
            "agent.display-silent-while-paused",
            "The display did not answer while the app was paused."
        )
        round.recordStep(
            app,
            Message(
                "agent.not-paused-while-silent",
                """
                The display did not answer while the app was paused. The app runs again, and Screen Time \
                does not pause it for \(MessageValue.duration(ms: wait.ms), "length").
                """
            )
        )
        thaw(&round)
    }

    /// Pauses the app again after another program resumed it. The number of attempts is limited, because that program may
    /// have a reason.
    mutating func appDidContinue(_ round: inout ShieldContext) {
        guard means != nil else { return }
        guard continuations < Self.continuationsMax else {
            continuations = 0
            pauseRetry = round.now.boot + Self.unresponsiveWait
            notPausedReason = Message("agent.other-program-resumes", "Another program keeps resuming it.")
            round.recordStep(
                app,
                Message(
                    "agent.only-covered-for-a-while",
                    """
                    Another program keeps resuming it, so for a while Screen Time covers it without pausing \
                    it.
                    """
                )
            )
            return thaw(&round)
        }
        continuations += 1
        round.recordStep(
            app,
            Message(
                "agent.paused-once-more",
                "Another program resumed it. Screen Time pauses it again."
            )
        )
        state = .pausing
        round.addEffect(.pause(app: app, pids: pids))
    }
}
