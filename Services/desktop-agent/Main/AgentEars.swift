import STDesktopCore
import STEngine
import STPlatform
import Synchronization

/// What exists from the start, before any look at the screen: what the service hears and answers.
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

/// Carries what is shielded from the thread of the database to the stage of shields: the newest alone.
final class PolicyWire: Sendable {
    private struct State {
        var policy: ShieldPolicy?
        var ring: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// On any thread.
    func put(_ policy: ShieldPolicy) {
        let ring = state.withLock { state in
            let isFirst = state.policy == nil
            state.policy = policy
            return isFirst ? state.ring : nil
        }
        ring?()
    }

    /// What has not been taken yet.
    func take() -> ShieldPolicy? {
        state.withLock { state in
            defer { state.policy = nil }
            return state.policy
        }
    }

    /// Rings for what is there already as well.
    func listen(_ ring: @escaping @Sendable () -> Void) {
        let isThere = state.withLock { state in
            state.ring = ring
            return state.policy != nil
        }
        if isThere { ring() }
    }
}

/// Carries whose time counts in this account to the hub.
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

    /// Tells what is known already as well.
    func connect(_ hub: DesktopHub, _ thread: LoopThread) {
        state.withLock { $0.hub = (hub, thread) }
        tell()
    }

    /// Can be called on any thread. While auth-service resends its state, the policy has no member, and this call changes nothing.
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
            // The newest counts, in any order of arrival.
            guard let seat = state.withLock({ $0.seat }) else { return }
            hub.assumeIsolated { $0.sits(seat.member, isChild: seat.isChild) }
        }
    }
}

/// Carries news from the streams, which are followed from the start, to the stage of panels, which is there once there
/// is a screen.
///
/// What comes before that is lost, and worth no more than a minute anyway.
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

    /// Rules, grants or shields have changed.
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
