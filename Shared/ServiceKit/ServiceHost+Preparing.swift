import STBus
import STContracts
import STEngine
import STPlatform
import STZeroMQ

/// Asking another service what a request needs to know.
extension ServiceHost {
    func prepare(_ question: PreparationQuestion) {
        do {
            let port = try client(of: question.service)
            let id = Identifier.make(wallMs: surroundings.time.now().wallMs)
            let header = RequestHeader(
                id: id,
                route: question.route,
                deadlineBootMs: question.deadlineBootMs,
                traceparent: question.trace.traceparent,
                cause: question.cause
            )
            port.start(
                id: id,
                route: question.route,
                frames: [header.encoded(), question.body],
                deadlineMs: question.deadlineBootMs
            ) { [unowned self] outcome in
                assumeIsolated { $0.heard(outcome, for: question.id) }
            }
        } catch {
            let problem = (error as? Problem) ?? Problem("internal", "\(error)")
            perform(engine?.prepared(question.id, .failure(problem)) ?? [])
        }
    }

    private func heard(_ outcome: CallTable.Outcome, for id: UInt64) {
        switch outcome {
        case .reply(let body, _): perform(engine?.prepared(id, .success(body)) ?? [])
        case .failed(let problem): perform(engine?.prepared(id, .failure(problem)) ?? [])
        }
    }

    func client(of service: ServiceName) throws -> ClientPort {
        if let port = clients[service] { return port }
        let endpoint = try surroundings.directories.endpoint(service: service.rawValue, .rpc)
        let port = try ClientPort(surroundings.loop, service: service, endpoint: endpoint)
        clients[service] = port
        return port
    }
}
