package import STContracts
package import STPlatform
import Synchronization

/// Makes every check of an incoming request that does not depend on its meaning: its frames, header, sender, body and deadline.
///
/// A refused request gets a reply with a code and a message, and with `"id":null` if no id could be read. The gate is pure, so that
/// tests can send millions of random messages through it.
///
/// ```swift
/// let gate = RequestGate(
///     service: .auth,
///     owner: getuid(),
///     rules: ["member.list": .init(access: .owner, kind: .read)]
/// )
/// let bootMs = Stopwatch.bootMilliseconds()
/// switch gate.admit(frames, from: principal, bootMs: bootMs, ns: Stopwatch.nanoseconds()) {
/// case .accepted(let request, _): print("Request \(request.header.route)")
/// case .refused(_, let problem, _, _): print("Refused: \(problem.code)")
/// }
/// ```
package struct RequestGate: Sendable {
    package struct Rule: Sendable {
        package var access: Access
        package var kind: RouteKind
        package var caller: ServiceName?

        package init(access: Access, kind: RouteKind, caller: ServiceName? = nil) {
            self.access = access
            self.kind = kind
            self.caller = caller
        }
    }

    package enum Admission: Sendable {
        case accepted(AdmittedRequest, Rule)
        case refused(reply: [[UInt8]], Problem, id: String?, route: String?)
    }

    private let service: ServiceName
    private let owner: UInt32
    private let rules: [String: Rule]
    private let callers: CallerCheck
    package init(
        service: ServiceName,
        owner: UInt32,
        rules: [String: Rule],
        callers: CallerCheck = CallerCheck()
    ) {
        self.service = service
        self.owner = owner
        self.rules = rules
        self.callers = callers
    }

    /// Checks one request. `frames` are those behind the routing id.
    ///
    /// An untraced read gets no span of its own, because a span costs random numbers and strings, and reads are the fast path.
    package func admit(
        _ frames: [[UInt8]],
        from principal: Principal,
        bootMs: Int64,
        ns: Int64,
        isTraced: Bool = true
    ) -> Admission {
        let isREQ = frames.first?.isEmpty == true
        let envelope = isREQ ? [frames[0]] : []
        let content = isREQ ? Array(frames.dropFirst()) : frames
        var partial = RequestHeader.Partial()
        do {
            try checkShape(content)
            partial = try readHeader(content[0])
            // After the header, so that the refusal has the id of its request.
            if content.count > 1, content[1].count > BusLimits.requestBodyBytes {
                throw Problem(
                    "frame.too_large",
                    """
                    The body is larger than \(BusLimits.requestBodyBytes, "requestBodyBytes") bytes. Send \
                    it in several requests.
                    """,
                    key: "frame.too_large.the-body-is"
                )
            }
            let rule = try checkHeader(partial, principal)
            let bytes = content.count > 1 ? content[1] : []
            if let caller = rule.caller { try callers.check(caller, header: partial, body: bytes) }
            let body = try checkBody(bytes)
            var header = partial.rest
            header.id = partial.id ?? ""
            header.route = partial.route ?? ""
            // The boot time of another machine has no meaning here.
            if principal.remote != nil { header.deadlineBootMs = nil }
            let deadline = try deadline(of: header, now: BootTime(ms: bootMs))
            let trace: TraceContext =
                isTraced || rule.kind != .read
                ? TraceContext(traceparent: header.traceparent)?.next() ?? .fresh() : .empty
            let request = AdmittedRequest(
                header: header,
                body: body,
                principal: principal,
                envelope: envelope,
                deadlineBootMs: deadline.ms,
                receivedNs: ns,
                trace: trace
            )
            return .accepted(request, rule)
        } catch {
            let problem = Problem(error)
            let id = partial.id.flatMap { $0.utf8.count <= BusLimits.idBytes ? $0 : nil }
            let reply = ReplyFrames.failure(id: id, envelope: envelope, problem)
            return .refused(reply: reply, problem, id: id, route: partial.route)
        }
    }

    private func checkShape(_ content: [[UInt8]]) throws {
        guard let header = content.first else {
            throw Problem(
                "frame.missing",
                "A request consists of a header frame and a body frame; this one has no header."
            )
        }
        guard content.count <= BusLimits.frames else {
            throw Problem(
                "frame.too_many",
                "A request has at most \(BusLimits.frames, "frames") frames; this one has \(content.count, "count")."
            )
        }
        guard header.count <= BusLimits.headerBytes else {
            throw Problem(
                "frame.too_large",
                "The header is larger than \(BusLimits.headerBytes, "headerBytes") bytes.",
                key: "frame.too_large.the-header-is"
            )
        }
    }

    private func readHeader(_ bytes: [UInt8]) throws -> RequestHeader.Partial {
        do {
            return try RequestHeader.read(bytes)
        } catch JSONFault.tooDeep(let limit) {
            throw Problem("frame.too_deep", "The header is nested more than \(limit, "most") levels deep.")
        } catch {
            throw Problem(
                "header.invalid",
                "The first frame is not a JSON object. Send {\"v\":1,\"id\":\"1\",\"route\":\"health.ping\"}."
            )
        }
    }

    private func checkHeader(_ partial: RequestHeader.Partial, _ principal: Principal) throws -> Rule {
        guard let id = partial.id, !id.isEmpty else {
            throw Problem(
                "header.no_id",
                "The header has no `id`. Give each request a unique id.",
                field: "/id"
            )
        }
        guard id.utf8.count <= BusLimits.idBytes else {
            throw Problem(
                "header.id_too_long",
                "The id is longer than \(BusLimits.idBytes, "idBytes") bytes.",
                field: "/id"
            )
        }
        guard partial.v == 1 else {
            throw Problem(
                "version.unsupported",
                "This service supports version 1 of the protocol; the header must contain \"v\":1.",
                field: "/v"
            )
        }
        guard let route = partial.route else {
            throw Problem("header.no_route", "The header has no `route`.", field: "/route")
        }
        guard let rule = rules[route] else { throw unknownRouteProblem(route) }
        guard !rule.access.isDisjoint(with: principal.roles(owner: owner)) else {
            if principal.remote != nil {
                throw Problem(
                    "access.denied",
                    """
                    This machine may not call \(route, "route"). Call it on the machine where \
                    \(service, "service") runs.
                    """,
                    key: "access.denied.is-not-answered",
                    help: "screentime household show"
                )
            }
            throw Problem(
                "access.denied",
                """
                Only uid \(owner, "owner") may call \(route, "route"); this request came from uid \
                \(principal.uid, "uid").
                """,
                key: "access.denied.is-answered-to",
                help: "setpriv --reuid \(owner) --clear-groups screentime …"
            )
        }
        if let key = partial.rest.idempotencyKey,
            key.isEmpty || key.utf8.count > BusLimits.idempotencyKeyBytes
        {
            throw Problem(
                "header.bad_idempotency_key",
                "An idempotency key has 1 to \(BusLimits.idempotencyKeyBytes, "idempotencyKeyBytes") bytes.",
                field: "/idempotency_key"
            )
        }
        return rule
    }

    private func unknownRouteProblem(_ route: String) -> Problem {
        let name = String(route.prefix(80))
        let owner = Catalogue.owner(ofRoute: route)
        let text =
            owner.map {
                Message(
                    "route.not_found.has-another-service",
                    """
                    \(service, "service") has no route \(name, "name"). Send the request to \($0, "owner"), \
                    which has it.
                    """
                )
            }
            ?? Message(
                "route.not_found.has-no-service",
                """
                \(service, "service") has no route \(name, "name"), and neither has another service. \
                bus.describe lists all routes.
                """
            )
        return Problem(
            "route.not_found",
            text: text,
            field: "/route",
            help: owner.map { "screentime bus call \(name) '{}' --to \($0)" }
        )
    }

    private func checkBody(_ bytes: [UInt8]) throws -> [UInt8] {
        if bytes.isEmpty { return Array("{}".utf8) }
        do {
            try JSONText.requireObject(bytes)
        } catch JSONFault.tooDeep(let limit) {
            throw Problem(
                "frame.too_deep",
                "The body is nested more than \(limit, "most") levels deep.",
                key: "frame.too_deep.the-body-is"
            )
        } catch JSONFault.notAnObject {
            throw Problem("body.not_an_object", "The body must be a JSON object, such as {}.")
        } catch JSONFault.malformed(let index) {
            throw Problem(
                "body.invalid",
                "The body is not valid JSON: there is an error at byte \(index, "index").",
                key: "body.invalid.the-body-is"
            )
        }
        return bytes
    }

    private func deadline(of header: RequestHeader, now: BootTime) throws -> BootTime {
        if let absolute = header.deadlineBootMs.map(BootTime.init(ms:)) {
            guard absolute > now else {
                throw Problem(
                    "deadline.exceeded",
                    "The deadline had passed before work began, so nothing was done.",
                    key: "deadline.exceeded.the-deadline-had",
                    retryable: true
                )
            }
            return min(absolute, now + .milliseconds(BusLimits.timeoutMsMax))
        }
        let timeout = header.timeoutMs ?? BusLimits.timeoutMsDefault
        guard timeout > 0 else {
            throw Problem(
                "deadline.exceeded",
                "The timeout is not above zero, so nothing was done.",
                key: "deadline.exceeded.the-timeout-is",
                retryable: true
            )
        }
        return now + .milliseconds(min(timeout, BusLimits.timeoutMsMax))
    }
}

/// Checks the caller of routes that only one other service may call. By default, every call is refused.
package struct CallerCheck: Sendable {
    /// Returns true if that service made the code in the header for this request.
    package var isProof: @Sendable (RequestHeader.Partial, ServiceName, _ body: [UInt8]) -> Bool
    /// Returns true if that service is enabled on this machine.
    package var isRequired: @Sendable (ServiceName) -> Bool

    package init(
        isProof: @escaping @Sendable (RequestHeader.Partial, ServiceName, _ body: [UInt8]) -> Bool = {
            _,
            _,
            _ in false
        },
        isWanted: @escaping @Sendable (ServiceName) -> Bool = { _ in true }
    ) {
        self.isProof = isProof
        self.isRequired = isWanted
    }

    func check(_ caller: ServiceName, header: RequestHeader.Partial, body: [UInt8]) throws(Problem) {
        let route = header.route ?? ""
        guard isRequired(caller) else {
            throw Problem(
                "access.no_household",
                "\(route, "route") requires a household, and this machine does not belong to one.",
                help: "screentime household --help"
            )
        }
        guard isProof(header, caller, body) else {
            throw Problem(
                "access.not_service",
                "Only \(caller, "caller") may call \(route, "route")."
            )
        }
    }
}

/// A body that a route has decoded. It is an object, because every request has room for it and few have one.
package final class RequestReading: Sendable {
    package let value: any Sendable

    package init(_ value: any Sendable) { self.value = value }
}

/// A request from within this process, without encoding: its value goes in, and the value of the reply comes out.
package final class DirectCall: Sendable {
    package let request: any Sendable
    private let reply = Mutex<(any Sendable)?>(nil)

    package init(_ request: any Sendable) { self.request = request }

    package func setReply(_ value: any Sendable) { reply.withLock { $0 = value } }

    /// Returns the value of the reply, or nil if the route replies in bytes.
    package func takeReply<Reply>(_: Reply.Type) -> Reply? { reply.withLock { $0 as? Reply } }
}

/// A request that has passed every check that does not depend on its meaning.
package struct AdmittedRequest: Sendable {
    package var header: RequestHeader
    package var body: [UInt8]
    package var principal: Principal
    /// The frames before the reply: none, or the empty frame of a REQ peer.
    package var envelope: [[UInt8]]
    package var deadlineBootMs: Int64
    package var receivedNs: Int64
    /// The span of this request in its trace.
    package var trace: TraceContext
    /// The replies of other services that the route needs first, by route.
    package var prepared: [String: [UInt8]] = [:]
    /// The body as the route has decoded it for its question, so that the handler need not decode it again.
    package var reading: RequestReading?
    package var direct: DirectCall?

    /// Returns the decoded body.
    package func read<Body: WireBody>(_: Body.Type) throws -> Body {
        try direct?.request as? Body ?? Body.decodedBody(body)
    }

    /// The account under which idempotency keys are stored. A client that retries may have a new pid, and each person behind a door
    /// has their own keys.
    package var account: String {
        (principal.remote?.userID ?? "uid:\(principal.uid)") + (header.behalf.map { "/\($0)" } ?? "")
    }

    package func isExpired(now: BootTime) -> Bool { now.ms >= deadlineBootMs }

    package init(
        header: RequestHeader,
        body: [UInt8],
        principal: Principal,
        envelope: [[UInt8]],
        deadlineBootMs: Int64,
        receivedNs: Int64,
        trace: TraceContext
    ) {
        self.header = header
        self.body = body
        self.principal = principal
        self.envelope = envelope
        self.deadlineBootMs = deadlineBootMs
        self.receivedNs = receivedNs
        self.trace = trace
    }
}

/// Creates replies, also to messages that could not be read, because every message gets a reply.
package enum ReplyFrames {
    package static func success(
        id: String?,
        envelope: [[UInt8]],
        body: [UInt8],
        repeated: Bool = false
    ) -> [[UInt8]] {
        guard body.count <= BusLimits.replyBodyBytes else {
            let problem = Problem(
                "reply.too_large",
                "The reply would be too large. Request fewer rows with `limit`."
            )
            return failure(id: id, envelope: envelope, problem)
        }
        return envelope + [ReplyHeader(id: id, ok: true, repeated: repeated).encoded(), body]
    }

    package static func failure(id: String?, envelope: [[UInt8]], _ problem: Problem) -> [[UInt8]] {
        let body = (try? problem.encodedBody()) ?? Array("{\"code\":\"internal\",\"message\":\"\"}".utf8)
        return envelope + [ReplyHeader(id: id, ok: false).encoded(), body]
    }
}
