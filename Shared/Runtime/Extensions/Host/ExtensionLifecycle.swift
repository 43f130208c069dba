import STContracts
import STPlatform

/// The life of one extension process: messages, times and exits go in, effects come out.
///
/// All moments are readings of the monotonic clock.
///
/// No message is trusted. A message that is out of turn, unreadable or too late ends the process. The reason is reported after the
/// process has ended, so that an old process never overlaps with a new one.
struct ExtensionLifecycle {
    enum Effect: Equatable {
        case send([[UInt8]])
        /// The call has been sent. Memory and output count from now on.
        case callDidBegin
        /// Forward a request to a service.
        case ask(RequestHeader, [UInt8], ordinal: Int64)
        /// All work of the call is done. `checked` must follow.
        case check
        case done(JSONValue?)
        case failed(Problem)
        case terminate
        case kill
        case note(level: String, String)
    }

    private struct CallState: Equatable {
        var id: String
        var limit: Duration
        var due: Duration?
        var hasReturned = false
        /// True if the host no longer waits for the work that the call has started.
        var isCut = false
        var result: JSONValue?
        var failure: Problem?
        var requests: Int64 = 0
        /// The number of the latest request that changes something.
        var ordinal: Int64 = 0
    }

    private enum State: Equatable {
        case starting(due: Duration?)
        case idle(due: Duration?)
        case calling(CallState)
        /// The host has sent `end` or SIGTERM.
        case ending(isTerminated: Bool, due: Duration)
        /// The process was killed, for this reason. `nil` if no failure must be reported, for example if it only took too long to
        /// end.
        case dying(Problem?)
        case ended
    }

    private let spec: ExtensionSpec
    private let limits: ExtensionLimits
    /// True under a debugger, where no limits apply, because a person needs more time than any of them.
    private let isDebugged: Bool
    private var state: State
    private(set) var peer: [UInt8]?
    private var pending: ExtensionCall?

    init(_ spec: ExtensionSpec, _ limits: ExtensionLimits, isDebugged: Bool, now: Duration) {
        self.spec = spec
        self.limits = limits
        self.isDebugged = isDebugged
        state = .starting(due: isDebugged ? nil : now + limits.startTimeout)
    }

    /// True if the process can take the next call.
    var isFree: Bool {
        switch state {
        case .starting: pending == nil
        case .idle: true
        default: false
        }
    }

    /// True if the process is ending, so that a call has to wait for the next process.
    var isEnding: Bool {
        switch state {
        case .ending, .dying, .ended: true
        default: false
        }
    }

    /// The next moment at which `tick` must be called.
    var next: Duration? {
        switch state {
        case .starting(let due), .idle(let due): due
        case .calling(let calling): calling.due
        case .ending(_, let due): due
        case .dying, .ended: nil
        }
    }

    // MARK: - From the host

    mutating func call(_ call: ExtensionCall, now: Duration) -> [Effect] {
        guard case .idle = state else {
            pending = call
            return []
        }
        return begin(call, now)
    }

    /// Ends the process, because it is no longer needed.
    mutating func end(now: Duration) -> [Effect] {
        switch state {
        case .idle:
            state = .ending(isTerminated: false, due: now + limits.endTimeout)
            return [.send([ExtensionProtocol.Kind.end.frame, Array("{}".utf8)])]
        case .starting, .calling: return handleViolation(ExtensionProblem.interrupted)
        case .ending, .dying, .ended: return []
        }
    }

    /// Kills the process because it broke a rule. The reason is reported once it has ended.
    mutating func handleViolation(_ problem: Problem) -> [Effect] {
        switch state {
        case .dying, .ended: return []
        default:
            state = .dying(problem)
            return [.kill]
        }
    }

    /// Ends the call after `check`, with the last check of what it used.
    mutating func handleCheckResult(_ problem: Problem?, now: Duration) -> [Effect] {
        guard case .calling(let calling) = state else { return [] }
        if let problem { return handleViolation(problem) }
        if calling.isCut {
            state = .dying(nil)
            return [calling.failure.map { .failed($0) } ?? .done(calling.result), .kill]
        }
        state = .idle(due: isDebugged ? nil : now + limits.keepWarm)
        if let failure = calling.failure { return [.failed(failure)] }
        return [.done(calling.result)]
    }

    // MARK: - Moments and endings

    mutating func tick(now: Duration) -> [Effect] {
        guard let next, next <= now else { return [] }
        switch state {
        case .starting: return handleViolation(ExtensionProblem.notReady(limit: limits.startTimeout))
        case .idle: return end(now: now)
        case .calling(var calling) where calling.hasReturned && limits.workTimeout != nil:
            calling.isCut = true
            state = .calling(calling)
            return [.note(level: "error", ExtensionProblem.unfinishedWorkText), .check]
        case .calling(let calling):
            return handleViolation(
                ExtensionProblem.timedOut(limit: calling.limit, hasReturned: calling.hasReturned)
            )
        case .ending(false, _):
            state = .ending(isTerminated: true, due: now + limits.endTimeout)
            return [.terminate]
        case .ending(true, _):
            state = .dying(nil)
            return [.note(level: "error", "It ignored SIGTERM and was killed."), .kill]
        case .dying, .ended: return []
        }
    }

    mutating func processDidExit(_ status: ExitStatus) -> [Effect] {
        defer { state = .ended }
        switch state {
        case .starting: return [.failed(ExtensionProblem.crashed(status, .start))]
        case .calling: return [.failed(ExtensionProblem.crashed(status, .call))]
        case .idle: return [.note(level: "error", ExtensionProblem.crashed(status, .idle).message)]
        case .dying(let problem): return problem.map { [.failed($0)] } ?? []
        case .ending, .ended: return []
        }
    }

    // MARK: - Messages of the extension, which are checked before use

    mutating func receive(_ frames: [[UInt8]], from sender: [UInt8], now: Duration) -> [Effect] {
        switch state {
        case .dying, .ended: return []
        default: break
        }
        guard let first = frames.first, let kind = ExtensionProtocol.Kind(frame: first),
            (2...ExtensionProtocol.frames).contains(frames.count)
        else {
            let sent = Message("extension.sent-unknown-kind", "a message of a kind that does not exist")
            return handleViolation(ExtensionProblem.malformedMessage(sent))
        }
        do {
            return try receive(kind, frames, from: sender, now: now)
        } catch let problem as Problem where problem.code.hasPrefix("extension.") {
            return handleViolation(problem)
        } catch {
            let sent = Message(
                "extension.sent-invalid-message",
                "a `\(kind.rawValue, "kind")` with invalid content"
            )
            return handleViolation(ExtensionProblem.malformedMessage(sent))
        }
    }

    private mutating func receive(
        _ kind: ExtensionProtocol.Kind,
        _ frames: [[UInt8]],
        from sender: [UInt8],
        now: Duration
    ) throws -> [Effect] {
        if case .starting = state {
            guard kind == .hello else {
                throw ExtensionProblem.badProtocol(
                    Message(
                        "extension.bad_protocol.before-hello",
                        "The extension sent `\(kind.rawValue, "kind")` before it sent `hello`."
                    )
                )
            }
            return try handleHello(try body(frames), from: sender, now: now)
        }
        guard sender == peer else {
            throw ExtensionProblem.badProtocol(
                Message(
                    "extension.bad_protocol.second-connection",
                    "The extension sent a message over a second connection."
                )
            )
        }
        switch kind {
        case .request: return try handleRequest(frames)
        case .returned: return try handleReturned(try body(frames), now: now)
        case .settled: return try handleSettled(try body(frames))
        case .hello, .call, .reply, .end:
            throw ExtensionProblem.badProtocol(
                Message(
                    "extension.bad_protocol.out-of-turn",
                    "The extension sent `\(kind.rawValue, "kind")` out of turn."
                )
            )
        }
    }

    private mutating func handleHello(_ hello: ExtensionHello, from sender: [UInt8], now: Duration) throws
        -> [Effect]
    {
        guard hello.version == ExtensionProtocol.version else {
            throw ExtensionProblem.badProtocol(
                Message(
                    "extension.bad_protocol.version",
                    """
                    The extension uses version \(hello.version, "found") of the protocol, and this host uses \
                    \(ExtensionProtocol.version, "expected"). Rebuild it with this version's frameworks.
                    """
                ),
                details: [
                    "protocol": String(hello.version), "expected": String(ExtensionProtocol.version),
                ]
            )
        }
        guard hello.app == spec.app, hello.point == spec.point else {
            throw ExtensionProblem.badProtocol(
                Message(
                    "extension.bad_protocol.another-extension",
                    """
                    The extension identifies itself as \(hello.point, "foundPoint") of \
                    \(hello.app, "foundApp"), but was started as \(spec.point, "point") of \
                    \(spec.app, "app"). Correct its manifest or its entry point.
                    """
                ),
                details: ["app": hello.app, "point": hello.point.rawValue]
            )
        }
        peer = sender
        state = .idle(due: isDebugged ? nil : now + limits.keepWarm)
        guard let call = pending else { return [] }
        pending = nil
        return begin(call, now)
    }

    private mutating func begin(_ call: ExtensionCall, _ now: Duration) -> [Effect] {
        var call = call
        // A call may have less time than others of its host, but never more.
        let limit =
            call.deadlineMs > 0 ? min(.milliseconds(call.deadlineMs), limits.callTimeout) : limits.callTimeout
        call.deadlineMs = isDebugged ? 0 : limit.ms
        guard let body = try? call.encodedBody() else { return [] }
        state = .calling(
            CallState(id: call.id, limit: limit, due: isDebugged ? nil : now + limit)
        )
        return [.callDidBegin, .send([ExtensionProtocol.Kind.call.frame, body])]
    }

    /// The routes that change something. Their requests are numbered.
    ///
    /// Reads are not numbered, because a process that was kept warm may already have data that a new process must read. An attempt
    /// must have the same numbers in both.
    private static let writes = Set(
        Catalogue.entries.flatMap(\.routes).filter { $0.kind == .write }.map(\.name)
    )

    private mutating func handleRequest(_ frames: [[UInt8]]) throws -> [Effect] {
        guard frames.count == 3, frames[1].count <= BusLimits.headerBytes,
            frames[2].count <= BusLimits.requestBodyBytes
        else {
            throw ExtensionProblem.malformedMessage(
                Message("extension.sent-incomplete-request", "a request that is too large or has no body")
            )
        }
        let partial = try RequestHeader.read(frames[1])
        guard let id = partial.id, let route = partial.route, !id.isEmpty, !route.isEmpty,
            id.utf8.count <= BusLimits.idBytes, route.utf8.count <= BusLimits.topicBytes
        else {
            throw ExtensionProblem.malformedMessage(
                Message("extension.sent-unnamed-request", "a request without an id or a route")
            )
        }
        guard case .calling(var calling) = state else {
            return [
                Self.refusal(
                    id,
                    Problem(
                        "extension.no_call",
                        """
                        No callback is under way, so the extension cannot send requests. Send them before \
                        the callback's work is done.
                        """
                    )
                )
            ]
        }
        calling.requests += 1
        guard calling.requests <= ExtensionProtocol.ordinalMax else {
            throw ExtensionProblem.badProtocol(
                Message(
                    "extension.bad_protocol.too-many-requests",
                    "The callback made more than \(ExtensionProtocol.ordinalMax, "most") requests."
                )
            )
        }
        var ordinal: Int64 = 0
        if Self.writes.contains(route) {
            calling.ordinal += 1
            ordinal = calling.ordinal
        }
        state = .calling(calling)
        var header = partial.rest
        header.id = id
        header.route = route
        return [.ask(header, frames[2], ordinal: ordinal)]
    }

    private mutating func handleReturned(_ returned: ExtensionReturned, now: Duration) throws -> [Effect] {
        guard case .calling(var calling) = state, calling.id == returned.id, !calling.hasReturned else {
            throw ExtensionProblem.badProtocol(
                Message(
                    "extension.bad_protocol.no-such-call",
                    "The extension returned from a call that is not under way."
                )
            )
        }
        calling.hasReturned = true
        calling.result = returned.result
        calling.failure = returned.failure.map(Self.failure)
        if let timeout = limits.workTimeout { calling.due = calling.due.map { min($0, now + timeout) } }
        state = .calling(calling)
        return []
    }

    private mutating func handleSettled(_ settled: ExtensionSettled) throws -> [Effect] {
        guard case .calling(let calling) = state, calling.id == settled.id, calling.hasReturned else {
            throw ExtensionProblem.badProtocol(
                Message(
                    "extension.bad_protocol.not-returned",
                    "The extension sent `settled` for a call that has not returned."
                )
            )
        }
        return [.check]
    }

    /// Wraps the extension's own problem in a problem with our code.
    private static func failure(_ problem: Problem) -> Problem {
        Problem(
            "extension.failed",
            "The extension could not handle the call: \(String(problem.message.prefix(500)), "message")",
            key: "extension.failed.the-extension-could",
            details: [
                "code": String(problem.code.prefix(100)), "said": String(problem.message.prefix(500)),
            ]
        )
    }

    static func refusal(_ id: String, _ problem: Problem) -> Effect {
        let header = ReplyHeader(id: id, ok: false).encoded()
        return .send([ExtensionProtocol.Kind.reply.frame, header, (try? problem.encodedBody()) ?? []])
    }

    private func body<Body: WireBody>(_ frames: [[UInt8]]) throws -> Body {
        let limit =
            Body.self == ExtensionReturned.self ? spec.point.returnedBytes : ExtensionProtocol.bodyBytes
        guard frames[1].count <= limit else {
            throw ExtensionProblem.tooLarge(bytes: frames[1].count, limit: limit)
        }
        return try Body.decodedBody(frames[1])
    }
}
