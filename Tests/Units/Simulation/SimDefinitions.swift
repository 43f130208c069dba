import STContracts
import STEngine
import STPlatform
import STStore
import Synchronization

/// The three services: alpha publishes, beta follows alpha and republishes its events, gamma follows both.
enum SimDefinitions {
    static let alpha = ServiceName("alpha")
    static let beta = ServiceName("beta")
    static let gamma = ServiceName("gamma")

    static func all(_ whim: Whim) -> [ServiceDefinition<SimState>] {
        [publisher, echo(whim), follower(whim)]
    }

    private static let publisher = ServiceDefinition<SimState>(
        name: alpha,
        migrations: [
            // Without a constraint, so that a duplicate is visible and not rejected.
            Migration(
                name: "items",
                sql: "CREATE TABLE items(n INTEGER NOT NULL, subject TEXT NOT NULL) STRICT"
            )
        ],
        streams: [ItemStored.stream],
        load: SimState.load("items"),
        routes: [
            .write(ItemPut.self) { state, item, _, change in
                state.add(item)
                try change.database.run(
                    "INSERT INTO items VALUES (?, ?)",
                    [.integer(item.n), .text(item.subject)]
                )
                try change.emit(ItemStored.self, subject: item.subject, item)
                if item.isRefused { throw Problem("sim.refused", "This item is never kept.") }
                return ItemPut.Reply(n: item.n, rows: state.rows)
            }
        ]
    )

    private static func echo(_ whim: Whim) -> ServiceDefinition<SimState> {
        ServiceDefinition(
            name: beta,
            migrations: [
                taken, Migration(name: "sent", sql: "CREATE TABLE sent(id TEXT NOT NULL PRIMARY KEY) STRICT"),
            ],
            streams: [ItemEchoed.stream],
            load: SimState.load("taken"),
            subscriptions: [subscription(alpha, type: ItemStored.self, whim: whim, echoes: true)]
        )
    }

    private static func follower(_ whim: Whim) -> ServiceDefinition<SimState> {
        ServiceDefinition(
            name: gamma,
            migrations: [taken],
            load: SimState.load("taken"),
            subscriptions: [
                subscription(alpha, type: ItemStored.self, whim: whim, echoes: false),
                subscription(beta, type: ItemEchoed.self, whim: whim, echoes: false),
            ]
        )
    }

    /// The primary key rejects an event that is applied twice.
    private static let taken = Migration(
        name: "taken",
        sql: """
            CREATE TABLE taken(
                stream TEXT NOT NULL, sequence INTEGER NOT NULL, id TEXT NOT NULL, n INTEGER NOT NULL,
                PRIMARY KEY(stream, sequence)
            ) STRICT;
            CREATE TABLE rebuilds(stream TEXT NOT NULL) STRICT;
            """
    )

    private static func subscription<E: EventType>(
        _ source: ServiceName,
        type: E.Type,
        whim: Whim,
        echoes: Bool
    ) -> Subscription<SimState> where E.Body == Item {
        let stream = E.stream
        return Subscription(source: source, stream: stream) { state, change in
            try change.database.run("DELETE FROM taken WHERE stream = ?", [.text(stream.rawValue)])
            try change.database.run("INSERT INTO rebuilds VALUES (?)", [.text(stream.rawValue)])
            state = try SimState.load("taken")(change.database)
        } apply: { state, event, change in
            let item = try event.decoded(E.self)
            state.add(item)
            try change.database.run(
                "INSERT INTO taken VALUES (?, ?, ?, ?)",
                [
                    .text(stream.rawValue), .integer(event.header.sequence), .text(event.header.id),
                    .integer(item.n),
                ]
            )
            if echoes { try pass(on: item, of: event, change) }
            if whim.isBad(event.header.sequence) { throw Problem("sim.whim", "Not now.") }
            if item.isUnreadable { throw Problem("body.invalid", "This item cannot be read.") }
        }
    }

    /// Republishes each event once, even if it is applied again after a rebuild.
    private static func pass(on item: Item, of event: WireEvent, _ change: StoreTransaction) throws {
        let isNew =
            try change.database.run(
                "INSERT INTO sent VALUES (?) ON CONFLICT DO NOTHING",
                [.text(event.header.id)]
            ) == 1
        if isNew { try change.emit(ItemEchoed.self, subject: item.subject, item) }
    }
}

struct Item: WireBody, Codable, Equatable {
    var n: Int64
    var subject: String

    /// A rejected request must leave nothing behind, however far it got.
    var isRefused: Bool { n % 7 == 3 }
    /// A subscriber skips an event that it cannot read, and undoes everything from it.
    var isUnreadable: Bool { n % 11 == 5 }
}

/// The only write route of the simulated world.
enum ItemPut: Route {
    struct Reply: WireBody, Codable, Equatable {
        var n: Int64
        var rows: Int64
    }

    typealias Request = Item

    static let name = "item.put"
    static let kind = RouteKind.write
    static let summary = "Keeps a numbered item."
}

enum ItemStored: EventType {
    typealias Body = Item

    static let stream = StreamName("alpha")
    static let type = "alpha.item.stored"
    static let summary = "An item is kept."
}

/// Published by a subscriber for each applied event.
enum ItemEchoed: EventType {
    typealias Body = Item

    static let stream = StreamName("beta")
    static let type = "beta.item.echoed"
    static let summary = "An item was heard of."
}

/// The memory of a simulated service, which must always equal its tables.
struct SimState: Sendable, Equatable {
    var rows: Int64 = 0
    var sum: Int64 = 0

    static func load(_ table: String) -> @Sendable (Database) throws -> SimState {
        { database in
            try database.first("SELECT count(*), coalesce(sum(n), 0) FROM \(table)") {
                SimState(rows: try $0.int(0), sum: try $0.int(1))
            } ?? SimState()
        }
    }

    mutating func add(_ item: Item) {
        rows += 1
        sum += item.n
    }
}

/// Makes a handler fail at times, like one that runs out of memory.
final class Whim: Sendable {
    private let rest = Mutex<Int64?>(nil)

    /// Makes every nth use fail. Nil means never.
    func set(every nth: Int64?) { rest.withLock { $0 = nth } }

    func isBad(_ sequence: Int64) -> Bool { rest.withLock { $0.map { sequence % $0 == 0 } ?? false } }
}
