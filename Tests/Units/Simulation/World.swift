import STBus
import STContracts
import STEngine
import STPlatform
import STTestSupport

/// Three services, a client and the network between them, driven by one seed through virtual time.
final class World {
    /// Faults happen until this time. Afterwards, everything must recover before the second limit.
    static let troubleMs: Int64 = 20_000
    static let endMs: Int64 = troubleMs + 60_000

    let seed: UInt64
    let time = SimulatedTimeSource(wallMs: 1_790_000_000_000, bootMs: 0)
    let folder: ScratchDirectory
    let whim = Whim()
    let services: [SimService]
    let links: [SimLink]
    let pageRows: Int64
    var random: SeededRandom
    var faults: SimFaults
    var agenda = Agenda()
    var journal = Journal()
    var client: SimClient
    var checks = SimChecks()
    var violation: String?
    private(set) var nowMs: Int64 = 0
    var now: BootTime { BootTime(ms: nowMs) }
    private(set) var steps = 0

    init(seed: UInt64) throws {
        self.seed = seed
        random = SeededRandom(seed: seed)
        faults = SimFaults(&random)
        pageRows = random.number(1...8)
        let folder = try ScratchDirectory(inMemory: true)
        self.folder = folder
        services = try SimDefinitions.all(whim).map { try SimService($0, folder) }
        let alpha = SimDefinitions.alpha
        links = [
            SimLink(SimClient.name, alpha), SimLink(SimDefinitions.beta, alpha),
            SimLink(SimDefinitions.gamma, alpha), SimLink(SimDefinitions.gamma, SimDefinitions.beta),
        ]
        client = SimClient()
    }

    /// Runs to the end. Returns nil or the violation.
    func run() -> String? {
        for service in services { start(service) }
        connect(links[0])
        planRequests()
        planFaults()
        plan(inMs: Self.troubleMs) { [unowned self] in calm() }
        while violation == nil, !isDone, step() {}
        if violation == nil, isDone { violation = finalViolation() }
        agenda.clear()
        return violation
    }

    func plan(inMs ms: Int64, _ action: @escaping () -> Void) { agenda.plan(atMs: nowMs + ms, action) }

    func note(_ line: String) { journal.note("\(nowMs) \(line)") }

    func service(_ name: ServiceName) -> SimService? { services.first { $0.name == name } }

    /// Checked at intervals during the faults, and at each step afterwards.
    private var isDone: Bool {
        nowMs > Self.troubleMs && (steps % 8 == 0 || nowMs > Self.troubleMs + 5_000) && hasConverged
    }

    private func step() -> Bool {
        steps += 1
        guard steps < 200_000 else { return fail("it never comes to rest") }
        let timer = nextTimer()
        let moment = min(timer?.atMs ?? .max, agenda.nextMs ?? .max)
        guard moment <= Self.endMs else { return fail("it has not come right in time: \(progress)") }
        if moment > nowMs {
            time.advance(byMs: moment - nowMs)
            nowMs = moment
        }
        if let timer, timer.atMs <= (agenda.nextMs ?? .max) { timer.fire() } else { agenda.takeFirst()?() }
        if let problem = stepViolation() { return fail(problem) }
        return true
    }

    private func fail(_ problem: String) -> Bool {
        violation = violation ?? problem
        return false
    }

    private func nextTimer() -> (atMs: Int64, fire: () -> Void)? {
        var next: (atMs: Int64, fire: () -> Void)?
        for service in services {
            guard let atMs = service.engine?.next?.ms, atMs < next?.atMs ?? .max else { continue }
            next = (
                atMs, { [unowned self] in perform(service.engine?.tick(now: now) ?? [], of: service) }
            )
        }
        for link in links {
            guard let atMs = link.calls.next?.ms, atMs < next?.atMs ?? .max else { continue }
            next = (atMs, { [unowned self] in perform(link.calls.tick(now: now), on: link) })
        }
        return next
    }

    // MARK: - Processes: requested work, database turns, starts and deaths

    func start(_ service: SimService) {
        do {
            try service.start(time)
        } catch {
            // For example a full disk. The supervisor tries again.
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

    func perform(_ effects: [ServiceEffect], of service: SimService) {
        for effect in effects {
            switch effect {
            case .reply(let peer, let frames): reply(peer, frames, from: service)
            case .store(let job):
                service.jobs.append(job)
                planTurn(service)
            case .settle(let step, let problem): step.complete(problem)
            case .publish(let topic, let header, let body):
                publish(topic, header: header, body: body, from: service)
            case .fetch(let index, let after): fetch(index, after, for: service)
            case .fetchSnapshot(let index, let next): fetchSnapshot(index, next, for: service)
            case .prepare(let question):
                // No service of this world needs another service's reply, so such a request fails.
                let problem = Problem(
                    "unavailable",
                    verbatim: "No service answers \(question.route) here.",
                    retryable: true
                )
                perform(
                    service.engine?.preparationDidFinish(question.id, .failure(problem)) ?? [],
                    of: service
                )
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
        // Also if it is rolled back, because the rebuild then starts again and ends no earlier.
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
        // Turns return in order, however long each takes.
        service.batchAtMs = max(service.batchAtMs, nowMs + random.number(0...3))
        agenda.plan(atMs: service.batchAtMs) { [unowned self] in
            guard service.life == life, let engine = service.engine else { return }
            perform(engine.batchDidFinish(batch, now: now), of: service)
        }
    }

    // MARK: - Missed events

    private func fetch(_ index: Int, _ after: StreamPoint?, for service: SimService) {
        let stream = service.definition.subscriptions[index].stream.rawValue
        let request = EventsSince.Request(
            stream: stream,
            epoch: after?.epoch,
            sequence: after?.sequence,
            id: after?.id,
            limit: pageRows
        )
        ask(EventsSince.name, body: try? request.encodedBody(), index: index, for: service)
    }

    private func fetchSnapshot(_ index: Int, _ next: String?, for service: SimService) {
        let stream = service.definition.subscriptions[index].stream.rawValue
        let request = EventsSnapshot.Request(stream: stream, next: next, limit: pageRows)
        ask(EventsSnapshot.name, body: try? request.encodedBody(), index: index, for: service)
    }

    private func ask(_ route: String, body: [UInt8]?, index: Int, for service: SimService) {
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
            perform(engine.follow(index, input(outcome), now: now), of: service)
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

    // MARK: - Client with retries

    // Each numbered request is repeated under its key until it has a final reply.

    private static let requests: Int64 = 36

    func planRequests() {
        // Most requests come in bursts, so that some occur while connections are made.
        let bursts = (0..<5).map { _ in random.number(0...(Self.troubleMs - 4_000)) }
        for n in 1...Self.requests {
            client.open.insert(n)
            let isAlone = random.chance(perMille: 400)
            let atMs =
                isAlone
                ? random.number(0...(Self.troubleMs - 2_000)) : bursts[Int(n) % 5] + random.number(0...400)
            let subject = random.chance(perMille: 700) ? "own-\(n)" : "shared-\(random.number(1...4))"
            plan(inMs: atMs) { [unowned self] in
                put(Item(n: n, subject: subject))
            }
        }
    }

    private func put(_ item: Item) {
        guard let body = try? item.encodedBody() else { return }
        client.attempts += 1
        call(
            links[0],
            id: "put-\(item.n)-\(client.attempts)",
            route: ItemPut.name,
            body: body,
            key: "item-\(item.n)",
            timeoutMs: random.number(300...4_000)
        ) { [unowned self] outcome in answered(item, outcome) }
    }

    private func answered(_ item: Item, _ outcome: CallTable.Outcome) {
        switch outcome {
        case .reply(let body, _):
            guard let reply = try? ItemPut.Reply.decodedBody(body), reply.n == item.n else {
                violation = violation ?? "item \(item.n) got the answer to another request"
                return
            }
            note("item \(item.n) is acknowledged")
            client.acknowledged.insert(item.n)
            client.open.remove(item.n)
        case .failed(let problem) where problem.retryable:
            note("item \(item.n) is tried again: \(problem.code)")
            plan(inMs: random.number(50...500)) { [unowned self] in put(item) }
        case .failed(let problem):
            note("item \(item.n) is refused: \(problem.code)")
            if problem.code != "sim.refused" {
                violation = violation ?? "item \(item.n) was refused: \(problem)"
            }
            client.refused.insert(item.n)
            client.open.remove(item.n)
        }
    }
}

/// The client's record of its requests.
struct SimClient {
    static let name = ServiceName("client")

    var open: Set<Int64> = []
    var acknowledged: Set<Int64> = []
    var refused: Set<Int64> = []
    var attempts = 0
}

/// The messages of one run: the newest, to explain a failure, and a sum over all, to compare two runs.
struct Journal {
    private static let kept = 50

    /// Keeps every message, to examine one seed.
    var keepsAll = false
    private var fingerprint = Fingerprint()
    private(set) var count = 0
    private var newest: [String] = []
    private var names: [String: String] = [:]

    var sum: UInt64 { fingerprint.value }

    mutating func note(_ line: String) {
        count += 1
        fingerprint.add(line)
        newest.append(line)
        if newest.count >= 2 * Self.kept, !keepsAll { newest.removeFirst(Self.kept) }
    }

    /// Epochs and ids are random, so a run replaces them with numbers in the order of their appearance.
    mutating func alias(_ text: String) -> String {
        if let known = names[text] { return known }
        let name = "#\(names.count + 1)"
        names[text] = name
        return name
    }

    var tail: String { newest.suffix(keepsAll ? newest.count : Self.kept).joined(separator: "\n") }
}

/// A seed that breaks something, with the violation and the newest messages.
struct SimFailure: Sendable, Equatable {
    var seed: UInt64
    var text: String
}
