import STContracts
import STEngine
import STPlatform
import STStore

/// The three services: alpha publishes, beta follows it and publishes what it hears, gamma follows both.
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
            // No constraint: a request done twice shall show, not be refused.
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
            subscriptions: [subscription(alpha, ItemStored.self, whim, echoes: true)]
        )
    }

    private static func follower(_ whim: Whim) -> ServiceDefinition<SimState> {
        ServiceDefinition(
            name: gamma,
            migrations: [taken],
            load: SimState.load("taken"),
            subscriptions: [
                subscription(alpha, ItemStored.self, whim, echoes: false),
                subscription(beta, ItemEchoed.self, whim, echoes: false),
            ]
        )
    }

    /// The primary key refuses an event that is applied twice.
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
        _ type: E.Type,
        _ whim: Whim,
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

    /// Once for each event, even when it is applied again after a rebuild.
    private static func pass(on item: Item, of event: WireEvent, _ change: StoreTransaction) throws {
        let isNew =
            try change.database.run(
                "INSERT INTO sent VALUES (?) ON CONFLICT DO NOTHING",
                [.text(event.header.id)]
            ) == 1
        if isNew { try change.emit(ItemEchoed.self, subject: item.subject, item) }
    }
}
