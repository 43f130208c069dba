import STDesktop
import STDesktopCore
import STPlatform
import STServiceKit
import STZeroMQ

/// While something is held: whether the display still answers, and whether what is held still stands.
///
/// An app that is stopped while it has the display to itself stops everybody else, and us with them; letting go of it
/// needs no display. Nothing of this wakes anybody while nothing is held.
extension ShieldStage {
    private static let answerMs: Int64 = 1_500
    private static let watchMs: Int64 = 5_000

    func watchHeld(_ inputs: [ShieldInput]) {
        let thread = surroundings.loop.thread
        guard !director.paused.isEmpty else {
            if let timer = watch.timer { thread.cancelTimer(timer) }
            return watch.timer = nil
        }
        let isNew = inputs.contains { if case .paused(_, .paused) = $0 { true } else { false } }
        if isNew { askScreen() }
        guard watch.timer == nil else { return }
        watch.timer = thread.after(milliseconds: Self.watchMs) { [weak self] in
            self?.assumeIsolated { $0.lookAtHeld() }
        }
    }

    private func lookAtHeld() {
        watch.timer = nil
        let apps = director.paused
        guard !apps.isEmpty else { return }
        askScreen()
        begin { stage in
            for app in apps where await !stage.parts.pausing.isHeld(app: app) {
                stage.take(.continued(app: app))
            }
        }
        watchHeld([])
    }

    private func askScreen() {
        guard let question = watch.ask() else { return }
        begin { stage in
            await stage.parts.ground.answers()
            stage.watch.answered(question)
        }
        surroundings.loop.thread.after(milliseconds: Self.answerMs) { [weak self] in
            self?.assumeIsolated { $0.hearSilence(question) }
        }
    }

    private func hearSilence(_ question: Int64) {
        guard watch.isWaiting(question), !director.paused.isEmpty else { return }
        let apps = director.paused.joined(separator: " ")
        surroundings.log.warning(
            "screen_silent",
            "The display does not answer; everything that is paused is let go of.",
            ["apps": .text(apps)]
        )
        take(.silent)
    }
}
