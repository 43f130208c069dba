import STDesktopCore
import STPlatform
import Synchronization

/// From the streams, which are followed from the start, to the stage, which is there once there is a screen.
///
/// What comes before that is lost, and worth no more than a minute anyway.
final class PanelLine: Sendable {
    private let stage = Mutex<(stage: PanelStage, thread: LoopThread)?>(nil)

    func connect(_ stage: PanelStage, _ thread: LoopThread) { self.stage.withLock { $0 = (stage, thread) } }

    func hear(_ news: PanelFollowing.News) {
        guard let (stage, thread) = stage.withLock({ $0 }) else { return }
        thread.post { stage.assumeIsolated { $0.hear(news) } }
    }

    /// Rules, grants or shields are others from now on.
    func policyChanged() {
        guard let (stage, thread) = stage.withLock({ $0 }) else { return }
        thread.post { stage.assumeIsolated { $0.policyChanged() } }
    }
}
