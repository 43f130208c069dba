import STContracts
import STDesktop
import STPlatform

/// Pausing: after the cover is up and holds the input, and never longer than both are so.
extension ShieldDirector {
    mutating func hold() {
        let covers = Dictionary(grouping: panes.values) { $0.app }
        var windows: [String: [SeenWindow]] = [:]
        for seen in scene.windows.values {
            guard let app = seen.app?.id, apps[app] != nil else { continue }
            windows[app, default: []].append(seen)
        }
        for id in apps.keys.sorted() { hold(id, covers[id] ?? [], windows[id] ?? []) }
    }

    private mutating func hold(_ id: String, _ panes: [ShieldPane], _ windows: [SeenWindow]) {
        guard let app = apps[id] else { return }
        let isLeaving = panes.contains { $0.isClosing && scene.windows[$0.window] != nil }
        let shown = windows.filter(\.window.isShown)
        switch app.hold {
        case .pausing, .paused:
            let isSafe =
                isShielded(id) && !isLeaving && !windows.isEmpty
                && shown.allSatisfy { pane(over: $0)?.isSafe == true }
                && !mustRun(app)
            guard isSafe else {
                apps[id]?.hold = .thawing
                step(id, "It is let go of.")
                return order(.thaw(app: id))
            }
            escalate(id, windows)
        case .thawing: break
        case .free:
            guard isShielded(id), isReady, settings.holds, scene.isKnown else { return }
            let covered = shown.filter { !isQuestion($0.window.id, of: app) }
            let isUp = !shown.isEmpty && covered.allSatisfy { pane(over: $0)?.isMapped == true }
            guard isUp, !isLeaving else { return }
            begin(id, windows, shown)
        }
    }

    private func pane(over seen: SeenWindow) -> ShieldPane? {
        guard let pane = paneOfWindow[seen.window.id].flatMap({ panes[$0] }), pane.app == seen.app?.id,
            !pane.isClosing
        else { return nil }
        return pane
    }

    /// The cover is up: whatever comes before the pause, and the pause itself.
    private mutating func begin(_ id: String, _ windows: [SeenWindow], _ shown: [SeenWindow]) {
        guard let app = apps[id] else { return }
        let pids = Array(Set(windows.compactMap(\.window.pid))).sorted()
        if app.verdict == nil || app.pids != pids {
            // Other processes: what was said of the earlier ones is no word about these.
            guard !app.isVerdictAsked, app.pauseAgainMs <= now.bootMs || app.pids != pids else { return }
            apps[id]?.pids = pids
            apps[id]?.isVerdictAsked = true
            apps[id]?.verdict = nil
            order(.verdict(app: id, pids: pids))
            if app.call.isUnknown { askForCall(id) }
            return
        }
        // Who is never paused is not closed or ended either: it may be what all this runs in.
        guard case .allowed? = app.verdict else { return }
        // Told at once, so that the minute begins at once.
        if app.call.isUnknown { return askForCall(id) }
        if app.call.isWaiting(now.bootMs) { return }
        escalate(id, windows)
        guard let begun = apps[id], !mustRun(begun), app.pauseAgainMs <= now.bootMs else { return }
        guard scene.abilities.holdsInput else {
            apps[id]?.notPaused = "This desktop does not let a cover hold the input."
            return
        }
        for seen in shown {
            guard let pane = pane(over: seen), pane.asksHold(now.bootMs) else { continue }
            panes[pane.id]?.isHoldAsked = true
            panes[pane.id]?.holdAgainMs = nil
            act(.holdInput(pane.id))
        }
        guard shown.allSatisfy({ pane(over: $0)?.isSafe == true }), cutsNoCall(id) else { return }
        apps[id]?.call.stepDone()
        apps[id]?.hold = .pausing
        apps[id]?.notPaused = nil
        order(.pause(app: id, pids: pids))
    }

    /// Whether no call or recording would be cut that nobody was warned of a minute ago; looks where that is not known.
    private mutating func cutsNoCall(_ id: String) -> Bool {
        guard let call = apps[id]?.call, !call.isWaiting(now.bootMs) else { return false }
        if call.isFresh(now.bootMs) { return true }
        askForCall(id)
        return false
    }

    private mutating func askForCall(_ id: String) {
        guard let app = apps[id], !app.call.isAsked else { return }
        apps[id]?.call.ask()
        order(.underway(app: id, pids: app.pids))
    }

    /// Closing and ending, where the settings go so far, each after its wait and each told before.
    private mutating func escalate(_ id: String, _ windows: [SeenWindow]) {
        guard let app = apps[id] else { return }
        let isNew = app.escalation.sinceMs == nil
        apps[id]?.escalation.begin(now.bootMs)
        let next = app.escalation.due(settings.escalation, afterMs: waitMs(of: app), nowMs: now.bootMs)
        let seconds = settings.escalateAfterMs / 1000
        let name = name(of: id)
        if isNew, settings.escalation == .close || settings.escalation == .end {
            notify("close", id, sayings.closeTitle(name), sayings.closeBody(seconds: seconds))
        }
        guard let next, cutsNoCall(id) else { return }
        apps[id]?.escalation.go(next, now.bootMs)
        apps[id]?.call.stepDone()
        switch next {
        case .closing:
            step(id, "Its windows are asked to close.")
            apps[id]?.closing = Set(windows.map(\.window.id))
            for seen in windows.sorted(by: { $0.window.id.rawValue < $1.window.id.rawValue })
            where scene.abilities.asksToClose {
                act(.askToClose(seen.window.id))
            }
            if settings.escalation == .end {
                notify("end", id, sayings.endTitle(name), sayings.endBody(seconds: seconds))
            }
            if case .paused = app.hold {
                apps[id]?.hold = .thawing
                order(.thaw(app: id))
            }
        case .ending:
            step(id, "Its processes are told to end.")
            sceneHasChanged = true
            order(.end(app: id, pids: app.pids))
        case .hold: break
        }
    }

    // MARK: - Answers

    mutating func hear(_ verdict: PauseVerdict, _ id: String) {
        guard apps[id] != nil else { return }
        apps[id]?.isVerdictAsked = false
        apps[id]?.verdict = verdict
        switch verdict {
        case .allowed: apps[id]?.notPaused = nil
        case .never(let why):
            apps[id]?.notPaused = why
            step(id, "It is covered and not paused: \(why)")
        case .impossible(let why):
            apps[id]?.notPaused = why
            apps[id]?.verdict = nil
            apps[id]?.pauseAgainMs = now.bootMs + Self.pauseAgainMs
            step(id, "It cannot be paused: \(why)")
        }
    }

    mutating func hear(call sentence: String?, _ id: String) {
        guard let app = apps[id], app.call.isAsked else { return }
        guard apps[id]?.call.answer(sentence != nil, warningMs: Self.callMs, now.bootMs) == true,
            let sentence
        else { return }
        let next = app.escalation.due(settings.escalation, afterMs: waitMs(of: app), nowMs: now.bootMs)
        let seconds = Self.callMs / 1000
        step(id, "\(sentence) It has \(seconds) seconds.")
        let (title, body) = sayings.call(sentence, name(of: id), next, seconds: seconds)
        notify("call", id, title, body)
    }

    mutating func hear(_ outcome: PauseOutcome, _ id: String) {
        // What is being thawed is thawed after this, whatever came of it.
        guard let app = apps[id], app.hold == .pausing else { return }
        switch outcome {
        case .paused(let means, let processes):
            apps[id]?.hold = .paused(means)
            step(id, "Paused: \(processes) \(processes == 1 ? "process" : "processes").")
        case .refused(let why):
            isFree(id)
            apps[id]?.notPaused = why
            apps[id]?.verdict = nil
            apps[id]?.pauseAgainMs = now.bootMs + Self.pauseAgainMs
            step(id, "It was not paused: \(why)")
        }
    }

    mutating func hearThawed(_ id: String) {
        guard apps[id]?.hold == .thawing else { return }
        isFree(id)
    }

    /// What was promised for the last pause is no promise for the next one.
    private mutating func isFree(_ id: String) {
        apps[id]?.hold = .free
        for pane in panes.values where pane.app == id { panes[pane.id]?.forgetHold() }
    }

    private mutating func notify(_ kind: String, _ app: String, _ title: String, _ body: String) {
        order(.notify(ShieldNotice(id: "shield/\(kind)/\(app)", title: title, body: body)))
    }
}
