package import STBus
package import STContracts
package import STEngine
package import STPlatform
package import STStore
package import STTestSupport

/// The rules of a service over a real database, without a process or a socket.
///
/// A request is handled as in its service, for every caller. Admission has its own tests.
package final class CoreBench<State: Sendable> {
    package static var source: String { "/test/bench" }

    package let scratch: ScratchDirectory
    package let time: SimulatedTimeSource
    package let database: Database
    package let store: StoreEngine<State>
    /// The events published since this bench was opened, in order, without lines of the history.
    package var events: [WireEvent] { told.filter { $0.header.type != Self.historyType(definition) } }
    /// The lines of the history published since this bench was opened.
    package var history: [HistoryLine] {
        get throws {
            try told.filter { $0.header.type == Self.historyType(definition) }
                .map { try HistoryLine.decodedBody($0.body) }
        }
    }
    private var told: [WireEvent] = []
    /// The other services, which a route calls first: takes a route and a body, and returns a body.
    package var otherService: @Sendable (String, [UInt8]) throws -> [UInt8] = { route, _ in
        throw Problem("unavailable", verbatim: "No service answers \(route) in this test.")
    }
    /// The service's own companion, which a route calls first. `nil` if there is none.
    package var companion: (@Sendable (String, [UInt8]) throws -> [UInt8])?
    private let definition: ServiceDefinition<State>
    private var asked = 0

    package init(
        _ definition: ServiceDefinition<State>,
        scratch: ScratchDirectory? = nil,
        time: SimulatedTimeSource = SimulatedTimeSource(wallMs: 1_790_000_000_000)
    ) throws {
        self.definition = definition
        self.time = time
        let scratch = try scratch ?? ScratchDirectory()
        self.scratch = scratch
        database = try Database(
            path: scratch.file("bench.sqlite"),
            options: DatabaseOptions(synchronous: .off, applicationID: 0x5354_0052)
        )
        store = try StoreEngine(
            definition,
            database: database,
            source: Self.source,
            time: time,
            bootMs: { time.now().bootMs }
        )
    }

    package var state: State { store.state }
    /// The member for whom an account's door sends requests.
    package var behalf: String?
    /// The other machine that sends requests. `nil` for a process of this one.
    package var remote: Principal.Remote?

    package func forgetEvents() { told = [] }

    /// No guardian has a passcode here, so no proof is needed.
    private func wordOfNoGuardian(_ route: String, _ body: [UInt8]) throws -> [UInt8]? {
        guard route == AuthProve.name, try AuthProve.Request.decodedBody(body).forChild == true
        else { return nil }
        return try AuthProve.Reply().encodedBody()
    }

    private static func historyType(_ definition: ServiceDefinition<State>) -> String {
        EventInfo(historyOf: definition.name).type
    }

    /// Returns the position up to which the followed stream has been applied.
    package func cursor(of subscription: Int = 0) throws -> StreamPoint? {
        try store.cursor(of: subscription)
    }

    /// Restarts the service, with its database as its only memory.
    package func reopened(as other: ServiceDefinition<State>? = nil) throws -> CoreBench<State> {
        try store.close()
        return try CoreBench(other ?? definition, scratch: scratch, time: time)
    }

    /// Sends a request. Throws the problem of a rejected one.
    package func ask<R: Route>(
        _ route: R.Type,
        _ request: R.Request,
        key: String? = nil,
        uid: UInt32 = 1000
    ) throws -> R.Reply {
        var admitted = self.request(R.name, try request.encodedBody(), key: key, uid: uid)
        let known = definition.routes.first { $0.info.name == R.name }
        while let question = try known?.nextQuestion(store.state, &admitted) {
            switch question.source {
            case .service:
                admitted.prepared[question.route] =
                    try wordOfNoGuardian(question.route, question.body)
                    ?? otherService(question.route, question.body)
            case .worker:
                // If there is no companion or it fails, the request continues without its reply.
                admitted.prepared[question.route] = (try? companion?(question.route, question.body)) ?? []
            }
        }
        if case .read(let handler) = known?.work {
            let context = RequestContext(admitted, time: time)
            return try R.Reply.decodedBody(try handler(store.state, admitted.body, context))
        }
        switch run(.request(admitted, peer: [])) {
        case .reply(_, _, let body, _): return try R.Reply.decodedBody(body)
        case .refused(_, _, let problem), .applyFailed(_, let problem): throw problem
        case .applied, .reached, .stepped, .recorded, nil:
            throw Problem("test.no_reply", verbatim: "\(R.name) was not answered.")
        }
    }

    /// The context of a handler.
    package var context: RequestContext {
        RequestContext(request("test.look", [], key: nil, uid: 1000), time: time)
    }

    /// Runs one of the service's own steps. Throws the problem of a rejected one.
    package func step<Value: Sendable>(_ work: @escaping InternalStep<State>.Change<Value>) throws -> Value {
        let (value, published) = try store.step(request("test.step", [], key: nil, uid: 1000), work)
        told += published
        return value
    }

    /// Returns the problem of a rejected request, or `nil` if it is accepted.
    package func refusal<R: Route>(
        _ route: R.Type,
        _ request: R.Request,
        key: String? = nil,
        uid: UInt32 = 1000
    ) throws -> Problem? {
        do {
            _ = try ask(route, request, key: key, uid: uid)
            return nil
        } catch let problem as Problem {
            return problem
        }
    }

    /// Applies events of the followed stream, as live or while catching up.
    package func follow(_ events: [WireEvent], subscription: Int = 0) throws {
        try require(run(.apply(subscription: subscription, events)))
        reach(subscription)
    }

    /// Signals that the whole stream has been applied.
    package func reach(_ subscription: Int = 0) { _ = run(.reached(subscription: subscription)) }

    /// Applies a snapshot in one page, in place of all earlier data.
    ///
    /// `isWhole` is true if there is no other page.
    package func rebuild(_ events: [WireEvent], subscription: Int = 0, isWhole: Bool = true) throws {
        let cursor = events.last.map { StreamPoint($0.header) }
        try require(run(.applySnapshot(subscription: subscription, events, isFirst: true, cursor: cursor)))
        if isWhole { reach(subscription) }
    }

    /// Returns an event of another service.
    package static func event<E: EventType>(
        _ type: E.Type,
        sequence: Int64,
        subject: String,
        body: E.Body
    ) throws -> WireEvent {
        WireEvent(
            header: EventHeader(
                id: "event-\(sequence)",
                source: "/test/other",
                type: E.type,
                timeMs: 0,
                subject: subject,
                schema: E.schemaVersion,
                stream: E.stream,
                epoch: "epoch",
                sequence: sequence,
                traceparent: nil,
                cause: nil
            ),
            body: try body.encodedBody()
        )
    }

    private func run(_ job: StoreJob) -> StoreResult? {
        let batch = store.run([job])
        told += batch.events
        return batch.results.first
    }

    private func require(_ result: StoreResult?) throws {
        if case .applyFailed(_, let problem) = result { throw problem }
    }

    private func request(_ route: String, _ body: [UInt8], key: String?, uid: UInt32) -> AdmittedRequest {
        asked += 1
        return AdmittedRequest(
            header: RequestHeader(id: "request-\(asked)", route: route, idempotencyKey: key, behalf: behalf),
            body: body,
            principal: remote.map { Principal($0) } ?? Principal(uid: uid, pid: 1),
            envelope: [],
            deadlineBootMs: .max,
            receivedNs: 0,
            trace: .fresh()
        )
    }
}

extension StreamPoint {
    fileprivate init(_ header: EventHeader) {
        self.init(
            stream: header.stream.rawValue,
            epoch: header.epoch,
            sequence: header.sequence,
            id: header.id
        )
    }
}
