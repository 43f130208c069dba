import STContracts
import Synchronization

/// What the callback may know about itself.
final class CallUnderWay: Sendable {
    static let shared = CallUnderWay()

    private struct State {
        var id: String?
        var attempt = 0
    }

    private let state = Mutex(State())

    var id: String? { state.withLock { $0.id } }
    var attempt: Int { state.withLock { $0.attempt } }

    func begin(_ call: ExtensionCall) {
        state.withLock { $0 = State(id: call.id, attempt: Int(clamping: call.attempt)) }
    }
}
