/// What a subscription is kept by.
///
/// The subscription ends when this is let go of, or earlier by `cancel()`.
public final class AnyCancellable: Cancellable, Hashable {
    private let lock = Lock()
    private var action: (() -> Void)?

    /// Something to be done once, at the latest when this is let go of.
    public init(_ cancel: @escaping () -> Void) { action = cancel }

    /// Calls off something else, at the latest when this is let go of.
    public init<C: Cancellable>(_ canceller: C) { action = canceller.cancel }

    deinit { cancel() }

    /// Ends it now.
    ///
    /// From a second call on this does nothing.
    public func cancel() {
        let once = lock.withLock {
            let once = action
            action = nil
            return once
        }
        once?()
    }

    /// Whether both are the same object.
    public static func == (one: AnyCancellable, other: AnyCancellable) -> Bool { one === other }

    /// By identity, as `==` is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
