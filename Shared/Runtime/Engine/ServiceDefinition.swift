package import STContracts
package import STStore

/// A whole service as a value: what it keeps, answers, publishes and follows.
///
/// No sockets, threads or clocks, so the same value runs in a process, in a unit test and in the simulator.
package struct ServiceDefinition<State: Sendable>: Sendable {
    package let name: ServiceName
    package let migrations: [Migration]
    package let streams: [StreamName]
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
        load: @escaping @Sendable (Database) throws -> State,
        begin: @escaping @Sendable (inout State, StoreTransaction) throws -> Void = { _, _ in },
        routes: [ServiceRoute<State>] = [],
        subscriptions: [Subscription<State>] = [],
        figures: @escaping @Sendable (State) -> [String: Int64] = { _ in [:] }
    ) {
        self.name = name
        self.migrations = migrations
        self.streams = streams
        self.load = load
        self.begin = begin
        self.routes = routes
        self.subscriptions = subscriptions
        self.figures = figures
    }
}
