package import STBus
package import STContracts
package import STPlatform

/// A question to another service, or to this one's companion, that must be answered before a route's handler runs.
///
/// The handler remains a plain function of its request and the replies, so it runs the same in a test and in the simulator. A route
/// may have several preparations. They run one after the other, and a later question may depend on earlier replies.
package struct Preparation<State: Sendable>: Sendable {
    package let source: PreparationSource
    package let route: String
    /// Returns the body of the question for a request, or nil if it needs none. It may store what it has read in the request.
    package let makeQuestion: @Sendable (State, inout AdmittedRequest) throws -> [UInt8]?

    package init(
        source: PreparationSource,
        route: String,
        question: @escaping @Sendable (State, inout AdmittedRequest) throws -> [UInt8]?
    ) {
        self.source = source
        self.route = route
        self.makeQuestion = question
    }

    /// `ask` can use the state and the earlier replies. It returns nil if a request needs no question.
    package static func of<R: Route, Asked: Route>(
        _ asked: Asked.Type,
        source: PreparationSource,
        for route: R.Type,
        ask: @escaping @Sendable (State, R.Request, PreparedReplies) throws -> Asked.Request?
    ) -> Preparation {
        Preparation(source: source, route: Asked.name) { state, request in
            let answers = PreparedReplies(request.prepared)
            return try ask(state, request.read(R.Request.self), answers)?.encodedBody()
        }
    }

    /// Requires a guardian's approval for a change that loosens something for a child. `child` returns nil if nothing is loosened.
    package static func guardian<R: Route>(
        for route: R.Type,
        _ purpose: Message,
        _ given: @escaping @Sendable (R.Request) -> Proof?,
        child: @escaping @Sendable (State, R.Request, PreparedReplies) throws -> String?
    ) -> Preparation {
        .of(AuthProve.self, source: .service(.auth), for: route) { state, asked, answers in
            guard let member = try child(state, asked, answers) else { return nil }
            return AuthProve.Request(
                member: member,
                by: given(asked)?.by,
                passcode: given(asked)?.passcode,
                purpose: Message("purpose.of-member", "\(purpose, "purpose") of \(member, "member")"),
                forChild: true
            )
        }
    }
}

/// The recipient of a question.
package enum PreparationSource: Sendable, Hashable {
    /// A request whose question gets no reply is refused.
    case service(ServiceName)
    /// The background work of this process, such as calling extensions.
    ///
    /// If there is no reply, the handler runs without it.
    case worker
}

/// A question to another service, or to the companion, for a request that waits for the reply.
package struct PreparationQuestion: Sendable {
    package var id: UInt64
    package var source: PreparationSource
    package var route: String
    package var body: [UInt8]
    package var deadlineBootMs: Int64
    package var trace: TraceContext
    /// The id of the waiting request.
    package var cause: String
    /// The key of the waiting request, and its `behalf`, if that request is forwarded unchanged.
    package var idempotencyKey: String?
    package var behalf: String?
}

/// The replies to the questions of a request, by route.
package struct PreparedReplies: Sendable {
    package var bodies: [String: [UInt8]]

    package init(_ bodies: [String: [UInt8]] = [:]) { self.bodies = bodies }

    /// Returns nil if there was no question, or if a companion did not reply.
    package func reply<Asked: Route>(_ asked: Asked.Type) throws -> Asked.Reply? {
        guard let body = bodies[Asked.name], !body.isEmpty else { return nil }
        return try Asked.Reply.decodedBody(body)
    }

    /// Returns the guardian who approved the request, or nil if no approval was needed. Throws if a guardian must approve it.
    package func guardian() throws -> String? {
        guard let proof = try reply(AuthProve.self) else { return nil }
        if let refusal = proof.refusal { throw refusal }
        return proof.by
    }
}

/// Requests that wait for a reply of another service, or of the companion.
///
/// A client that receives no reply sends its request again. The copy waits for the same reply, so the work is done once, and the
/// copy gets its own reply.
struct WaitingRequests {
    struct Entry {
        var request: AdmittedRequest
        /// The peers to reply to: the sender of the request, and those of its copies.
        var peers: [[UInt8]]
        var route: String
        var source: PreparationSource
    }

    private struct Sender: Hashable {
        var principal: Principal
        var id: String

        init(_ request: AdmittedRequest) {
            principal = request.principal
            id = request.header.id
        }
    }

    /// Upper bound on the copies of a request. A client sends one per second.
    private static let copiesMax = 100

    private var entries: [UInt64: Entry] = [:]
    /// The entry of each request, by which its copies find it.
    private var ids: [Sender: UInt64] = [:]
    private var last: UInt64 = 0

    /// Adds a copy to the request that waits. Returns false if there is no such request, or nil if it has too many copies.
    mutating func join(_ request: AdmittedRequest, _ peer: [UInt8]) -> Bool? {
        guard let id = ids[Sender(request)], let first = entries[id],
            first.request.header.route == request.header.route, first.request.body == request.body
        else { return false }
        guard first.peers.count < Self.copiesMax else { return nil }
        entries[id]?.peers.append(peer)
        return true
    }

    /// Adds a request. Returns the number of its question.
    mutating func add(_ entry: Entry) -> UInt64 {
        last += 1
        entries[last] = entry
        ids[Sender(entry.request)] = last
        return last
    }

    mutating func remove(_ id: UInt64) -> Entry? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        if ids[Sender(entry.request)] == id { ids[Sender(entry.request)] = nil }
        return entry
    }

    mutating func removeAll() -> [Entry] {
        defer { (entries, ids) = ([:], [:]) }
        return entries.sorted { $0.key < $1.key }.map(\.value)
    }
}
