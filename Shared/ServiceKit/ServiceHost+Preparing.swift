import STBus
package import STContracts
package import STEngine
import STPlatform
import STZeroMQ

/// Asking another service what a request needs to know.
extension ServiceHost {
    func prepare(_ question: PreparationQuestion) {
        switch question.source {
        case .service(let service): ask(service, question)
        case .companion: askCompanion(question)
        }
    }

    private func ask(_ service: ServiceName, _ question: PreparationQuestion) {
        do {
            let port = try client(of: service)
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

    /// What the companion takes upon itself: it answers in a time of its own, which should be short.
    package func answer<Asked: Route>(
        _ route: Asked.Type,
        with answer: @escaping @Sendable (Asked.Request, PreparationQuestion) async throws -> Asked.Reply
    ) {
        answerers[Asked.name] = { question in
            try await answer(Asked.Request.decodedBody(question.body), question).encodedBody()
        }
        for question in early.values.filter({ $0.route == Asked.name }).sorted(by: { $0.id < $1.id }) {
            early[question.id] = nil
            askCompanion(question)
        }
    }

    private func askCompanion(_ question: PreparationQuestion) {
        guard let answerer = answerers[question.route] else { return keepEarly(question) }
        // Nothing on the bus shows this work, so a virtual clock is told of it.
        surroundings.pulse.begin()
        let thread = surroundings.loop.thread
        Task(executorPreference: thread, priority: .medium) {
            let answer: Result<[UInt8], Problem>
            do {
                answer = .success(try await answerer(question))
            } catch {
                answer = .failure((error as? Problem) ?? Problem("internal", "\(error)"))
            }
            thread.post { self.assumeIsolated { $0.answered(question.id, answer) } }
        }
    }

    /// A service answers before its companion has begun, which takes a moment; more than that, and it never will.
    private func keepEarly(_ question: PreparationQuestion) {
        guard early.count < Self.earlyMax else { return failEarly(question.id) }
        early[question.id] = question
        surroundings.loop.thread.after(milliseconds: Self.earlyMs) { [weak self] in
            self?.assumeIsolated { host in
                if host.early.removeValue(forKey: question.id) != nil { host.failEarly(question.id) }
            }
        }
    }

    private static var earlyMax: Int { 100 }
    private static var earlyMs: Int64 { 1_000 }

    private func failEarly(_ id: UInt64) {
        let problem = Problem("unavailable", "The companion of this service is not there.", retryable: true)
        perform(engine?.prepared(id, .failure(problem)) ?? [])
    }

    private func answered(_ id: UInt64, _ answer: Result<[UInt8], Problem>) {
        perform(engine?.prepared(id, answer) ?? [])
        surroundings.pulse.end()
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
