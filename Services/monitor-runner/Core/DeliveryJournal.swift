import STContracts
import STEngine
import STPlatform
import STStore

/// Shows deliveries to people, and retries them.
enum DeliveryJournal {
    /// Publishes the state of a delivery.
    @discardableResult
    static func publish(
        _ delivery: Delivery,
        standing: DeliveryTables.DeliveryProgress,
        queued: WallTime,
        change: StoreTransaction
    ) throws -> DeliveryView {
        let view = DeliveryTables.view(delivery, standing, queued: queued)
        try change.emit(DeliveryChanged.self, subject: view.delivery, view)
        return view
    }

    /// Queues a parked delivery again in its old place, with all attempts available again.
    static func retry(_ name: String, _ change: StoreTransaction) throws -> DeliveryView {
        let number = try Delivery.number(of: name) ?? DeliveryTables.find(id: name, change.database)
        guard let number,
            case (var delivery, var standing, let queued)? = try DeliveryTables.find(
                number,
                change.database
            )
        else {
            throw unknown(name)
        }
        guard standing.state == .parked else {
            throw Problem(
                "delivery.not_parked",
                """
                \(delivery.name, "name") is \(standing.state.label, "state"). Only a parked callback can \
                be retried.
                """,
                field: "/delivery",
                help: "screentime app deliveries --state parked"
            )
        }
        guard delivery.app != BuiltInRules.app else {
            throw Problem(
                "delivery.of_rule",
                "\(delivery.name, "name") belongs to a rule. Only callbacks of apps can be retried.",
                field: "/delivery",
                help: "screentime rule list"
            )
        }
        delivery.failures = 0
        standing = .init(state: .queued)
        try DeliveryTables.save(delivery, standing: standing, database: change.database)
        return try publish(delivery, standing: standing, queued: queued, change: change)
    }

    /// Finds a delivery by its short name or by the id of its event.
    static func show(_ name: String, _ database: Database) throws -> MonitorDelivery.Reply {
        let number = try DeliveryTables.find(id: name, database) ?? Delivery.number(of: name)
        guard let number, let (delivery, standing, queued) = try DeliveryTables.find(number, database)
        else { throw unknown(name) }
        return MonitorDelivery.Reply(
            delivery: DeliveryTables.view(delivery, standing, queued: queued),
            occurrence: delivery.occurrence
        )
    }

    private static let pageMax: Int64 = 100

    static func page(_ request: MonitorDeliveries.Request, _ database: Database) throws
        -> MonitorDeliveries.Reply
    {
        let limit = Int(min(max(1, request.limit ?? pageMax), pageMax))
        let below = try request.next.map { text -> Int64 in
            guard let number = Int64(text), number > 0 else {
                throw Problem(
                    "page.invalid",
                    "Send `next` exactly as it was in the reply.",
                    field: "/next"
                )
            }
            return number
        }
        let found = try DeliveryTables.page(
            app: request.app,
            state: try request.state?.required("/state"),
            below: below ?? .max,
            limit: limit + 1,
            database
        )
        var fitting: [DeliveryView] = []
        var bytes = 0
        for view in found.prefix(limit) {
            bytes += try view.encodedBody().count
            if bytes > BusLimits.pageBytes, !fitting.isEmpty { break }
            fitting.append(view)
        }
        let last =
            fitting.count < found.count ? fitting.last.flatMap { Delivery.number(of: $0.delivery) } : nil
        return MonitorDeliveries.Reply(deliveries: fitting, next: last.map(String.init))
    }

    private static func unknown(_ name: String) -> Problem {
        Problem(
            "delivery.not_found",
            """
            There is no callback \(name.prefix(40), "name"), or its record was deleted because of its age.
            """,
            field: "/delivery",
            help: "screentime app deliveries"
        )
    }
}
