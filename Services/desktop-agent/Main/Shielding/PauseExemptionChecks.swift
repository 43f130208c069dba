import STDesktop
import STPausing
import STPlatform
import Synchronization

/// The reasons why apps on the screen are never paused, for `desktop.windows`.
///
/// Each app is judged outside of the bus thread, one at a time: once, and again after its processes change.
final class PauseExemptionChecks: DesktopModelObserver {
    private static let appsMax = 500

    private struct Owner: Equatable {
        var app: String
        var pid: Int32
    }

    private struct State {
        var pauser: (any AppPausing)?
        var owners: [WindowID: Owner] = [:]
        var verdicts: [String: (pids: [Int32], reason: Message?)] = [:]
        var waiting: [String] = []
        var isEvaluating = false

        func pids(of app: String) -> [Int32] {
            Set(owners.values.lazy.filter { $0.app == app }.map(\.pid)).sorted()
        }
    }

    private let state = Mutex(State())
    private let thread: LoopThread

    init(_ thread: LoopThread) { self.thread = thread }

    /// Returns the reason, or nil if the app may be paused or has not been judged yet.
    func reason(_ app: AppIdentity) -> Message? { state.withLock { $0.verdicts[app.id]?.reason } }

    /// Sets the pauser, with which apps can be judged.
    func connect(_ pauser: any AppPausing) {
        let begins = state.withLock { state in
            state.pauser = pauser
            for app in Set(state.owners.values.map(\.app)).sorted() { state.waiting.append(app) }
            return Self.beginIfNeeded(&state)
        }
        if begins { evaluate() }
    }

    func desktopDidChange(_ scene: DesktopModel, _ event: DesktopEvent) {
        let begins = state.withLock { state in
            switch event {
            case .window(let window): Self.see(id: window.id, scene: scene, state: &state)
            case .windowGone(let id): Self.see(id: id, scene: scene, state: &state)
            // The apps may have been read since, so the window may belong to another app now.
            case .focus(let id, _): if let id { Self.see(id: id, scene: scene, state: &state) }
            case .lost:
                state.owners = [:]
                state.verdicts = [:]
                state.waiting = []
            case .ready, .quiet, .idle, .touched, .outputs, .pane, .chosen: return false
            }
            return Self.beginIfNeeded(&state)
        }
        if begins { evaluate() }
    }

    private static func see(id: WindowID, scene: DesktopModel, state: inout State) {
        let seen = scene.windows[id]
        let now = seen.flatMap { seen in
            seen.app.flatMap { app in seen.window.pid.map { Owner(app: app.id, pid: $0) } }
        }
        let before = state.owners[id]
        guard before != now else { return }
        state.owners[id] = now
        for app in Set([before?.app, now?.app].compactMap(\.self)) {
            let pids = state.pids(of: app)
            if pids.isEmpty {
                state.verdicts[app] = nil
            } else if state.verdicts[app].map({ $0.pids != pids }) ?? true, !state.waiting.contains(app),
                state.waiting.count < appsMax
            {
                state.waiting.append(app)
            }
        }
    }

    private static func beginIfNeeded(_ state: inout State) -> Bool {
        guard !state.isEvaluating, state.pauser != nil, !state.waiting.isEmpty else { return false }
        state.isEvaluating = true
        return true
    }

    private func evaluate() {
        Task(executorPreference: thread, priority: .low) { [self] in
            while let (pauser, app, pids) = next() {
                let verdict = await pauser.verdict(app: app, pids: pids)
                state.withLock { state in
                    if state.verdicts.count >= Self.appsMax { state.verdicts = [:] }
                    var reason: Message?
                    if case .never(let why) = verdict { reason = why }
                    state.verdicts[app] = (pids, reason)
                }
            }
        }
    }

    private func next() -> (any AppPausing, String, [Int32])? {
        state.withLock { state in
            while let pauser = state.pauser, !state.waiting.isEmpty {
                let app = state.waiting.removeFirst()
                let pids = state.pids(of: app)
                if !pids.isEmpty { return (pauser, app, pids) }
            }
            state.isEvaluating = false
            return nil
        }
    }
}
