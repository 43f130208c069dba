package import STBus
package import STContracts
package import STPlatform

/// Work for the thread that owns the database, in the order in which it came.
package enum StoreJob: Sendable {
    case request(AdmittedRequest, peer: [UInt8])
    case apply(subscription: Int, [WireEvent])
    case applySnapshot(subscription: Int, [WireEvent], isFirst: Bool, cursor: StreamPoint?)
    /// Nothing is left to be applied.
    case reached(subscription: Int)

    var isApply: Bool {
        switch self {
        case .request, .reached: false
        case .apply, .applySnapshot: true
        }
    }
}

/// What became of one job.
package enum StoreResult: Sendable {
    case reply(AdmittedRequest, peer: [UInt8], body: [UInt8], repeated: Bool)
    case refused(AdmittedRequest, peer: [UInt8], Problem)
    case applied(subscription: Int, [WireEvent])
    case applyFailed(subscription: Int, Problem)
    case reached

    /// Whether it left something behind in the database.
    var isKept: Bool {
        switch self {
        case .reply(_, _, _, let repeated): !repeated
        case .applied: true
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
    /// Events that could not be read and were passed over.
    package var skipped: [(event: WireEvent, problem: Problem)] = []
    /// What went wrong beside the requests themselves.
    package var warnings: [(name: StaticString, problem: Problem)] = []
    /// Whether something was deleted that must be gone from the file as well.
    var wantsScrub: Bool = false
    var wantsEmptyLog: Bool = false
}
