package import STContracts
package import STEngine
package import STPlatform
package import STStore

/// A callback that may be made now, or the reason why not.
package struct NextDelivery: Sendable, Equatable {
    package var number: Int64
    package var app: String
    package var member: String
    package var refusal: Problem?
}

/// A callback whose attempt has started.
package struct ClaimedDelivery: Sendable, Equatable {
    package var delivery: Delivery
    package var executable: String?
}

/// The state of a callback after an attempt.
package struct FinishedDelivery: Sendable, Equatable {
    package var state: DeliveryState
    /// The delay before the next attempt.
    package var retryAfter: Duration?
}

/// A monitor that should wait for a debugger.
package struct DebugTarget: Sendable, Equatable {
    package var app: String
    package var member: String
    package var executable: String
    /// The waiting process, or nil until it has started.
    package var pid: Int64?
}

/// The steps that monitor-runner takes by itself to make callbacks.
package enum DeliverySteps {
    /// Returns the next callback of every app that may be called now.
    ///
    /// `except`: apps that are being called or must wait. `isSingle`: returns only the first of all, for a virtual clock.
    package static func next(
        except: Set<String> = [],
        isSingle: Bool,
        _ state: MonitorState,
        _ database: Database
    ) throws -> [NextDelivery] {
        var open = try DeliveryTables.firstOpen(database)
        if isSingle { open = Array(open.prefix(1)) }
        let ready = open.filter { $0.state != .running && !except.contains($0.delivery.app) }
        return ready.prefix(BusLimits.pageRows).map { item in
            NextDelivery(
                number: item.delivery.number,
                app: item.delivery.app,
                member: item.delivery.member,
                refusal: state.refusal(app: item.delivery.app, member: item.delivery.member)
            )
        }
    }

    /// Records the start of attempts, before they start.
    package static func begin(_ numbers: [Int64], state: MonitorState, change: StoreTransaction) throws
        -> [ClaimedDelivery]
    {
        var claimed: [ClaimedDelivery] = []
        for number in numbers {
            guard
                case (var delivery, var standing, let queued)? = try DeliveryTables.find(
                    number,
                    change.database
                ),
                standing.isOpen, standing.state != .running,
                // The permission may have been withdrawn meanwhile.
                state.refusal(app: delivery.app, member: delivery.member) == nil
            else { continue }
            delivery.attempt += 1
            standing = .init(state: .running)
            try DeliveryTables.save(delivery, standing: standing, database: change.database)
            try DeliveryJournal.publish(delivery, standing: standing, queued: queued, change: change)
            claimed.append(
                ClaimedDelivery(delivery: delivery, executable: state.monitors[delivery.app] ?? nil)
            )
        }
        return claimed
    }

    /// Records the result of an attempt.
    package static func finish(
        _ number: Int64,
        attempt: Int64,
        result: DeliveryResult,
        state: MonitorState,
        change: StoreTransaction
    ) throws -> FinishedDelivery {
        guard
            case (var delivery, var standing, let queued)? = try DeliveryTables.find(
                number,
                change.database
            ),
            standing.state == .running, delivery.attempt == attempt
        else {
            throw Problem("delivery.not_running", "That attempt is no longer running.")
        }
        standing.result = result
        var finished = FinishedDelivery(state: .done)
        if let problem = result.problem {
            if DeliveryVerdict.countsAsFailure(problem) { delivery.failures += 1 }
            switch DeliveryVerdict.verdict(problem, failures: delivery.failures, attempts: state.attempts) {
            case .retry: finished.state = .queued
            case .retryAfter(let delay):
                finished.state = .waiting
                finished.retryAfter = delay
            case .park: finished.state = .parked
            }
        }
        standing.state = finished.state
        if !standing.isOpen { standing.finished = change.now.wall }
        try DeliveryTables.save(delivery, standing: standing, database: change.database)
        try DeliveryJournal.publish(delivery, standing: standing, queued: queued, change: change)
        return finished
    }

    /// Parks a callback that cannot be tried at all.
    package static func park(_ number: Int64, problem: Problem, change: StoreTransaction) throws {
        guard
            case (var delivery, var standing, let queued)? = try DeliveryTables.find(
                number,
                change.database
            ),
            standing.isOpen
        else { return }
        standing.state = .parked
        standing.result = DeliveryResult(problem: problem)
        standing.finished = change.now.wall
        delivery.failures = 0
        try DeliveryTables.save(delivery, standing: standing, database: change.database)
        try DeliveryJournal.publish(delivery, standing: standing, queued: queued, change: change)
    }

    /// Queues the deliveries again that were running when the service was killed, with the same id and the next attempt.
    static func resume(_ change: StoreTransaction) throws {
        // The oldest versions queued the occurrences of rules as callbacks. Finish those that are still open.
        for number in try DeliveryTables.openOfRules(change.database) {
            guard let (delivery, _, queued) = try DeliveryTables.find(number, change.database) else {
                continue
            }
            let standing = DeliveryTables.DeliveryProgress(state: .done, finished: change.now.wall)
            try DeliveryTables.save(delivery, standing: standing, database: change.database)
            try DeliveryJournal.publish(delivery, standing: standing, queued: queued, change: change)
        }
        for number in try DeliveryTables.running(change.database) {
            guard let (delivery, _, queued) = try DeliveryTables.find(number, change.database) else {
                continue
            }
            let standing = DeliveryTables.DeliveryProgress(state: .queued)
            try DeliveryTables.save(delivery, standing: standing, database: change.database)
            try DeliveryJournal.publish(delivery, standing: standing, queued: queued, change: change)
        }
    }

    // MARK: - Debugging

    /// Returns one member who allows it for each debugged app, because only their callbacks are made.
    package static func debugTargets(_ state: MonitorState) -> [DebugTarget] {
        state.debugged.keys.sorted().compactMap { app in
            let members = state.permissions.filter { $0.key.app == app && $0.value }.map(\.key.member)
            guard let executable = state.monitors[app] ?? nil, let member = members.min() else { return nil }
            return DebugTarget(
                app: app,
                member: member,
                executable: executable,
                pid: state.debugged[app] ?? nil
            )
        }
    }

    /// Records the pid of the process that waits for a debugger.
    package static func recordDebugger(app: String, pid: Int64, _ state: inout MonitorState) {
        if state.debugged[app] != nil { state.debugged[app] = .some(pid) }
    }

    package static func endDebugging(app: String, _ state: inout MonitorState) { state.debugged[app] = nil }
}
