import STDesktop
import STPausing
import STPlatform
import Synchronization

/// The reasons why apps on the screen are never paused, for `desktop.windows`.
///
/// Each app is judged outside of the bus thread, one at a time: once, and again after its processes change.
final class NeverVerdicts: SceneFollower {
    private static let appsMax = 500

    private struct Owner: Equatable {
        var app: String
        var pid: Int32
    }

    private struct State {
        var pauser: (any AppPausing)?
        var owners: [WindowID: Owner] = [:]
        var judged: [String: (pids: [Int32], reason: Message?)] = [:]
        var waiting: [String] = []
        var isJudging = false

        func pids(of app: String) -> [Int32] {
            Set(owners.values.lazy.filter { $0.app == app }.map(\.pid)).sorted()
        }
    }

    private let state = Mutex(State())
    private let thread: LoopThread

    init(_ thread: LoopThread) { self.thread = thread }

    /// Returns the reason, or nil if the app may be paused or has not been judged yet.
    func reason(_ app: AppIdentity) -> Message? { state.withLock { $0.judged[app.id]?.reason } }

    /// Sets the pauser, with which apps can be judged.
    func connect(_ pauser: any AppPausing) {
        let begins = state.withLock { state in
            state.pauser = pauser
            for app in Set(state.owners.values.map(\.app)).sorted() { state.waiting.append(app) }
            return Self.begins(&state)
        }
        if begins { judge() }
    }

    func sceneChanged(_ scene: DesktopScene, _ event: DesktopEvent) {
        let begins = state.withLock { state in
            switch event {
            case .window(let window): Self.see(window.id, scene, &state)
            case .windowGone(let id): Self.see(id, scene, &state)
            // The apps may have been read since, so the window may belong to another app now.
            case .focus(let id, _): if let id { Self.see(id, scene, &state) }
            case .lost:
                state.owners = [:]
                state.judged = [:]
                state.waiting = []
            case .ready, .quiet, .idle, .touched, .outputs, .pane, .chosen: return false
            }
            return Self.begins(&state)
        }
        if begins { judge() }
    }

    private static func see(_ id: WindowID, _ scene: DesktopScene, _ state: inout State) {
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
                state.judged[app] = nil
            } else if state.judged[app].map({ $0.pids != pids }) ?? true, !state.waiting.contains(app),
                state.waiting.count < appsMax
            {
                state.waiting.append(app)
            }
        }
    }

    private static func begins(_ state: inout State) -> Bool {
        guard !state.isJudging, state.pauser != nil, !state.waiting.isEmpty else { return false }
        state.isJudging = true
        return true
    }

    private func judge() {
        Task(executorPreference: thread, priority: .low) { [self] in
            while let (pauser, app, pids) = next() {
                let verdict = await pauser.verdict(app: app, pids: pids)
                state.withLock { state in
                    if state.judged.count >= Self.appsMax { state.judged = [:] }
                    var reason: Message?
                    if case .never(let why) = verdict { reason = why }
                    state.judged[app] = (pids, reason)
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
            state.isJudging = false
            return nil
        }
    }
}
