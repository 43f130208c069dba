package import STBus
package import STContracts
package import STPlatform

/// What a route must hear before its handler runs: from another service, or from this one's own companion.
///
/// The handler stays a plain function of its request and the answers, so it runs the same in a test and in the simulator. A route
/// may have several: they are asked one after the other, and a later question may depend on earlier answers.
package struct Preparation<State: Sendable>: Sendable {
    package let source: PreparationSource
    package let route: String
    /// The body of the question that a request leads to, or nil when it needs none; may keep what it read.
    package let question: @Sendable (State, inout AdmittedRequest) throws -> [UInt8]?

    package init(
        source: PreparationSource,
        route: String,
        question: @escaping @Sendable (State, inout AdmittedRequest) throws -> [UInt8]?
    ) {
        self.source = source
        self.route = route
        self.question = question
    }

    /// `ask` may look at the state and at what was answered before, and answers nil when a request needs none.
    package static func of<R: Route, Asked: Route>(
        _ asked: Asked.Type,
        _ source: PreparationSource,
        for route: R.Type,
        _ ask: @escaping @Sendable (State, R.Request, PreparedAnswers) throws -> Asked.Request?
    ) -> Preparation {
        Preparation(source: source, route: Asked.name) { state, request in
            let answers = PreparedAnswers(request.prepared)
            return try ask(state, request.read(R.Request.self), answers)?.encodedBody()
        }
    }

    /// Asks for a guardian's word on what loosens something for a child; `child` answers nil where nothing is loosened.
    package static func guardian<R: Route>(
        for route: R.Type,
        _ purpose: Message,
        _ given: @escaping @Sendable (R.Request) -> Proof?,
        child: @escaping @Sendable (State, R.Request, PreparedAnswers) throws -> String?
    ) -> Preparation {
        .of(AuthProve.self, .service(.auth), for: route) { state, asked, answers in
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

/// Who is asked what a request needs to know.
package enum PreparationSource: Sendable, Hashable {
    /// A request that gets no answer is refused.
    case service(ServiceName)
    /// What this process does beside answering, such as calling extensions.
    ///
    /// The handler does without when there is no answer: it finds none.
    case companion
}

/// A question to another service, or to the companion, on behalf of a request that waits for its answer.
package struct PreparationQuestion: Sendable {
    package var id: UInt64
    package var source: PreparationSource
    package var route: String
    package var body: [UInt8]
    package var deadlineBootMs: Int64
    package var trace: TraceContext
    /// The id of the request that waits.
    package var cause: String
    /// The key of the waiting request, and its `behalf`, if that request is forwarded unchanged.
    package var idempotencyKey: String?
    package var behalf: String?
}

/// What other services have said for a request, by the routes that were asked.
package struct PreparedAnswers: Sendable {
    package var bodies: [String: [UInt8]]

    package init(_ bodies: [String: [UInt8]] = [:]) { self.bodies = bodies }

    /// Nil when it was not asked, or a companion had no answer.
    package func of<Asked: Route>(_ asked: Asked.Type) throws -> Asked.Reply? {
        guard let body = bodies[Asked.name], !body.isEmpty else { return nil }
        return try Asked.Reply.decodedBody(body)
    }

    /// The guardian who has agreed; nil where no word was needed.
    package func guardian() throws -> String? {
        guard let proof = try of(AuthProve.self) else { return nil }
        if let refusal = proof.refusal { throw refusal }
        return proof.by
    }
}

/// Requests that wait for the word of another service, or of the companion.
///
/// A client that hears nothing sends a request again. The copy waits for the same word, so the work is done once, and gets an
/// answer of its own.
struct WaitingRequests {
    struct Entry {
        var request: AdmittedRequest
        /// Where the answer goes: to the request, and to its copies.
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

    /// A client sends a copy once a second.
    private static let copiesMax = 100

    private var entries: [UInt64: Entry] = [:]
    /// Which of them a request is, so that its copies find it.
    private var ids: [Sender: UInt64] = [:]
    private var last: UInt64 = 0

    /// Whether the request is a copy of one that waits; nil when that has too many copies.
    mutating func join(_ request: AdmittedRequest, _ peer: [UInt8]) -> Bool? {
        guard let id = ids[Sender(request)], let first = entries[id],
            first.request.header.route == request.header.route, first.request.body == request.body
        else { return false }
        guard first.peers.count < Self.copiesMax else { return nil }
        entries[id]?.peers.append(peer)
        return true
    }

    /// Returns the question's number.
    mutating func add(_ entry: Entry) -> UInt64 {
        last += 1
        entries[last] = entry
        ids[Sender(entry.request)] = last
        return last
    }

    mutating func take(_ id: UInt64) -> Entry? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        if ids[Sender(entry.request)] == id { ids[Sender(entry.request)] = nil }
        return entry
    }

    mutating func takeAll() -> [Entry] {
        defer { (entries, ids) = ([:], [:]) }
        return entries.sorted { $0.key < $1.key }.map(\.value)
    }
}
