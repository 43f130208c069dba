import STDesktopCore
import STEngine
import STPlatform
import Synchronization

/// The parts that exist before the screen is found: the data for routes, and the connections of the streams to the stages.
struct AgentEars: Sendable {
    let facts = DesktopFacts()
    let policy = PolicyWire()
    let panels = PanelWire()
    let seat = SeatWire()

    func definition(language: String) -> ServiceDefinition<DesktopState> {
        DesktopService.definition(
            facts: facts,
            language: language,
            panels: { [panels] in panels.hear($0) },
            policy: { [policy, panels, seat] in
                seat.put($0)
                policy.put($0)
                panels.put($0)
            }
        )
    }
}

/// Carries the newest policy from the database thread to the stage of shields.
final class PolicyWire: Sendable {
    private struct State {
        var policy: ShieldPolicy?
        var ring: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Stores a policy. Can be called on any thread.
    func put(_ policy: ShieldPolicy) {
        let ring = state.withLock { state in
            let isFirst = state.policy == nil
            state.policy = policy
            return isFirst ? state.ring : nil
        }
        ring?()
    }

    /// Returns the policy if it was not taken yet.
    func take() -> ShieldPolicy? {
        state.withLock { state in
            defer { state.policy = nil }
            return state.policy
        }
    }

    /// Sets the function that signals a new policy. If a policy is waiting, the function is called immediately.
    func listen(_ ring: @escaping @Sendable () -> Void) {
        let isThere = state.withLock { state in
            state.ring = ring
            return state.policy != nil
        }
        if isThere { ring() }
    }
}

/// Carries the member of this account to the hub.
final class SeatWire: Sendable {
    private struct Seat: Equatable {
        var member: String
        var isChild: Bool
    }

    private struct State {
        var seat: Seat?
        var hub: (hub: DesktopHub, thread: LoopThread)?
    }

    private let state = Mutex(State())

    /// Sets the hub. If the member is known, the hub receives it immediately.
    func connect(_ hub: DesktopHub, _ thread: LoopThread) {
        state.withLock { $0.hub = (hub, thread) }
        tell()
    }

    /// Stores the member of the policy. Can be called on any thread. While auth-service resends its state, the policy has no
    /// member, and this call changes nothing.
    func put(_ policy: ShieldPolicy) {
        guard let member = policy.member else { return }
        let seat = Seat(member: member, isChild: policy.isChild(member))
        let isSame = state.withLock { state in
            defer { state.seat = seat }
            return state.seat == seat
        }
        if !isSame { tell() }
    }

    private func tell() {
        guard let (hub, thread) = state.withLock({ $0.hub }) else { return }
        thread.post { [self] in
            // Calls may arrive in any order, so the newest member is used.
            guard let seat = state.withLock({ $0.seat }) else { return }
            hub.assumeIsolated { $0.sits(seat.member, isChild: seat.isChild) }
        }
    }
}

/// Carries events from the streams to the stage of panels. The streams are followed from the start, but the stage exists only
/// once there is a screen.
///
/// Earlier events are dropped, because they matter for only a minute.
final class PanelWire: Sendable {
    private struct State {
        var stage: PanelStage?
        var thread: LoopThread?
        var policy: ShieldPolicy?
    }

    private let state = Mutex(State())

    func connect(_ stage: PanelStage, _ thread: LoopThread) {
        let policy = state.withLock { state in
            state.stage = stage
            state.thread = thread
            return state.policy
        }
        if let policy { put(policy) }
    }

    func hear(_ news: PanelNews) { post { $0.hear(news) } }

    /// Sends a change of rules, grants or shields.
    func put(_ policy: ShieldPolicy) {
        state.withLock { $0.policy = policy }
        post { $0.take(policy) }
    }

    private func post(_ work: @escaping @Sendable (isolated PanelStage) -> Void) {
        let (stage, thread) = state.withLock { ($0.stage, $0.thread) }
        guard let stage, let thread else { return }
        thread.post { stage.assumeIsolated { work($0) } }
    }
}
