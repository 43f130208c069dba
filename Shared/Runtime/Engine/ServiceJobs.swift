package import STBus
package import STContracts
package import STPlatform
package import STStore
import Synchronization

/// Work for the thread that owns the database, in the order in which it came.
package enum StoreJob: Sendable {
    case request(AdmittedRequest, peer: [UInt8])
    case step(StepJob)
    case apply(subscription: Int, [WireEvent])
    case applySnapshot(subscription: Int, [WireEvent], isFirst: Bool, cursor: StreamPoint?)
    /// Nothing is left to be applied.
    case reached(subscription: Int)
    /// A publisher does not have any more what this service was promised.
    case lost(HistoryLoss)

    var isApply: Bool {
        switch self {
        case .request, .step, .reached, .lost: false
        case .apply, .applySnapshot: true
        }
    }
}

/// Something that a service does by itself, with the transaction, the trace and the durability of a request.
///
/// No role may call it and nothing is coded: it is a closure over the state. What it returns is handed out only once it is
/// durable.
package struct OwnStep<State: Sendable>: Sendable {
    package typealias Change<Value> =
        @Sendable (inout State, RequestContext, StoreTransaction) throws -> Value
    package typealias Look<Value> = @Sendable (State, RequestContext, Database) throws -> Value

    enum Work: Sendable {
        case look(Look<Void>)
        case change(Change<Void>)
    }

    /// Its name stands where a request has its route.
    let request: AdmittedRequest
    let work: Work
    /// Nil: the step is durable. Otherwise why nothing was done.
    package let settle: @Sendable (Problem?) -> Void

    /// On the database's thread, in a transaction.
    package static func change<Value: Sendable>(
        _ request: AdmittedRequest,
        _ work: @escaping Change<Value>,
        settle: @escaping @Sendable (Result<Value, Problem>) -> Void
    ) -> OwnStep {
        let made = Made<Value>()
        return OwnStep(request: request, work: .change { made.set(try work(&$0, $1, $2)) }) {
            settle(made.result($0))
        }
    }

    /// On the database's thread, between commits.
    package static func look<Value: Sendable>(
        _ request: AdmittedRequest,
        _ work: @escaping Look<Value>,
        settle: @escaping @Sendable (Result<Value, Problem>) -> Void
    ) -> OwnStep {
        let made = Made<Value>()
        return OwnStep(request: request, work: .look { made.set(try work($0, $1, $2)) }) {
            settle(made.result($0))
        }
    }

    package var job: StepJob {
        let isChange = if case .change = work { true } else { false }
        return StepJob(request: request, isChange: isChange, step: self, settle: settle)
    }

    /// What the work returned, on its way from the database's thread.
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

/// A step on its way, without the type of the state: jobs of one kind for all services cost no look-ups of types.
package struct StepJob: Sendable {
    let request: AdmittedRequest
    let isChange: Bool
    /// An `OwnStep` of the service's state.
    let step: any Sendable
    package let settle: @Sendable (Problem?) -> Void
}

/// What became of one job.
package enum StoreResult: Sendable {
    /// Nil: it was done.
    case stepped(StepJob, Problem?)
    case reply(AdmittedRequest, peer: [UInt8], body: [UInt8], repeated: Bool)
    case refused(AdmittedRequest, peer: [UInt8], Problem)
    case applied(subscription: Int, [WireEvent])
    case applyFailed(subscription: Int, Problem)
    case reached
    /// A loss, which is a line of the history now.
    case noted

    var problem: Problem? {
        switch self {
        case .stepped(_, let problem): problem
        case .refused(_, _, let problem), .applyFailed(_, let problem): problem
        case .reply, .applied, .reached, .noted: nil
        }
    }

    /// True if the job completed. The state or a stream position may have changed.
    var isKept: Bool {
        switch self {
        case .reply(_, _, _, let repeated): !repeated
        case .applied, .noted: true
        case .stepped(let step, let problem): step.isChange && problem == nil
        case .refused, .applyFailed, .reached: false
        }
    }
}

/// What came of one turn of the database's thread.
///
/// Nothing in it leaves the process before its commit is durable.
package struct StoreBatch<State: Sendable>: Sendable {
    package var results: [StoreResult] = []
    package var events: [WireEvent] = []
    package var state: State
    package var heads: [StreamPoint] = []
    /// When the commit began and ended, for traces; equal when nothing was written.
    package var commitStartNs: Int64 = 0
    package var commitEndNs: Int64 = 0
    /// Whether anything was kept: not when all of it was refused.
    package var hasChanged: Bool = false
    /// True if the database accepted a change of its rows.
    package var hasWritten: Bool = false
    /// Events that could not be read and were passed over.
    package var skipped: [(event: WireEvent, problem: Problem)] = []
    /// What went wrong beside the requests themselves.
    package var warnings: [(name: StaticString, problem: Problem)] = []
    /// Whether something was deleted that must be gone from the file as well.
    var wantsScrub: Bool = false
    var wantsEmptyLog: Bool = false
}

/// What a handler may know besides its request.
package struct RequestContext: Sendable {
    package let principal: Principal
    package let header: RequestHeader
    package let now: TimeReading
    /// What other services had to say first.
    package let prepared: PreparedAnswers
    let reading: RequestReading?
    private let direct: DirectCall?
    private let time: any TimeSource

    /// The local zone at this moment; found only when a handler asks, because finding it reads the disk.
    package var zone: String { time.zone() }

    /// Which start of the machine this is.
    package var bootID: String { time.bootID }

    /// Believes the machine's clock, and returns by how much it is ahead of the time that services went by.
    package func acceptClock() throws -> Int64 {
        let asideMs = time.asideMs
        try time.accept()
        return asideMs
    }

    /// What the request says.
    func read<Body: WireBody>(_ body: [UInt8]) throws -> Body {
        try direct?.request as? Body ?? Body.decodedBody(body)
    }

    /// The body of a reply; a direct caller takes the value.
    func told<Body: WireBody>(_ reply: Body) throws -> [UInt8] {
        guard let direct else { return try reply.encodedBody() }
        direct.put(reply)
        return []
    }

    /// Whether the request reaches what is this member's: one from a door reaches one person's alone, any other everything.
    package func concerns(_ member: String) -> Bool { header.behalf.map { $0 == member } ?? true }

    /// Refuses what is another member's, without saying whether it exists.
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
        prepared = PreparedAnswers(request.prepared)
        reading = request.reading
        direct = request.direct
        self.time = time
        now = time.now()
    }
}

/// What the half of a service on the bus thread wants done.
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
