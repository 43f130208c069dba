import STContracts
import STEngine
import STPlatform
import STStore

/// How a delivery comes from one state to the next, and who is told.
enum DeliveryJournal {
    /// Publishes how a delivery stands.
    @discardableResult
    static func tell(_ number: Int64, _ change: StoreTransaction) throws -> DeliveryView {
        guard let (delivery, standing, queuedMs) = try DeliveryStore.find(number, change.database) else {
            throw unknown(Delivery.name(number))
        }
        let view = DeliveryStore.view(delivery, standing, queuedMs: queuedMs)
        try change.emit(DeliveryChanged.self, subject: view.delivery, view)
        return view
    }

    /// What was under way when the service was killed is made again, with the same id and the next attempt.
    static func resume(_ change: StoreTransaction) throws {
        for number in try DeliveryStore.running(change.database) {
            guard let (delivery, _, _) = try DeliveryStore.find(number, change.database) else { continue }
            try DeliveryStore.save(delivery, .init(state: .queued), change.database)
            try tell(number, change)
        }
    }

    static func begin(_ numbers: [Int64], _ state: MonitorState, _ change: StoreTransaction) throws
        -> [ClaimedDelivery]
    {
        var claimed: [ClaimedDelivery] = []
        for number in numbers {
            guard var (delivery, standing, _) = try DeliveryStore.find(number, change.database),
                standing.isOpen, standing.state != .running,
                // A permission may have gone since it was looked at.
                state.refusal(app: delivery.app, member: delivery.member) == nil
            else { continue }
            delivery.attempt += 1
            standing = .init(state: .running)
            try DeliveryStore.save(delivery, standing, change.database)
            try tell(number, change)
            claimed.append(
                ClaimedDelivery(delivery: delivery, executable: state.monitors[delivery.app] ?? nil)
            )
        }
        return claimed
    }

    static func finish(
        _ number: Int64,
        attempt: Int64,
        _ result: DeliveryResult,
        attempts: Int64,
        _ change: StoreTransaction
    ) throws -> FinishedDelivery {
        guard var (delivery, standing, _) = try DeliveryStore.find(number, change.database),
            standing.state == .running, delivery.attempt == attempt
        else {
            throw Problem("delivery.not_running", "That attempt is not under way any more.")
        }
        standing.result = result
        var finished = FinishedDelivery(state: .done)
        if let problem = result.problem {
            if DeliveryVerdict.countsAsFailure(problem) { delivery.failures += 1 }
            switch DeliveryVerdict.judge(problem, failures: delivery.failures, attempts: attempts) {
            case .again: finished.state = .queued
            case .after(let ms):
                finished.state = .waiting
                finished.againAfterMs = ms
            case .park: finished.state = .parked
            }
        }
        standing.state = finished.state
        if !standing.isOpen { standing.finishedMs = change.now.wallMs }
        try DeliveryStore.save(delivery, standing, change.database)
        try tell(number, change)
        return finished
    }

    static func park(_ number: Int64, _ problem: Problem, _ change: StoreTransaction) throws {
        guard var (delivery, standing, _) = try DeliveryStore.find(number, change.database),
            standing.isOpen
        else { return }
        standing.state = .parked
        standing.result = DeliveryResult(problem: problem)
        standing.finishedMs = change.now.wallMs
        delivery.failures = 0
        try DeliveryStore.save(delivery, standing, change.database)
        try tell(number, change)
    }

    /// Back into its place in the order, with all its attempts before it.
    static func retry(_ name: String, _ change: StoreTransaction) throws -> DeliveryView {
        let number = try Delivery.number(of: name) ?? DeliveryStore.find(id: name, change.database)
        guard let number, var (delivery, standing, _) = try DeliveryStore.find(number, change.database) else {
            throw unknown(name)
        }
        guard standing.state == .parked else {
            throw Problem(
                "delivery.not_parked",
                "\(delivery.name) is \(standing.state.rawValue); only what is parked can be tried again.",
                field: "/delivery",
                help: "screentime app deliveries --state parked"
            )
        }
        delivery.failures = 0
        standing = .init(state: .queued)
        try DeliveryStore.save(delivery, standing, change.database)
        return try tell(number, change)
    }

    /// By its short name or by the id of its event.
    static func show(_ name: String, _ database: Database) throws -> MonitorDelivery.Reply {
        let number = try DeliveryStore.find(id: name, database) ?? Delivery.number(of: name)
        guard let number, let (delivery, standing, queuedMs) = try DeliveryStore.find(number, database)
        else { throw unknown(name) }
        return MonitorDelivery.Reply(
            delivery: DeliveryStore.view(delivery, standing, queuedMs: queuedMs),
            occurrence: delivery.occurrence
        )
    }

    private static func unknown(_ name: String) -> Problem {
        Problem(
            "delivery.not_found",
            "There is no delivery \(name.prefix(40)), or it is so old that it was forgotten.",
            field: "/delivery",
            help: "screentime app deliveries"
        )
    }
}
