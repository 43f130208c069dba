import STDesktop
import STPausing
import STPlatform
import Synchronization

/// Why apps are never paused, for those who ask what is on the screen.
///
/// Judged beside the bus thread, once for each app and again when it has other processes; one at a time.
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

    /// Nil: it may be paused, or has only just come.
    func reason(_ app: AppIdentity) -> Message? { state.withLock { $0.judged[app.id]?.reason } }

    /// From now on apps can be judged.
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
            // Programs may have been read meanwhile, so windows may belong to other apps.
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
