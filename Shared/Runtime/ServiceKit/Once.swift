import Synchronization

/// Runs a closure the first time only.
final class Once: Sendable {
    private let action: Mutex<(@Sendable () -> Void)?>

    init(_ action: @escaping @Sendable () -> Void) { self.action = Mutex(action) }

    func run() {
        let first = action.withLock { action in
            defer { action = nil }
            return action
        }
        first?()
    }
}
