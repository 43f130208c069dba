import STDesktopCore
import STEngine
import STPlatform
import Synchronization

/// The parts that exist before the screen is found: the data for routes, and the connections of the streams to the stages.
struct EventSources: Sendable {
    let facts = DesktopFacts()
    let policy = PolicyMailbox()
    let panels = PanelRelay()
    let sessionMember = SessionMemberRelay()

    func definition(language: String) -> ServiceDefinition<DesktopState> {
        DesktopService.definition(
            facts: facts,
            language: language,
            panels: { [panels] in panels.receive($0) },
            policy: { [policy, panels, sessionMember] in
                sessionMember.apply($0)
                policy.submit($0)
                panels.apply($0)
            }
        )
    }
}

/// Carries the newest policy from the database thread to the stage of shields.
final class PolicyMailbox: Sendable {
    private struct State {
        var policy: ShieldPolicy?
        var signal: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Stores a policy. Can be called on any thread.
    func submit(_ policy: ShieldPolicy) {
        let ring = state.withLock { state in
            let isFirst = state.policy == nil
            state.policy = policy
            return isFirst ? state.signal : nil
        }
        ring?()
    }

    /// Returns the policy if it was not taken yet.
    func takePolicy() -> ShieldPolicy? {
        state.withLock { state in
            defer { state.policy = nil }
            return state.policy
        }
    }

    /// Sets the function that signals a new policy. If a policy is waiting, the function is called immediately.
    func setHandler(_ ring: @escaping @Sendable () -> Void) {
        let isThere = state.withLock { state in
            state.signal = ring
            return state.policy != nil
        }
        if isThere { ring() }
    }
}

/// Carries the member of this account to the hub.
final class SessionMemberRelay: Sendable {
    private struct SessionMember: Equatable {
        var member: String
        var isChild: Bool
    }

    private struct State {
        var sessionMember: SessionMember?
        var hub: (hub: DesktopHub, thread: LoopThread)?
    }

    private let state = Mutex(State())

    /// Sets the hub. If the member is known, the hub receives it immediately.
    func connect(_ hub: DesktopHub, _ thread: LoopThread) {
        state.withLock { $0.hub = (hub, thread) }
        send()
    }

    /// Stores the member of the policy. Can be called on any thread. While auth-service resends its state, the policy has no
    /// member, and this call changes nothing.
    func apply(_ policy: ShieldPolicy) {
        guard let member = policy.member else { return }
        let seat = SessionMember(member: member, isChild: policy.isChild(member))
        let isSame = state.withLock { state in
            defer { state.sessionMember = seat }
            return state.sessionMember == seat
        }
        if !isSame { send() }
    }

    private func send() {
        guard let (hub, thread) = state.withLock({ $0.hub }) else { return }
        thread.post { [self] in
            // Calls may arrive in any order, so the newest member is used.
            guard let seat = state.withLock({ $0.sessionMember }) else { return }
            hub.assumeIsolated { $0.setMember(seat.member, isChild: seat.isChild) }
        }
    }
}

/// Carries events from the streams to the stage of panels. The streams are followed from the start, but the stage exists only
/// once there is a screen.
///
/// Earlier events are dropped, because they matter for only a minute.
final class PanelRelay: Sendable {
    private struct State {
        var controller: PanelController?
        var thread: LoopThread?
        var policy: ShieldPolicy?
    }

    private let state = Mutex(State())

    func connect(_ stage: PanelController, _ thread: LoopThread) {
        let policy = state.withLock { state in
            state.controller = stage
            state.thread = thread
            return state.policy
        }
        if let policy { apply(policy) }
    }

    func receive(_ news: PanelEvent) { post { $0.receive(news) } }

    /// Sends a change of rules, grants or shields.
    func apply(_ policy: ShieldPolicy) {
        state.withLock { $0.policy = policy }
        post { $0.apply(policy) }
    }

    private func post(_ work: @escaping @Sendable (isolated PanelController) -> Void) {
        let (stage, thread) = state.withLock { ($0.controller, $0.thread) }
        guard let stage, let thread else { return }
        thread.post { stage.assumeIsolated { work($0) } }
    }
}
