package import STBus
package import STContracts
package import STPlatform
package import STStore
import Synchronization

/// Work for the thread that owns the database, in the order of its arrival.
package enum StoreJob: Sendable {
    case request(AdmittedRequest, peer: [UInt8])
    case step(StepJob)
    case apply(subscription: Int, [WireEvent])
    case applySnapshot(subscription: Int, [WireEvent], isFirst: Bool, cursor: StreamPoint?)
    /// Everything of the stream has been applied.
    case reached(subscription: Int)
    /// A publisher no longer has events that it had announced to this service.
    case lost(HistoryLoss)

    var isApply: Bool {
        switch self {
        case .request, .step, .reached, .lost: false
        case .apply, .applySnapshot: true
        }
    }
}

/// A step that a service takes by itself, with the transaction, the trace and the durability of a request.
///
/// A step is a closure over the state, so no role may call it and nothing is encoded. Its result is returned only once it is
/// durable.
package struct InternalStep<State: Sendable>: Sendable {
    package typealias Change<Value> =
        @Sendable (inout State, RequestContext, StoreTransaction) throws -> Value
    package typealias ReadWork<Value> = @Sendable (State, RequestContext, Database) throws -> Value

    enum Work: Sendable {
        case look(ReadWork<Void>)
        case change(Change<Void>)
    }

    /// The name of the step is its route.
    let request: AdmittedRequest
    let work: Work
    /// Called with nil if the step is durable, or with the reason why nothing was done.
    package let complete: @Sendable (Problem?) -> Void

    /// Runs on the database's thread, in a transaction.
    package static func change<Value: Sendable>(
        _ request: AdmittedRequest,
        _ work: @escaping Change<Value>,
        settle: @escaping @Sendable (Result<Value, Problem>) -> Void
    ) -> InternalStep {
        let made = Made<Value>()
        return InternalStep(request: request, work: .change { made.set(try work(&$0, $1, $2)) }) {
            settle(made.result($0))
        }
    }

    /// Runs on the database's thread, between commits.
    package static func read<Value: Sendable>(
        _ request: AdmittedRequest,
        _ work: @escaping ReadWork<Value>,
        settle: @escaping @Sendable (Result<Value, Problem>) -> Void
    ) -> InternalStep {
        let made = Made<Value>()
        return InternalStep(request: request, work: .look { made.set(try work($0, $1, $2)) }) {
            settle(made.result($0))
        }
    }

    package var job: StepJob {
        let isChange = if case .change = work { true } else { false }
        return StepJob(request: request, isChange: isChange, step: self, complete: complete)
    }

    /// The result of the work, until the database's thread has handed it over.
    private final class Made<Value: Sendable>: Sendable {
        private let value = Mutex<Value?>(nil)

        func set(_ new: Value) { value.withLock { $0 = new } }

        func result(_ problem: Problem?) -> Result<Value, Problem> {
            if let problem { return .failure(problem) }
            guard let made = value.withLock({ $0 }) else {
                return .failure(
                    Problem(
                        "internal",
                        "An internal step returned nothing; please report this.",
                        key: "internal.the-step-returned"
                    )
                )
            }
            return .success(made)
        }
    }
}

/// A step without the type of the state. Jobs of one type for all services avoid lookups of types at run time.
package struct StepJob: Sendable {
    let request: AdmittedRequest
    let isChange: Bool
    /// An `InternalStep` of the service's state.
    let step: any Sendable
    package let complete: @Sendable (Problem?) -> Void
}

/// The result of one job.
package enum StoreResult: Sendable {
    /// The problem is nil if the step was done.
    case stepped(StepJob, Problem?)
    case reply(AdmittedRequest, peer: [UInt8], body: [UInt8], repeated: Bool)
    case refused(AdmittedRequest, peer: [UInt8], Problem)
    case applied(subscription: Int, [WireEvent])
    case applyFailed(subscription: Int, Problem)
    case reached
    /// A loss that was added to the history.
    case recorded

    var problem: Problem? {
        switch self {
        case .stepped(_, let problem): problem
        case .refused(_, _, let problem), .applyFailed(_, let problem): problem
        case .reply, .applied, .reached, .recorded: nil
        }
    }

    /// True if the job completed. The state or a stream position may have changed.
    var isKept: Bool {
        switch self {
        case .reply(_, _, _, let repeated): !repeated
        case .applied, .recorded: true
        case .stepped(let step, let problem): step.isChange && problem == nil
        case .refused, .applyFailed, .reached: false
        }
    }
}

/// The results of one turn of the database's thread.
///
/// Nothing in it leaves the process before its commit is durable.
package struct StoreBatch<State: Sendable>: Sendable {
    package var results: [StoreResult] = []
    package var events: [WireEvent] = []
    package var state: State
    package var heads: [StreamPoint] = []
    /// The beginning and the end of the commit, for traces. They are equal if nothing was written.
    package var commitStartNs: Int64 = 0
    package var commitEndNs: Int64 = 0
    /// True if at least one job was kept.
    package var hasChanged: Bool = false
    /// True if the database accepted a change of its rows.
    package var hasWritten: Bool = false
    /// Events that could not be read and were skipped.
    package var skipped: [(event: WireEvent, problem: Problem)] = []
    /// Problems other than those of the requests themselves.
    package var warnings: [(name: StaticString, problem: Problem)] = []
    /// True if deleted data must also be removed from the file.
    var needsScrub: Bool = false
    var needsEmptyLog: Bool = false
}

/// The information for a handler besides its request.
package struct RequestContext: Sendable {
    package let principal: Principal
    package let header: RequestHeader
    package let now: TimeReading
    /// The replies of other services that the route needs first.
    package let prepared: PreparedReplies
    let reading: RequestReading?
    private let direct: DirectCall?
    private let time: any TimeSource

    /// The local time zone. It is determined only on demand, because that reads the disk.
    package var zone: String { time.zone() }

    /// Identifies the current boot of the machine.
    package var bootID: String { time.bootID }

    /// Accepts the machine's clock as true. Returns the milliseconds by which it was ahead of the time that services used.
    package func acceptClock() throws -> Int64 {
        let asideMs = time.clockOffsetMs
        try time.acceptClock()
        return asideMs
    }

    /// Returns the decoded body of the request.
    func read<Body: WireBody>(_ body: [UInt8]) throws -> Body {
        try direct?.request as? Body ?? Body.decodedBody(body)
    }

    /// Returns the encoded reply. A direct caller receives the value instead.
    func sendDirectReply<Body: WireBody>(_ reply: Body) throws -> [UInt8] {
        guard let direct else { return try reply.encodedBody() }
        direct.setReply(reply)
        return []
    }

    /// Returns true if the request may access data of this member. A request through a door is limited to one person.
    package func concerns(_ member: String) -> Bool { header.behalf.map { $0 == member } ?? true }

    /// Throws if the data belongs to another member, without revealing if it exists.
    package func check(isOf member: String) throws(Problem) {
        guard concerns(member) else {
            throw Problem(
                "access.not_yours",
                "You do not have anything with this name.",
                help: "screentime report"
            )
        }
    }

    package init(_ request: AdmittedRequest, time: any TimeSource) {
        principal = request.principal
        header = request.header
        prepared = PreparedReplies(request.prepared)
        reading = request.reading
        direct = request.direct
        self.time = time
        now = time.now()
    }
}

/// An action that the engine requests from its host.
package enum ServiceEffect: Sendable {
    case reply(peer: [UInt8], frames: [[UInt8]])
    case store(StoreJob)
    /// The step is durable, or was refused.
    case settle(StepJob, Problem?)
    case publish(topic: String, header: [UInt8], body: [UInt8])
    case fetch(subscription: Int, after: StreamPoint?)
    case fetchSnapshot(subscription: Int, next: String?)
    case prepare(PreparationQuestion)
    case warn(StaticString, Problem)
}
