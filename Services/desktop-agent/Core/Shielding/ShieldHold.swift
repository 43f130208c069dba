import STContracts
import STDesktop
import STPlatform

/// The pause of one app. Its processes are paused only while every visible window has a cover and every cover captures the input.
/// After that the app may be closed and ended, if the settings allow it, each step with its warning.
struct ShieldHold: Sendable {
    /// The time that a call under way gets before the next step.
    static let callMs: Int64 = 60_000
    static let pauseAgainMs: Int64 = 5_000
    /// The minimum time to answer an app that asks whether to save, even if the settings contain a shorter one.
    static let questionMs: Int64 = 60_000
    private static let holdAgainMs: Int64 = 4_000
    private static let refusalsMax = 3
    private static let silenceMs: Int64 = 60_000
    private static let silencesMax = 6
    private static let continuationsMax = 5
    /// Upper bound on the times that a paused app comes to the foreground before it runs for a moment. A paused app reads
    /// nothing, and a Wayland compositor ends an app with too many unread messages. This was observed after 200 times.
    static let callsMax = 40
    /// The time for which an app runs to draw itself at its new size, or to read the messages of the desktop.
    static let drawingMs: Int64 = 400

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
    private var isVerdictAsked = false
    /// The number of times that the app came to the foreground during the pause.
    private var calls = 0
    private var isInFront = false
    /// The processes of the last verdict or pause.
    private var pids: [Int32] = []
    /// The frames of the windows at the time of the pause. Their content keeps that size.
    private var frames: [WindowID: ScreenRect] = [:]
    /// The boot time before which no pause is attempted.
    private var pauseAgainMs: Int64 = 0
    /// The reason why the app is not paused, as a text for people.
    private(set) var notPaused: Message?
    private var call = CallWatch()
    private var escalation = ShieldEscalation()
    /// The windows that existed when they were asked to close.
    private var closing: Set<WindowID> = []
    /// True if the person asked to close the app, rather than the settings.
    private var isWanted = false
    /// The number of times that the input was refused while the app was in the foreground.
    private var refusals = 0
    /// The number of times that the display did not answer while the app was paused.
    private var silences = 0
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
        case .hold: means == nil ? nil : .paused
        }
    }

    func dueMs(_ covers: ShieldCovers, _ round: ShieldRound) -> [Int64] {
        var due: [Int64] = []
        if let untilMs = call.warnedUntilMs { due.append(untilMs) }
        if isFree {
            due.append(pauseAgainMs)
            due += covers.holdsAgainMs(app)
        }
        if round.isShielded(app),
            let ms = escalation.nextMs(round.settings.escalation, afterMs: waitMs(round))
        {
            due.append(ms)
        }
        return due
    }

    /// Returns true for a window that appeared after the app was asked to close, while its time for an answer lasts.
    ///
    /// Such a window stays uncovered until then, because a person who cannot choose "Save" would lose their work.
    func isQuestion(_ window: WindowID, _ round: ShieldRound) -> Bool {
        guard escalation.step == .closing, !closing.contains(window), let sinceMs = escalation.sinceMs else {
            return false
        }
        // The time is limited, so that the window does not stay uncovered if no next step comes.
        return round.now.bootMs - sinceMs < waitMs(round)
    }

    /// Returns the duration of the present step.
    private func waitMs(_ round: ShieldRound) -> Int64 {
        let ms = round.settings.escalateAfterMs
        let hasQuestion =
            escalation.step == .closing
            && round.scene.windows.values.contains {
                $0.app?.id == app && $0.window.isShown && !closing.contains($0.window.id)
            }
        return hasQuestion ? max(ms, Self.questionMs) : ms
    }

    private func mustRun(_ round: ShieldRound) -> Bool {
        escalation.mustRun(round.settings.escalation, afterMs: waitMs(round), nowMs: round.now.bootMs)
    }

    private func next(_ round: ShieldRound) -> ShieldEscalation.Step? {
        escalation.due(round.settings.escalation, afterMs: waitMs(round), nowMs: round.now.bootMs)
    }

    // MARK: - Pauses

    /// Handles the removal of the shield: the app may be used again.
    mutating func lifted() {
        escalation = ShieldEscalation()
        closing = []
        isWanted = false
        refusals = 0
        call = CallWatch()
    }

    /// Pauses the app, resumes it, or takes the next step, according to the present state.
    ///
    /// `isLeaving` is true if a cover over one of its `windows` is closing.
    mutating func turn(
        _ windows: [SeenWindow],
        isLeaving: Bool,
        _ covers: inout ShieldCovers,
        _ round: inout ShieldRound
    ) {
        let shown = windows.filter(\.window.isShown)
        switch state {
        case .pausing, .paused:
            let isSafe =
                round.isShielded(app) && !isLeaving && !windows.isEmpty
                && shown.allSatisfy { covers.pane(over: $0)?.isSafe == true } && !mustRun(round)
            guard isSafe else {
                round.step(app, Message("agent.app-runs-again", "It runs again."))
                return thaw(&round)
            }
            guard !showsBeyond(windows, round) else {
                round.step(
                    app,
                    Message(
                        "agent.app-redraws-itself",
                        "Its window became smaller, so it runs for a moment to draw itself again."
                    )
                )
                pauseAgainMs = round.now.bootMs + Self.drawingMs
                return thaw(&round)
            }
            guard !hasMuchToHear(windows, round) else {
                round.step(
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
                pauseAgainMs = round.now.bootMs + Self.drawingMs
                return thaw(&round)
            }
            escalate(windows, &round)
        case .thawing: break
        case .free:
            guard round.isShielded(app), round.isReady, round.settings.holds, round.scene.isKnown else {
                return
            }
            let covered = shown.filter { !isQuestion($0.window.id, round) }
            let isUp = !shown.isEmpty && covered.allSatisfy { covers.pane(over: $0)?.isMapped == true }
            guard isUp, !isLeaving else { return }
            begin(windows, shown, &covers, &round)
        }
    }

    /// Prepares and orders the pause of a covered app.
    private mutating func begin(
        _ windows: [SeenWindow],
        _ shown: [SeenWindow],
        _ covers: inout ShieldCovers,
        _ round: inout ShieldRound
    ) {
        let now = round.now.bootMs
        let pids = Array(Set(windows.compactMap(\.window.pid))).sorted()
        if verdict == nil || self.pids != pids {
            // The verdict was about other processes, so it does not apply to these.
            guard !isVerdictAsked, pauseAgainMs <= now || self.pids != pids else { return }
            self.pids = pids
            isVerdictAsked = true
            verdict = nil
            round.order(.verdict(app: app, pids: pids))
            if call.isUnknown { askForCall(&round) }
            return
        }
        // An app that is never paused is never closed or ended either, because this agent may run in it.
        guard case .allowed? = verdict else { return }
        // The search starts early, so that the minute of a call starts early.
        if call.isUnknown { return askForCall(&round) }
        if call.isWaiting(now) { return }
        escalate(windows, &round)
        guard !mustRun(round), pauseAgainMs <= now else { return }
        guard round.scene.abilities.holdsInput else {
            notPaused = Message(
                "agent.desktop-holds-no-input",
                "On this desktop, a cover cannot capture the input."
            )
            return
        }
        for seen in shown {
            guard let pane = covers.pane(over: seen), pane.asksHold(now) else { continue }
            covers.askHold(pane.id, &round)
        }
        guard shown.allSatisfy({ covers.pane(over: $0)?.isSafe == true }), cutsNoCall(&round) else { return }
        call.stepDone()
        state = .pausing
        notPaused = nil
        frames = windows.reduce(into: [:]) { $0[$1.window.id] = $1.window.frame }
        round.order(.pause(app: app, pids: pids))
    }

    private mutating func hasMuchToHear(_ windows: [SeenWindow], _ round: ShieldRound) -> Bool {
        let isInFront = windows.contains { $0.window.id == round.scene.focus }
        if isInFront && !self.isInFront { calls += 1 }
        self.isInFront = isInFront
        return round.scene.abilities.waitsForClients && calls >= Self.callsMax
    }

    /// Returns true if a window is smaller than its content, on a desktop that does not crop the content.
    private func showsBeyond(_ windows: [SeenWindow], _ round: ShieldRound) -> Bool {
        guard !round.scene.abilities.cutsToFrames else { return false }
        return windows.contains {
            guard let frame = $0.window.frame, let held = frames[$0.window.id] else { return false }
            return frame.width < held.width || frame.height < held.height
        }
    }

    private mutating func thaw(_ round: inout ShieldRound) {
        state = .thawing
        round.order(.thaw(app: app))
    }

    mutating func hear(_ verdict: PauseVerdict, _ round: inout ShieldRound) {
        isVerdictAsked = false
        self.verdict = verdict
        switch verdict {
        case .allowed: notPaused = nil
        case .never(let why):
            notPaused = why
            round.step(
                app,
                Message("agent.covered-but-not-paused", "It is covered but not paused: \(why, "reason")")
            )
        case .impossible(let why):
            tryLater(why, round)
            round.step(
                app,
                Message("agent.app-cannot-be-paused", "Screen Time cannot pause it: \(why, "reason")")
            )
        }
    }

    mutating func hear(_ outcome: PauseOutcome, _ covers: inout ShieldCovers, _ round: inout ShieldRound) {
        // In the other states an order to resume follows this pause, regardless of its result.
        guard state == .pausing else { return }
        switch outcome {
        case .paused(let means, let processes):
            state = .paused(means)
            calls = 0
            round.step(
                app,
                Message(
                    "agent.processes-are-paused",
                    count: processes,
                    one: "Screen Time paused \(processes, "count") process.",
                    other: "Screen Time paused \(processes, "count") processes."
                )
            )
        case .refused(let why):
            letGo(&covers)
            tryLater(why, round)
            round.step(
                app,
                Message("agent.app-was-not-paused", "Screen Time did not pause it: \(why, "reason")")
            )
        }
    }

    private mutating func tryLater(_ why: Message, _ round: ShieldRound) {
        notPaused = why
        verdict = nil
        pauseAgainMs = round.now.bootMs + Self.pauseAgainMs
    }

    mutating func hearThawed(_ covers: inout ShieldCovers) { if state == .thawing { letGo(&covers) } }

    /// Marks the app as running. A capture of the input for the last pause is not valid for the next one.
    private mutating func letGo(_ covers: inout ShieldCovers) {
        state = .free
        covers.forgetHolds(of: app)
    }

    // MARK: - Calls

    /// Returns true if no call or recording would be interrupted without a warning of a minute. Starts the search if the last
    /// answer is too old.
    private mutating func cutsNoCall(_ round: inout ShieldRound) -> Bool {
        guard !call.isWaiting(round.now.bootMs) else { return false }
        if call.isFresh(round.now.bootMs) { return true }
        askForCall(&round)
        return false
    }

    private mutating func askForCall(_ round: inout ShieldRound) {
        guard !call.isAsked else { return }
        call.ask()
        round.order(.underway(app: app, pids: pids))
    }

    mutating func hear(call sentence: Message?, _ round: inout ShieldRound) {
        guard call.isAsked,
            call.answer(sentence != nil, warningMs: Self.callMs, round.now.bootMs), let sentence
        else { return }
        let seconds = Self.callMs / 1000
        round.step(
            app,
            Message(
                "agent.call-has-time-left",
                "\(sentence, "call") Screen Time waits \(MessageValue.duration(ms: Self.callMs), "length")."
            )
        )
        let (title, body) = round.sayings.call(sentence, name, next(round), seconds: seconds)
        notify("call", title, body, &round)
    }

    // MARK: - Closing and ending

    private mutating func escalate(_ windows: [SeenWindow], _ round: inout ShieldRound) {
        let goal = round.settings.escalation
        let next = next(round)
        let seconds = round.settings.escalateAfterMs / 1000
        if escalation.sinceMs == nil, goal == .close || goal == .end {
            notify("close", round.sayings.closeTitle(name), round.sayings.closeBody(seconds: seconds), &round)
        }
        escalation.begin(round.now.bootMs)
        guard let next, cutsNoCall(&round) else { return }
        escalation.go(next, round.now.bootMs)
        call.stepDone()
        switch next {
        case .closing:
            askToClose(windows, &round)
            if goal == .end {
                notify("end", round.sayings.endTitle(name), round.sayings.endBody(seconds: seconds), &round)
            }
            if means != nil { thaw(&round) }
        case .ending:
            round.step(
                app,
                Message("agent.asks-processes-to-end", "Screen Time asks the processes of the app to end.")
            )
            round.coversAreDue = true
            round.order(.end(app: app, pids: pids))
        case .hold: break
        }
    }

    /// Closes the app at the request of the person. The app runs again behind its cover, and its windows are asked to close as by
    /// their own close button. A window that appears then stays uncovered, because it asks whether to save. An app that stays
    /// open is paused again.
    mutating func close(_ round: inout ShieldRound) {
        guard escalation.step == .hold else { return }
        isWanted = true
        escalation.go(.closing, round.now.bootMs)
        askToClose(round.scene.windows(of: app), &round)
        round.coversAreDue = true
    }

    /// Returns true once the time for a requested close is over.
    mutating func isDoneClosing(_ round: ShieldRound) -> Bool {
        guard isWanted, escalation.step != .closing || !mustRun(round) else { return false }
        isWanted = false
        if escalation.step == .closing { escalation = ShieldEscalation() }
        closing = []
        return true
    }

    private mutating func askToClose(_ windows: [SeenWindow], _ round: inout ShieldRound) {
        round.step(
            app,
            Message("agent.asks-windows-to-close", "Screen Time asks the windows of the app to close.")
        )
        closing = Set(windows.map(\.window.id))
        guard round.scene.abilities.asksToClose else { return }
        for window in closing.sorted(by: { $0.rawValue < $1.rawValue }) { round.act(.askToClose(window)) }
    }

    private func notify(_ kind: String, _ title: String, _ body: String, _ round: inout ShieldRound) {
        round.order(.notify(ShieldNotice(id: "shield/\(kind)/\(app)", title: title, body: body)))
    }

    // MARK: - Failures

    /// Receives the answer of a cover that requested the input.
    mutating func inputAnswered(
        _ pane: ShieldPane,
        isHeld: Bool,
        _ why: Message?,
        _ covers: inout ShieldCovers,
        _ round: inout ShieldRound
    ) {
        guard !isHeld else { return refusals = 0 }
        let reason =
            why
            ?? Message(
                "agent.input-is-not-released",
                "The desktop does not give the shield control of the keyboard and pointer."
            )
        notPaused = reason
        round.step(
            app,
            Message(
                "agent.cover-holds-no-input",
                "The cover over \(pane.window, "window") does not capture the input: \(reason, "reason")"
            )
        )
        guard !pane.isClosing, round.isShielded(app), isFree else { return }
        covers.holdAgain(pane.id, atMs: round.now.bootMs + Self.holdAgainMs)
        guard round.scene.focus == pane.window else { return }
        refusals += 1
        guard refusals >= Self.refusalsMax, round.scene.abilities.minimizes else { return }
        // A game that has grabbed pointer and keyboard releases them if it is minimised. Otherwise it might never release them.
        refusals = 0
        round.step(
            app,
            Message(
                "agent.window-is-minimised",
                "The window \(pane.window, "window") keeps the input, so Screen Time minimises it."
            )
        )
        round.act(.minimize([pane.window]))
    }

    /// Resumes the app because the display does not answer. A paused app with exclusive use of the display blocks the display.
    mutating func screenIsSilent(_ round: inout ShieldRound) {
        guard state == .pausing || means != nil else { return }
        let waitMs = Self.silenceMs << min(silences, Self.silencesMax)
        silences += 1
        pauseAgainMs = round.now.bootMs + waitMs
        notPaused = Message(
            "agent.display-silent-while-paused",
            "The display did not answer while the app was paused."
        )
        round.step(
            app,
            Message(
                "agent.not-paused-while-silent",
                """
                The display did not answer while the app was paused. The app runs again, and Screen Time \
                does not pause it for \(MessageValue.duration(ms: waitMs), "length").
                """
            )
        )
        thaw(&round)
    }

    /// Pauses the app again after another program resumed it. The number of attempts is limited, because that program may
    /// have a reason.
    mutating func wasContinued(_ round: inout ShieldRound) {
        guard means != nil else { return }
        guard continuations < Self.continuationsMax else {
            continuations = 0
            pauseAgainMs = round.now.bootMs + Self.silenceMs
            notPaused = Message("agent.other-program-resumes", "Another program keeps resuming it.")
            round.step(
                app,
                Message(
                    "agent.only-covered-for-a-while",
                    "Another program keeps resuming it, so Screen Time only covers it for a while."
                )
            )
            return thaw(&round)
        }
        continuations += 1
        round.step(
            app,
            Message(
                "agent.paused-once-more",
                "Another program resumed it. Screen Time pauses it again."
            )
        )
        state = .pausing
        round.order(.pause(app: app, pids: pids))
    }
}
