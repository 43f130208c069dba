import STContracts
import STPlatform

/// The life of one extension process: messages, moments and endings come in, effects come out.
///
/// What it says is never trusted: whatever is out of turn, unreadable or too late ends the process, and the reason is
/// told once it is gone, so that nothing of an old process overlaps with a new one.
struct ExtensionLife {
    enum Effect: Equatable {
        case send([[UInt8]])
        /// The call has gone out: its use counts from now on.
        case began
        /// To be forwarded to a service.
        case ask(RequestHeader, [UInt8], ordinal: Int64)
        /// Everything the call began is done; `checked` must follow.
        case check
        case done(JSONValue?)
        case failed(Problem)
        case terminate
        case kill
        case note(level: String, String)
    }

    struct Calling: Equatable {
        var id: String
        var limitMs: Int64
        var dueMs: Int64?
        var hasReturned = false
        /// What it began is not waited for any more.
        var isCut = false
        var result: JSONValue?
        var failure: Problem?
        var requests: Int64 = 0
        /// Of the latest request that changes something.
        var ordinal: Int64 = 0
    }

    enum State: Equatable {
        case starting(dueMs: Int64?)
        case idle(dueMs: Int64?)
        case calling(Calling)
        /// Asked to end, politely or with SIGTERM.
        case ending(isTerminated: Bool, dueMs: Int64)
        /// Killed, or found out to be of no use; nil when it only took too long to end.
        case dying(Problem?)
        case ended
    }

    let spec: ExtensionSpec
    let limits: ExtensionLimits
    /// Under a debugger nothing is counted: a person thinks longer than any limit.
    let isDebugged: Bool
    var state: State
    var peer: [UInt8]?
    var pending: ExtensionCall?

    init(_ spec: ExtensionSpec, _ limits: ExtensionLimits, isDebugged: Bool, nowMs: Int64) {
        self.spec = spec
        self.limits = limits
        self.isDebugged = isDebugged
        state = .starting(dueMs: isDebugged ? nil : nowMs + limits.startMs)
    }

    /// Whether the next call may be given to it.
    var isFree: Bool {
        switch state {
        case .starting: pending == nil
        case .idle: true
        default: false
        }
    }

    /// Whether it is on its way out, so that a call has to wait for the next one.
    var isLeaving: Bool {
        switch state {
        case .ending, .dying, .ended: true
        default: false
        }
    }

    var peerID: [UInt8]? { peer }

    /// The next moment at which `tick` has something to do.
    var nextMs: Int64? {
        switch state {
        case .starting(let dueMs), .idle(let dueMs): dueMs
        case .calling(let calling): calling.dueMs
        case .ending(_, let dueMs): dueMs
        case .dying, .ended: nil
        }
    }

    // MARK: - From the host

    mutating func call(_ call: ExtensionCall, nowMs: Int64) -> [Effect] {
        guard case .idle = state else {
            pending = call
            return []
        }
        return begin(call, nowMs)
    }

    /// The process is not needed any more.
    mutating func end(nowMs: Int64) -> [Effect] {
        switch state {
        case .idle:
            state = .ending(isTerminated: false, dueMs: nowMs + limits.endMs)
            return [.send([ExtensionProtocol.Kind.end.frame, Array("{}".utf8)])]
        case .starting, .calling: return violated(ExtensionProblem.interrupted)
        case .ending, .dying, .ended: return []
        }
    }

    /// It broke a rule: it is ended, and the reason is told once it is gone.
    mutating func violated(_ problem: Problem) -> [Effect] {
        switch state {
        case .dying, .ended: return []
        default:
            state = .dying(problem)
            return [.kill]
        }
    }

    /// The last look at what the call used, after `check`.
    mutating func checked(_ problem: Problem?, nowMs: Int64) -> [Effect] {
        guard case .calling(let calling) = state else { return [] }
        if let problem { return violated(problem) }
        if calling.isCut {
            state = .dying(nil)
            return [calling.failure.map { .failed($0) } ?? .done(calling.result), .kill]
        }
        state = .idle(dueMs: isDebugged ? nil : nowMs + limits.keepWarmMs)
        if let failure = calling.failure { return [.failed(failure)] }
        return [.done(calling.result)]
    }

    // MARK: - Moments and endings

    mutating func tick(nowMs: Int64) -> [Effect] {
        guard let nextMs, nextMs <= nowMs else { return [] }
        switch state {
        case .starting: return violated(ExtensionProblem.notReady(limitMs: limits.startMs))
        case .idle: return end(nowMs: nowMs)
        case .calling(var calling) where calling.hasReturned && limits.workMs != nil:
            calling.isCut = true
            state = .calling(calling)
            return [.note(level: "error", ExtensionProblem.cutWork), .check]
        case .calling(let calling):
            return violated(
                ExtensionProblem.timedOut(limitMs: calling.limitMs, hasReturned: calling.hasReturned)
            )
        case .ending(false, _):
            state = .ending(isTerminated: true, dueMs: nowMs + limits.endMs)
            return [.terminate]
        case .ending(true, _):
            state = .dying(nil)
            return [.note(level: "error", "It ignored SIGTERM and was killed."), .kill]
        case .dying, .ended: return []
        }
    }

    mutating func exited(_ status: ExitStatus) -> [Effect] {
        defer { state = .ended }
        switch state {
        case .starting: return [.failed(ExtensionProblem.crashed(status, .start))]
        case .calling: return [.failed(ExtensionProblem.crashed(status, .call))]
        case .idle: return [.note(level: "error", ExtensionProblem.crashed(status, .idle).message)]
        case .dying(let problem): return problem.map { [.failed($0)] } ?? []
        case .ending, .ended: return []
        }
    }
}
