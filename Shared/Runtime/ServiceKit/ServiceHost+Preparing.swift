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
        let early = unasked.filter { $0.route == Asked.name }
        unasked.removeAll { $0.route == Asked.name }
        for question in early {
            askCompanion(question)
            surroundings.pulse.end()
        }
    }

    private func askCompanion(_ question: PreparationQuestion) {
        guard let answerer = answerers[question.route] else { return keep(question) }
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

    /// Sockets are open a little before the companion is there.
    ///
    /// What is asked meanwhile waits for it: an answer without would be one that nobody has given. How much can wait is
    /// limited where requests come in.
    private func keep(_ question: PreparationQuestion) {
        unasked.append(question)
        surroundings.pulse.begin()
        let leftMs = max(0, question.deadlineBootMs - Stopwatch.bootMilliseconds())
        surroundings.loop.thread.after(milliseconds: leftMs) { [weak self] in
            self?.assumeIsolated { $0.giveUp(question) }
        }
    }

    private func giveUp(_ question: PreparationQuestion) {
        guard let index = unasked.firstIndex(where: { $0.id == question.id }) else { return }
        unasked.remove(at: index)
        let problem = Problem(
            "unavailable",
            "Nobody answers \(question.route) in this process yet.",
            retryable: true
        )
        answered(question.id, .failure(problem))
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
