import Dispatch
import STFoundationTypes
import STPlatform
import Synchronization

/// The answer of a delegate on its way from the completion handler to the thread that waits for it.
final class ShieldActionAnswer: Sendable {
    private struct State {
        var response: ShieldActionResponse?
        var isForgotten = false
    }

    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)

    /// What a delegate is given; it counts while somebody holds it.
    func handler() -> (ShieldActionResponse) -> Void {
        let promise = Promise(self)
        return { promise.answer.give($0) }
    }

    /// Waits until there is an answer, or until nobody is left who could give one.
    ///
    /// Without a deadline: whoever set one ends the process when it has passed.
    func wait() throws -> ShieldActionResponse {
        arrived.wait()
        guard let response = state.withLock({ $0.response }) else {
            throw Problem(
                "extension.no_response",
                "handle(action:for:completionHandler:) has let go of its completion handler without calling it."
                    + " Call it once with what is to be done."
            )
        }
        return response
    }

    private func give(_ response: ShieldActionResponse) {
        let isFirst = state.withLock { state in
            guard state.response == nil else { return false }
            state.response = response
            return true
        }
        guard isFirst else {
            return FrameworkLog.shield.error(
                "the completion handler of a shield's action was called again: the first call counts"
            )
        }
        arrived.signal()
    }

    private func forget() {
        let isFirst = state.withLock { state in
            guard state.response == nil, !state.isForgotten else { return false }
            state.isForgotten = true
            return true
        }
        if isFirst { arrived.signal() }
    }

    /// Goes with the last reference to the completion handler.
    private final class Promise: Sendable {
        let answer: ShieldActionAnswer

        init(_ answer: ShieldActionAnswer) { self.answer = answer }

        deinit { answer.forget() }
    }
}
