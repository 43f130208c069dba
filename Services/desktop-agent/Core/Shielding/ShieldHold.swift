import STContracts
import STDesktop
import STPlatform

/// What is held of one app: its processes stand still only while every shown window is covered and every cover holds the
/// input. After that the app may be closed and ended, where the settings go so far, each step with its warning.
struct ShieldHold: Sendable {
    /// What a call under way has left.
    static let callMs: Int64 = 60_000
    static let pauseAgainMs: Int64 = 5_000
    /// An app that asks whether to save has so long for the answer, also where the settings say less.
    static let questionMs: Int64 = 60_000
    private static let holdAgainMs: Int64 = 4_000
    private static let refusalsMax = 3
    private static let silenceMs: Int64 = 60_000
    private static let silencesMax = 6
    private static let continuationsMax = 5
    /// A paused app reads nothing, and a Wayland compositor ends it when too much waits for it: seen at 200 calls in front.
    static let callsMax = 40
    /// How long an app runs to draw itself at its new size, or to read what the desktop sent it meanwhile.
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
    /// How often it was called in front since it stands still.
    private var calls = 0
    private var isInFront = false
    /// The processes that the verdict, or the pause, was about.
    private var pids: [Int32] = []
    /// Where its windows were when it was paused: what they show stays so large.
    private var frames: [WindowID: ScreenRect] = [:]
    /// Not tried again before.
    private var pauseAgainMs: Int64 = 0
    /// Why it is not paused, for people.
    private(set) var notPaused: Message?
    private var call = CallWatch()
    private var escalation = ShieldEscalation()
    /// The windows that there were when they were asked to close.
    private var closing: Set<WindowID> = []
    /// The person wanted it closed, and no setting did.
    private var isWanted = false
    /// How often the input was refused while it was in front.
    private var refusals = 0
    /// How often the screen went silent while it was held.
    private var silences = 0
    /// How often another program has let it go on since it was held.
    private var continuations = 0

    init(_ app: String, name: String) {
        self.app = app
        self.name = name
    }

    // MARK: - Questions

    var isFree: Bool { state == .free }

    var means: PauseMeans? { if case .paused(let means) = state { means } else { nil } }

    /// Whether its windows were asked to close, so that a window may be a question.
    var isClosing: Bool { !closing.isEmpty }

    /// How far the shield has gone; nil: it covers.
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

    /// Whether a window came up after the app was asked to close, and while it may still be answered.
    ///
    /// It is left uncovered until then: a person who cannot say "Save" loses what they have.
    func isQuestion(_ window: WindowID, _ round: ShieldRound) -> Bool {
        guard escalation.step == .closing, !closing.contains(window), let sinceMs = escalation.sinceMs else {
            return false
        }
        // Even where the next step does not come, it is not left bare for ever.
        return round.now.bootMs - sinceMs < waitMs(round)
    }

    /// How long its step takes.
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

    // MARK: - Pausing

    /// The app may be used again.
    mutating func lifted() {
        escalation = ShieldEscalation()
        closing = []
        isWanted = false
        refusals = 0
        call = CallWatch()
    }

    /// Holds, lets go, and goes further, as it is right now.
    ///
    /// `isLeaving`: a cover over one of its `windows` is to go.
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

    /// The cover is up: what comes before the pause, and the pause itself.
    private mutating func begin(
        _ windows: [SeenWindow],
        _ shown: [SeenWindow],
        _ covers: inout ShieldCovers,
        _ round: inout ShieldRound
    ) {
        let now = round.now.bootMs
        let pids = Array(Set(windows.compactMap(\.window.pid))).sorted()
        if verdict == nil || self.pids != pids {
            // Other processes: the verdict about the earlier ones does not apply to them.
            guard !isVerdictAsked, pauseAgainMs <= now || self.pids != pids else { return }
            self.pids = pids
            isVerdictAsked = true
            verdict = nil
            round.order(.verdict(app: app, pids: pids))
            if call.isUnknown { askForCall(&round) }
            return
        }
        // An app that is never paused is not closed or ended either: it may be what all this runs in.
        guard case .allowed? = verdict else { return }
        // Asked at once, so that the minute begins at once.
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

    /// Whether a window is smaller than what it shows, where the desktop does not cut that off.
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
        // What is being thawed is thawed after this, whether it was paused or not.
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

    /// A promise for the last pause does not hold for the next one.
    private mutating func letGo(_ covers: inout ShieldCovers) {
        state = .free
        covers.forgetHolds(of: app)
    }

    // MARK: - Calls

    /// Whether no call or recording would be cut without a warning of a minute; looks where that is not known.
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

    /// The person wants it closed: it runs again behind its cover, and its windows are asked to close as by their own
    /// button. A window that comes up then is free, because it asks whether to save; what stays open is held again.
    mutating func close(_ round: inout ShieldRound) {
        guard escalation.step == .hold else { return }
        isWanted = true
        escalation.go(.closing, round.now.bootMs)
        askToClose(round.scene.windows(of: app), &round)
        round.coversAreDue = true
    }

    /// True once what the person wanted to close has had its time.
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

    // MARK: - Doubts

    /// A cover holds the input of its window, or does not.
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
        // A game that has grabbed pointer and keyboard lets go of them when it is minimised, and else perhaps never.
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

    /// An app that stands still while it has the display to itself has stopped the display: it runs again at once.
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

    /// Another program has let it go on: it is paused again, but not for ever, because that program may have a reason.
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
