import STContracts
import STDesktop
import STPlatform

/// What shields do about apps that have a question, or do not let go of the input.
extension ShieldDirector {
    /// Whoever is asked whether to save has so long, whatever the settings say.
    package static let questionMs: Int64 = 60_000
    static let holdAgainMs: Int64 = 4_000
    private static let refusalsMax = 3

    // MARK: - Questions while closing

    /// Whether a window came up after the app was asked to close, and while it may still be answered.
    ///
    /// It is left uncovered until then: whoever cannot say "Save" loses what they have.
    func isQuestion(_ window: WindowID, of app: ShieldedApp) -> Bool {
        guard app.escalation.step == .closing, !app.closing.contains(window),
            let sinceMs = app.escalation.sinceMs
        else { return false }
        // Whatever keeps the next step from coming, it is not left bare for ever.
        return now.bootMs - sinceMs < waitMs(of: app)
    }

    private func hasQuestion(_ app: ShieldedApp) -> Bool {
        guard app.escalation.step == .closing else { return false }
        return scene.windows.values.contains {
            $0.app?.id == app.id && $0.window.isShown && !app.closing.contains($0.window.id)
        }
    }

    /// How long its step takes.
    func waitMs(of app: ShieldedApp) -> Int64 {
        hasQuestion(app) ? max(settings.escalateAfterMs, Self.questionMs) : settings.escalateAfterMs
    }

    func mustRun(_ app: ShieldedApp) -> Bool {
        app.escalation.mustRun(settings.escalation, afterMs: waitMs(of: app), nowMs: now.bootMs)
    }

    // MARK: - Refusals

    /// A game that has grabbed pointer and keyboard lets go of them when it is minimised, and else perhaps never.
    mutating func refuse(_ pane: ShieldPane) {
        guard !pane.isClosing, isShielded(pane.app), apps[pane.app]?.hold == .free else { return }
        panes[pane.id]?.holdAgainMs = now.bootMs + Self.holdAgainMs
        guard scene.focus == pane.window, let app = apps[pane.app] else { return }
        apps[pane.app]?.refusals = app.refusals + 1
        guard app.refusals + 1 >= Self.refusalsMax, scene.abilities.minimizes else { return }
        apps[pane.app]?.refusals = 0
        step(pane.app, "\(pane.window) keeps the input to itself, so it is minimised.")
        act(.minimize([pane.window]))
    }

    // MARK: - What is held, and should not be or is not

    private static let silenceMs: Int64 = 60_000
    private static let silencesMax = 6
    private static let continuationsMax = 5

    /// The apps that stand still, as far as anybody knows.
    package var paused: [String] {
        apps.values.filter { if case .paused = $0.hold { true } else { false } }.map(\.id).sorted()
    }

    /// Whoever was stopped while it had the display to itself has stopped the display: all are let go of at once.
    mutating func hearSilence() {
        for (id, app) in apps.sorted(by: { $0.key < $1.key }) {
            switch app.hold {
            case .free, .thawing: continue
            case .pausing, .paused: break
            }
            let waitMs = Self.silenceMs << min(app.silences, Self.silencesMax)
            apps[id]?.silences += 1
            apps[id]?.pauseAgainMs = now.bootMs + waitMs
            let why = "The display did not answer while it was paused."
            apps[id]?.notPaused = why
            apps[id]?.hold = .thawing
            step(id, "\(why) It is let go of, and not paused again for \(waitMs / 1000) seconds.")
            order(.thaw(app: id))
        }
    }

    /// Paused again, but not for ever: whoever does that may have a reason.
    mutating func hearContinued(_ id: String) {
        guard let app = apps[id], case .paused = app.hold else { return }
        apps[id]?.continuations += 1
        guard app.continuations < Self.continuationsMax else {
            apps[id]?.continuations = 0
            apps[id]?.pauseAgainMs = now.bootMs + Self.silenceMs
            apps[id]?.notPaused = "Another program lets it go on again and again."
            apps[id]?.hold = .thawing
            step(id, "Another program lets it go on again and again, so it is covered alone for a while.")
            return order(.thaw(app: id))
        }
        step(id, "Another program has let it go on; it is paused again.")
        apps[id]?.hold = .pausing
        order(.pause(app: id, pids: app.pids))
    }
}
