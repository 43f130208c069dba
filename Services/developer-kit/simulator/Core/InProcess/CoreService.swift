import STBus
import STContracts
import STEngine
import STPlatform
import STStore

/// One service's core over its own database and without a process, for any type of state.
protocol CoreServing: AnyObject {
    var name: ServiceName { get }
    var streams: [StreamName] { get }
    /// The streams it follows.
    var followed: [(source: ServiceName, stream: StreamName)] { get }

    /// The next question to another service before a request can be answered; its `prepared` has the earlier answers.
    func question(_ request: inout AdmittedRequest) throws
        -> (source: PreparationSource, route: String, body: [UInt8])?

    /// The reply to a request and the events it led to; throws a refusal.
    func answer(_ request: AdmittedRequest) throws -> (body: [UInt8], events: [WireEvent])

    /// Takes events of a stream that it follows, and returns the events they led to.
    func apply(_ events: [WireEvent], _ subscription: Int) throws -> [WireEvent]

    /// As after a power cut: it keeps only what is in its database.
    func restart() throws

    func close()
}

/// A service's definition with its store, called directly.
final class CoreService<State: Sendable>: CoreServing {
    private let definition: ServiceDefinition<State>
    let followed: [(source: ServiceName, stream: StreamName)]
    private let routes: [String: ServiceRoute<State>]
    private let path: String
    private let time: any TimeSource
    private var store: StoreEngine<State>

    /// "STSi", to tell its files from those of other programs.
    private static var applicationID: Int32 { 0x5354_5369 }

    init(_ definition: ServiceDefinition<State>, folder: String, time: any TimeSource) throws {
        self.definition = definition
        self.time = time
        followed = definition.subscriptions.map { ($0.source, $0.stream) }
        path = "\(folder)/\(definition.name).sqlite"
        routes = Dictionary(definition.routes.map { ($0.info.name, $0) }) { first, _ in first }
        store = try Self.open(definition, path, time)
    }

    private static func open(
        _ definition: ServiceDefinition<State>,
        _ path: String,
        _ time: any TimeSource
    ) throws -> StoreEngine<State> {
        // A simulation need not survive a power cut.
        let options = DatabaseOptions(
            synchronous: .off,
            transactionsPerCommit: 500,
            applicationID: applicationID
        )
        return try StoreEngine(
            definition,
            database: try Database(path: path, options: options),
            source: "/simulation/\(definition.name)",
            time: time,
            bootMs: { time.now().bootMs }
        )
    }

    var name: ServiceName { definition.name }

    var streams: [StreamName] { definition.streams }

    func question(_ request: inout AdmittedRequest) throws
        -> (source: PreparationSource, route: String, body: [UInt8])?
    {
        try routes[request.header.route]?.nextQuestion(store.state, &request)
    }

    func answer(_ request: AdmittedRequest) throws -> (body: [UInt8], events: [WireEvent]) {
        if case .read(let handler)? = routes[request.header.route]?.work {
            return (try handler(store.state, request.body, RequestContext(request, time: time)), [])
        }
        let batch = store.run([.request(request, peer: [])])
        switch batch.results.first {
        case .reply(_, _, let body, _): return (body, batch.events)
        case .refused(_, _, let problem), .applyFailed(_, let problem): throw problem
        case .applied, .reached, .stepped, .noted, nil:
            throw Problem(
                "internal",
                "The request \(request.header.route, "route") received no reply.",
                key: "internal.was-not-answered"
            )
        }
    }

    var state: State { store.state }

    /// The moment, zone and boot of now.
    func context(named name: String) -> RequestContext {
        let request = AdmittedRequest(
            header: RequestHeader(id: name, route: name),
            body: [],
            principal: Principal(uid: 0, pid: 0),
            envelope: [],
            deadlineBootMs: .max,
            receivedNs: 0,
            trace: .untold
        )
        return RequestContext(request, time: time)
    }

    /// The service's own step, with the events it led to.
    func step<Value: Sendable>(_ request: AdmittedRequest, _ work: @escaping OwnStep<State>.Change<Value>)
        throws
        -> (value: Value, events: [WireEvent])
    {
        try store.step(request, work)
    }

    /// What the service looks up by itself.
    func look<Value>(_ request: AdmittedRequest, _ work: OwnStep<State>.Look<Value>) throws -> Value {
        try store.look(request, work)
    }

    func apply(_ events: [WireEvent], _ subscription: Int) throws -> [WireEvent] {
        var jobs: [StoreJob] = [.apply(subscription: subscription, events)]
        // No event is ever under way here, so the end of the stream is reached.
        if definition.subscriptions[subscription].reached != nil {
            jobs.append(.reached(subscription: subscription))
        }
        let batch = store.run(jobs)
        if case .applyFailed(_, let problem) = batch.results.first { throw problem }
        return batch.events
    }

    func restart() throws {
        try store.close()
        store = try Self.open(definition, path, time)
    }

    func close() { try? store.close() }
}
