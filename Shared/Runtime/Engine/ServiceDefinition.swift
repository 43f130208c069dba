package import STContracts
package import STStore

/// A whole service as a value: what it keeps, answers, publishes and follows.
///
/// No sockets, threads or clocks, so the same value runs in a process, in a unit test and in the simulator.
package struct ServiceDefinition<State: Sendable>: Sendable {
    package let name: ServiceName
    package let migrations: [Migration]
    package let streams: [StreamName]
    /// The types of events that tell what happened and not what is: a stream keeps only its newest. No other type may have
    /// their subjects.
    package let passing: [StreamName: [String]]
    /// Reads the state back from the database at the start.
    package let load: @Sendable (Database) throws -> State
    /// Runs once after loading, in a transaction: first rows, things to announce.
    package let begin: @Sendable (inout State, StoreTransaction) throws -> Void
    package let routes: [ServiceRoute<State>]
    package let subscriptions: [Subscription<State>]
    /// Counts of its own for its health report.
    package let figures: @Sendable (State) -> [String: Int64]

    package init(
        name: ServiceName,
        migrations: [Migration] = [],
        streams: [StreamName] = [],
        passing: [StreamName: [String]] = [:],
        load: @escaping @Sendable (Database) throws -> State,
        begin: @escaping @Sendable (inout State, StoreTransaction) throws -> Void = { _, _ in },
        routes: [ServiceRoute<State>] = [],
        subscriptions: [Subscription<State>] = [],
        figures: @escaping @Sendable (State) -> [String: Int64] = { _ in [:] }
    ) {
        self.name = name
        self.migrations = migrations
        self.streams = streams
        self.passing = passing
        self.load = load
        self.begin = begin
        self.routes = routes
        self.subscriptions = subscriptions
        self.figures = figures
    }
}

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
