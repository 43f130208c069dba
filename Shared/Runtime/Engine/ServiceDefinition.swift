package import STContracts
package import STPlatform
package import STStore

/// A whole service as a value: what it keeps, answers, publishes and follows.
///
/// No sockets, threads or clocks, so the same value runs in a process, in a unit test and in the simulator.
package struct ServiceDefinition<State: Sendable>: Sendable {
    package let name: ServiceName
    package let migrations: [Migration]
    package private(set) var streams: [StreamName]
    /// The types of events that tell what happened and not what is: a stream keeps only its newest. No other type may have
    /// their subjects.
    package private(set) var passing: [StreamName: [String]]
    /// Events of one stream whose words stand in rows as well: the stream keeps its newest, and the rows stand for the others.
    /// Their order is part of the schema.
    package let retold: [RetoldEvents]
    /// Brings rows of earlier versions into the form of this one, some with each call and in a transaction of its own, so that
    /// a long one can be interrupted; answers how far it has come, and nil when nothing is left to do.
    package let upgrade: @Sendable (Database) throws -> StartProgress?
    /// Reads the state back from the database at the start.
    package let load: @Sendable (Database) throws -> State
    /// Runs once after loading, in a transaction: first rows, things to announce.
    package let begin: @Sendable (inout State, StoreTransaction) throws -> Void
    /// Writes, at the end of each transaction, what its requests have changed in the state alone.
    package let save: @Sendable (inout State, Database) throws -> Void
    package let routes: [ServiceRoute<State>]
    package let subscriptions: [Subscription<State>]
    /// Takes a line of the history; without it the line goes to the service's own stream.
    package let remember: (@Sendable (HistoryLine, inout State, StoreTransaction) throws -> Void)?
    /// Whether all that it keeps is made anew from the streams of others: a damaged database is put aside then.
    package let isRebuilt: Bool
    /// Why it answers nothing: its database is damaged.
    package private(set) var quarantine: Problem?
    /// Counts of its own for its health report.
    package let figures: @Sendable (State) -> [String: Int64]

    package init(
        name: ServiceName,
        migrations: [Migration] = [],
        streams: [StreamName] = [],
        passing: [StreamName: [String]] = [:],
        retold: [RetoldEvents] = [],
        upgrade: @escaping @Sendable (Database) throws -> StartProgress? = { _ in nil },
        load: @escaping @Sendable (Database) throws -> State,
        begin: @escaping @Sendable (inout State, StoreTransaction) throws -> Void = { _, _ in },
        save: @escaping @Sendable (inout State, Database) throws -> Void = { _, _ in },
        routes: [ServiceRoute<State>] = [],
        subscriptions: [Subscription<State>] = [],
        remember: (@Sendable (HistoryLine, inout State, StoreTransaction) throws -> Void)? = nil,
        isRebuilt: Bool = false,
        figures: @escaping @Sendable (State) -> [String: Int64] = { _ in [:] }
    ) {
        self.name = name
        self.migrations = migrations
        let history = EventInfo(historyOf: name)
        self.streams = streams + [history.stream]
        self.passing = passing.merging([history.stream: [history.type]]) { first, _ in first }
        self.retold = retold
        self.upgrade = upgrade
        self.load = load
        self.begin = begin
        self.save = save
        self.routes = routes
        self.subscriptions = subscriptions
        self.remember = remember
        self.isRebuilt = isRebuilt
        self.figures = figures
    }

    func log(_ database: Database) -> EventLog { EventLog(database, retold: retold) }

    /// The types of events that do not stay, by stream.
    var expiring: [String: [String]] {
        var types = Dictionary(uniqueKeysWithValues: passing.map { ($0.rawValue, $1) })
        for events in retold { types[events.stream, default: []].append(events.type) }
        return types
    }
}

extension ServiceDefinition<Problem> {
    /// Stands in for a service whose database is damaged: it is there, and answers every request with what happened.
    package static func quarantined(_ service: ServiceName, _ problem: Problem) -> ServiceDefinition {
        let routes = Catalogue.entry(service)?.routes ?? []
        var definition = ServiceDefinition(
            name: service,
            load: { _ in problem },
            routes: routes.map { ServiceRoute(info: $0, work: .read { state, _, _ in throw state }) }
        )
        // What it has promised stands in the damaged file.
        definition.streams = []
        definition.passing = [:]
        definition.quarantine = problem
        return definition
    }
}

extension RetoldEvents {
    package init<E: EventType>(
        _ event: E.Type,
        read: @escaping @Sendable (Database, _ first: Int64, _ last: Int64) throws -> [Row]
    ) {
        self.init(stream: E.stream.rawValue, type: E.type, schema: Int(E.schemaVersion), read: read)
    }
}

/// A stream of another service that this one follows.
///
/// Each effect is committed together with the cursor, so every event takes effect exactly once.
package struct Subscription<State: Sendable>: Sendable {
    package let source: ServiceName
    package let stream: StreamName
    /// Forgets everything built from this stream, before a rebuild from a snapshot.
    package let reset: @Sendable (inout State, StoreTransaction) throws -> Void
    package let apply: @Sendable (inout State, WireEvent, StoreTransaction) throws -> Void
    /// After the last of the events that are applied together, in their transaction: what was only added up in the
    /// state until then is written here.
    package let settled: (@Sendable (inout State, StoreTransaction) throws -> Void)?
    /// Runs at the end of a rebuild, in the transaction of its last events: discards what the snapshot did not contain.
    package let rebuilt: (@Sendable (inout State, StoreTransaction) throws -> Void)?
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
        rebuilt: (@Sendable (inout State, StoreTransaction) throws -> Void)? = nil,
        reached: (@Sendable (inout State) -> Void)? = nil
    ) {
        self.source = source
        self.stream = stream
        self.reset = reset
        self.apply = apply
        self.settled = settled
        self.rebuilt = rebuilt
        self.reached = reached
    }
}
