import Synchronization

/// Lets a handler fail now and then for reasons of its own, as one that runs out of memory would.
final class Whim: Sendable {
    private let rest = Mutex<Int64?>(nil)

    /// Every nth use fails from now on; nil never.
    func set(every nth: Int64?) { rest.withLock { $0 = nth } }

    func isBad(_ sequence: Int64) -> Bool { rest.withLock { $0.map { sequence % $0 == 0 } ?? false } }
}
