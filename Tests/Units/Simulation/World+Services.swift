import STBus
import STContracts
import STEngine
import STPlatform
import STTestSupport

/// Processes: what they want done, their database's turns, their starts and deaths.
extension World {
    func start(_ service: SimService) {
        do {
            try service.start(time)
        } catch {
            // Such as a full disk: the supervisor tries again.
            note("\(service.name) cannot start: \((error as? Problem)?.code ?? "?")")
            plan(inMs: 200) { [unowned self] in start(service) }
            return
        }
        note("\(service.name) starts")
        if let problem = logViolation(service) { violation = violation ?? problem }
        for link in links where link.caller == service.name || link.server == service.name {
            planConnect(link)
        }
    }

    func crash(_ service: SimService, hasImage: Bool = false) {
        guard service.isRunning else { return }
        note("\(service.name) dies")
        service.crash(hasImage: hasImage)
        for link in links {
            if link.caller == service.name { link.forget() }
            if link.server == service.name { disconnect(link) }
        }
        plan(inMs: random.number(50...2_000)) { [unowned self] in start(service) }
    }

    func perform(_ effects: [ServiceEffect<SimState>], of service: SimService) {
        for effect in effects {
            switch effect {
            case .reply(let peer, let frames): reply(peer, frames, from: service)
            case .store(let job):
                service.jobs.append(job)
                planTurn(service)
            case .settle(let step, let problem): step.settle(problem)
            case .publish(let topic, let header, let body): publish(topic, header, body, from: service)
            case .fetch(let index, let after): fetch(index, after, for: service)
            case .fetchSnapshot(let index, let next): fetchSnapshot(index, next, for: service)
            case .prepare(let question):
                // No service of this world needs another one's word; whoever asks is told so.
                let problem = Problem("unavailable", "Nobody answers \(question.route) here.")
                perform(service.engine?.prepared(question.id, .failure(problem)) ?? [], of: service)
            case .warn(let name, let problem): note("\(service.name) warns: \(name) \(problem.code)")
            }
        }
    }

    private func planTurn(_ service: SimService) {
        guard !service.isTurnPlanned else { return }
        service.isTurnPlanned = true
        let life = service.life
        plan(inMs: random.number(0...4)) { [unowned self] in
            if service.life == life { turn(service) }
        }
    }

    private func turn(_ service: SimService) {
        guard let store = service.store else { return }
        let jobs = service.jobs
        service.jobs = []
        service.isTurnPlanned = false
        // Also when it is undone: then the rebuild begins again and ends no earlier.
        for case .applySnapshot(let index, _, _, .some(let end)) in jobs {
            service.snapshotEnds[index] = end.sequence
        }
        let batch = store.run(jobs)
        checks.committed(service)
        if let problem = stateViolation(service) { violation = violation ?? problem }
        if service.trap.take() {
            note("\(service.name) dies at its commit")
            return crash(service, hasImage: true)
        }
        let life = service.life
        // Turns come back in their order, however long each takes.
        service.batchAtMs = max(service.batchAtMs, nowMs + random.number(0...3))
        agenda.plan(atMs: service.batchAtMs) { [unowned self] in
            guard service.life == life, let engine = service.engine else { return }
            perform(engine.finished(batch, nowMs: nowMs), of: service)
        }
    }

    // MARK: - Reading what was missed

    private func fetch(_ index: Int, _ after: StreamPoint?, for service: SimService) {
        let stream = service.definition.subscriptions[index].stream.rawValue
        let request = EventsSince.Request(
            stream: stream,
            epoch: after?.epoch,
            sequence: after?.sequence,
            id: after?.id,
            limit: pageRows
        )
        ask(EventsSince.name, try? request.encodedBody(), index, for: service)
    }

    private func fetchSnapshot(_ index: Int, _ next: String?, for service: SimService) {
        let stream = service.definition.subscriptions[index].stream.rawValue
        let request = EventsSnapshot.Request(stream: stream, next: next, limit: pageRows)
        ask(EventsSnapshot.name, try? request.encodedBody(), index, for: service)
    }

    private func ask(_ route: String, _ body: [UInt8]?, _ index: Int, for service: SimService) {
        let source = service.definition.subscriptions[index].source
        guard let body, let link = links.first(where: { $0.caller == service.name && $0.server == source })
        else {
            violation = violation ?? "there is no way from \(service.name) to \(source)"
            return
        }
        checks.asked += 1
        let life = service.life
        call(
            link,
            id: "\(service.name)-\(checks.asked)",
            route: route,
            body: body,
            key: nil,
            timeoutMs: 5_000
        ) {
            [unowned self] outcome in
            guard service.life == life, let engine = service.engine else { return }
            perform(engine.follow(index, input(outcome), nowMs: nowMs), of: service)
        }
    }

    private func input(_ outcome: CallTable.Outcome) -> FollowerMachine.Input {
        switch outcome {
        case .reply(let body, _):
            guard let page = try? EventPage.decodedBody(body) else {
                return .pageFailed(Problem("reply.invalid", "The page could not be read."))
            }
            return .page(page)
        case .failed(let problem): return .pageFailed(problem)
        }
    }
}
