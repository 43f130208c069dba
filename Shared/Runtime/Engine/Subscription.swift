package import STContracts

/// A stream of another service that this one follows.
///
/// Effect and cursor are committed together, so every event takes effect exactly once.
package struct Subscription<State: Sendable>: Sendable {
    package let source: ServiceName
    package let stream: StreamName
    /// Forgets everything built from this stream, before a rebuild from a snapshot.
    package let reset: @Sendable (inout State, StoreTransaction) throws -> Void
    package let apply: @Sendable (inout State, WireEvent, StoreTransaction) throws -> Void
    /// After the last of the events that are applied together, in their transaction: what was only added up in the
    /// state until then is written here.
    package let settled: (@Sendable (inout State, StoreTransaction) throws -> Void)?
    /// The stream has been followed to its head, for the first time since the start or since `reset`.
    ///
    /// Told in memory alone: after a start it is not known.
    package let reached: (@Sendable (inout State) -> Void)?

    package init(
        source: ServiceName,
        stream: StreamName,
        reset: @escaping @Sendable (inout State, StoreTransaction) throws -> Void,
        apply: @escaping @Sendable (inout State, WireEvent, StoreTransaction) throws -> Void,
        settled: (@Sendable (inout State, StoreTransaction) throws -> Void)? = nil,
        reached: (@Sendable (inout State) -> Void)? = nil
    ) {
        self.source = source
        self.stream = stream
        self.reset = reset
        self.apply = apply
        self.settled = settled
        self.reached = reached
    }
}
