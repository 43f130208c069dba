import STBus
import STContracts
import STEngine
import STPlatform
import STStore

/// The core of one service with its own database and without a process, for any type of state.
protocol CoreServing: AnyObject {
    var name: ServiceName { get }
    var streams: [StreamName] { get }
    /// The streams that the service follows.
    var followed: [(source: ServiceName, stream: StreamName)] { get }

    /// Returns the next request to another service that is needed before this request can be answered. `prepared` contains the
    /// earlier replies.
    func prepare(_ request: inout AdmittedRequest) throws
        -> (source: PreparationSource, route: String, body: [UInt8])?

    /// Returns the reply to a request and the resulting events. Throws if the service rejects the request.
    func answer(_ request: AdmittedRequest) throws -> (body: [UInt8], events: [WireEvent])

    /// Applies events of a followed stream and returns the resulting events.
    func apply(_ events: [WireEvent], _ subscription: Int) throws -> [WireEvent]

    /// Restarts the service as after a power cut. Only the content of its database is kept.
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

    /// "STSi", which distinguishes the simulator's files from those of other programs.
    private static var applicationID: Int32 { 0x5354_5369 }

    init(_ definition: ServiceDefinition<State>, folder: String, time: any TimeSource) throws {
        self.definition = definition
        self.time = time
        followed = definition.subscriptions.map { ($0.source, $0.stream) }
        path = "\(folder)/\(definition.name).sqlite"
        routes = Dictionary(definition.routes.map { ($0.info.name, $0) }) { first, _ in first }
        store = try Self.open(definition, path: path, time: time)
    }

    private static func open(
        _ definition: ServiceDefinition<State>,
        path: String,
        time: any TimeSource
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

    func prepare(_ request: inout AdmittedRequest) throws
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
        case .applied, .reached, .stepped, .recorded, nil:
            throw Problem(
                "internal",
                "The request \(request.header.route, "route") received no reply.",
                key: "internal.was-not-answered"
            )
        }
    }

    var state: State { store.state }

    /// Returns a context with the current time, zone and boot.
    func context(named name: String) -> RequestContext {
        let request = AdmittedRequest(
            header: RequestHeader(id: name, route: name),
            body: [],
            principal: Principal(uid: 0, pid: 0),
            envelope: [],
            deadlineBootMs: .max,
            receivedNs: 0,
            trace: .empty
        )
        return RequestContext(request, time: time)
    }

    /// Performs the service's own step. Returns the result and the resulting events.
    func step<Value: Sendable>(
        _ request: AdmittedRequest,
        _ work: @escaping InternalStep<State>.Change<Value>
    )
        throws
        -> (value: Value, events: [WireEvent])
    {
        try store.step(request, work)
    }

    /// Performs a read that the service starts itself, and returns its result.
    func read<Value>(_ request: AdmittedRequest, _ work: InternalStep<State>.ReadWork<Value>) throws -> Value
    {
        try store.read(request, work)
    }

    func apply(_ events: [WireEvent], _ subscription: Int) throws -> [WireEvent] {
        var jobs: [StoreJob] = [.apply(subscription: subscription, events)]
        // Events are applied synchronously, so the end of the stream is always reached.
        if definition.subscriptions[subscription].didCatchUp != nil {
            jobs.append(.reached(subscription: subscription))
        }
        let batch = store.run(jobs)
        if case .applyFailed(_, let problem) = batch.results.first { throw problem }
        return batch.events
    }

    func restart() throws {
        try store.close()
        store = try Self.open(definition, path: path, time: time)
    }

    func close() { try? store.close() }
}
