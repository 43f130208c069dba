package import STContracts
package import STPlatform
package import STStore

/// A whole service as a value: its tables, routes, streams and subscriptions.
///
/// A definition contains no sockets, threads or clocks, so the same value runs in a process, in a unit test and in the simulator.
/// The state is what the service keeps in memory:
///
/// ```swift
/// let notebook = ServiceDefinition<[String]>(
///     name: ServiceName("notebook"),
///     migrations: [Migration(name: "notes", sql: "CREATE TABLE notes (text TEXT NOT NULL) STRICT")],
///     streams: [NoteAdded.stream],
///     load: { try $0.query("SELECT text FROM notes ORDER BY rowid") { try $0.text(0) } },
///     routes: [
///         .write(NoteAdd.self) { notes, note, _, change in
///             notes.append(note.text)
///             try change.database.run("INSERT INTO notes VALUES (?)", [.text(note.text)])
///             try change.emit(NoteAdded.self, subject: note.text, note)
///             return note
///         },
///         .read(NoteLatest.self) { notes, _, _ in Note(notes.last ?? "") },
///     ]
/// )
/// ServiceProcess.main(notebook)
/// ```
package struct ServiceDefinition<State: Sendable>: Sendable {
    package let name: ServiceName
    package let migrations: [Migration]
    package private(set) var streams: [StreamName]
    /// The types of events that report what happened, and not a state: a stream keeps only the newest of them. No other type may
    /// have their subjects.
    package private(set) var temporaryEventTypes: [StreamName: [String]]
    /// Events of one stream whose content is also in rows. The stream keeps the newest of them, and the rows replace the others.
    /// Their order is part of the schema.
    package let derivedEvents: [DerivedEvents]
    /// Converts rows of earlier versions. Each call converts some of them in its own transaction, so that a long conversion can be
    /// interrupted. Returns the progress, or nil when nothing is left to do.
    package let upgrade: @Sendable (Database) throws -> StartProgress?
    /// Loads the state from the database at the start.
    package let load: @Sendable (Database) throws -> State
    /// Runs once after loading, in a transaction, for first rows and first events.
    package let begin: @Sendable (inout State, StoreTransaction) throws -> Void
    /// Saves, at the end of each transaction, the changes that requests have made only in the state.
    package let save: @Sendable (inout State, Database) throws -> Void
    package let routes: [ServiceRoute<State>]
    package let subscriptions: [Subscription<State>]
    /// Adds a line to the history. Without it, the line is published on the service's own stream.
    package let recordHistory: (@Sendable (HistoryLine, inout State, StoreTransaction) throws -> Void)?
    /// True if all its data can be rebuilt from the streams of others. A damaged database is then put aside.
    package let isRebuilt: Bool
    /// The reason why the service answers all requests with a problem: its database is damaged.
    package private(set) var quarantine: Problem?
    /// Returns the service's own counts for its health report.
    package let figures: @Sendable (State) -> [String: Int64]

    package init(
        name: ServiceName,
        migrations: [Migration] = [],
        streams: [StreamName] = [],
        passing: [StreamName: [String]] = [:],
        retold: [DerivedEvents] = [],
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
        self.temporaryEventTypes = passing.merging([history.stream: [history.type]]) { first, _ in first }
        self.derivedEvents = retold
        self.upgrade = upgrade
        self.load = load
        self.begin = begin
        self.save = save
        self.routes = routes
        self.subscriptions = subscriptions
        self.recordHistory = remember
        self.isRebuilt = isRebuilt
        self.figures = figures
    }

    func log(_ database: Database) -> EventLog { EventLog(database, retold: derivedEvents) }

    /// The types of events that are deleted after a time, by stream.
    var expiring: [String: [String]] {
        var types = Dictionary(uniqueKeysWithValues: temporaryEventTypes.map { ($0.rawValue, $1) })
        for events in derivedEvents { types[events.stream, default: []].append(events.type) }
        return types
    }
}

extension ServiceDefinition<Problem> {
    /// Returns a replacement for a service with a damaged database. It runs, and answers every request with the problem.
    package static func quarantined(_ service: ServiceName, _ problem: Problem) -> ServiceDefinition {
        let routes = Catalogue.entry(service)?.routes ?? []
        var definition = ServiceDefinition(
            name: service,
            load: { _ in problem },
            routes: routes.map { ServiceRoute(info: $0, work: .read { state, _, _ in throw state }) }
        )
        // The events that the service has published are in the damaged file.
        definition.streams = []
        definition.temporaryEventTypes = [:]
        definition.quarantine = problem
        return definition
    }
}

extension DerivedEvents {
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
    /// Deletes everything built from this stream, before a rebuild from a snapshot.
    package let reset: @Sendable (inout State, StoreTransaction) throws -> Void
    package let apply: @Sendable (inout State, WireEvent, StoreTransaction) throws -> Void
    /// Runs after the last of the events that are applied together, in their transaction. It saves what was only collected in the
    /// state until then.
    package let didApply: (@Sendable (inout State, StoreTransaction) throws -> Void)?
    /// Runs at the end of a rebuild, in the transaction of its last events: discards what the snapshot did not contain.
    package let didRebuild: (@Sendable (inout State, StoreTransaction) throws -> Void)?
    /// Runs when the stream has been followed to its head for the first time since the start or since `reset`.
    ///
    /// Only the state in memory can record this, because it is not known after a start.
    package let didCatchUp: (@Sendable (inout State) -> Void)?

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
        self.didApply = settled
        self.didRebuild = rebuilt
        self.didCatchUp = reached
    }
}
