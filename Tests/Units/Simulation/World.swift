import STBus
import STContracts
import STEngine
import STPlatform
import STTestSupport

/// Three services, a client and the network between them, driven by one seed through virtual time.
final class World {
    /// Faults are sown until here; afterwards everything must come right before the second limit.
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

    /// Runs to the end; nil, or what went wrong.
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

    private var isDone: Bool { nowMs > Self.troubleMs && steps % 8 == 0 && hasConverged }

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
            guard let atMs = service.engine?.nextMs, atMs < next?.atMs ?? .max else { continue }
            next = (
                atMs, { [unowned self] in perform(service.engine?.tick(nowMs: nowMs) ?? [], of: service) }
            )
        }
        for link in links {
            guard let atMs = link.calls.nextMs, atMs < next?.atMs ?? .max else { continue }
            next = (atMs, { [unowned self] in perform(link.calls.tick(nowMs: nowMs), on: link) })
        }
        return next
    }
}
