import Glibc
import STDBus
import STDesktop
import STPausing
import STPlatform
import STScreen
import Synchronization

/// Facts about the screen for the decision which processes are never paused. Can be read on any thread.
final class PauseExemptionWatch: DesktopModelObserver {
    private let state: Mutex<PauseExemptionFacts>
    private let sessionBus: String?

    init(_ directories: Directories, apps: [String], environment: [String: String]) {
        sessionBus = try? DBusAddress.session(environment)
        state = Mutex(
            PauseExemptionFacts(
                ownPids: [getpid(), getppid()],
                runDirectory: directories.run,
                apps: Set(apps)
            )
        )
    }

    /// The present facts. The kernel is asked for the process that listens at the session bus, so this must not be called on
    /// the bus thread.
    var facts: PauseExemptionFacts {
        var facts = state.withLock { $0 }
        facts.sessionBusPid = sessionBus.flatMap { DBusAddress.listener($0) }
        return facts
    }

    /// Stores the processes of the displays after each search.
    func apply(_ signs: ScreenProbeResult) {
        state.withLock { facts in
            facts.compositorPid = signs.wayland?.compositorPid ?? signs.x11?.serverPid
            facts.windowManagerPid = signs.x11?.windowManagerPid
        }
    }

    func desktopDidChange(_ scene: DesktopModel, _ event: DesktopEvent) {
        switch event {
        case .window, .windowGone, .ready, .lost: break
        case .focus, .quiet, .idle, .touched, .outputs, .pane, .chosen: return
        }
        var owners: [Int32: Set<String>] = [:]
        for seen in scene.windows.values {
            guard let pid = seen.window.pid else { continue }
            if let app = seen.app?.id { owners[pid, default: []].insert(app) }
        }
        state.withLock { facts in
            facts.windowOwners = owners
            facts.chromePids = scene.chromePids
        }
    }
}
