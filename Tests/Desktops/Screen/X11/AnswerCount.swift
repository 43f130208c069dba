import Synchronization

/// How often the display has answered.
final class AnswerCount: Sendable {
    private let value = Mutex(0)

    func add() { value.withLock { $0 += 1 } }

    var count: Int { value.withLock { $0 } }
}
