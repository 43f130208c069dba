import STBus
import STContracts
import STEngine
import STPlatform
import STStore
import STTestSupport

/// The faults of one run, all drawn from the seed in advance.
extension World {
    private enum Trouble: CaseIterable {
        case crash, crashBeforeCommit, crashAfterCommit, diskFull, cut, silence, slowness, stall, clock, whim
        case backup, restore, reset, trim
    }

    func planFaults() {
        for _ in 0..<random.number(0...12) {
            let trouble = Trouble.allCases[random.number(0...(Trouble.allCases.count - 1))]
            let service = services[random.number(0...2)]
            let link = links[random.number(0...3)]
            plan(inMs: random.number(500...(Self.troubleMs - 4_000))) { [unowned self] in
                cause(trouble, service: service, link: link)
            }
        }
        // A backup is tested only when it is restored.
        if random.chance(perMille: 200) {
            let service = services[random.number(0...1)]
            plan(inMs: random.number(2_000...8_000)) { [unowned self] in backUp(service) }
            plan(inMs: random.number(8_001...16_000)) { [unowned self] in restore(service) }
        }
    }

    /// Ends all faults.
    func calm() {
        note("the trouble is over")
        faults.stop()
        whim.set(every: nil)
        for link in links { link.heal() }
        for service in services {
            service.disk.disarm()
            _ = service.trap.take()
        }
        for link in links where !link.isConnected { planConnect(link) }
    }

    private func cause(_ trouble: Trouble, service: SimService, link: SimLink) {
        let forMs: Int64 = random.number(100...4_000)
        switch trouble {
        case .crash: crash(service)
        case .crashBeforeCommit: setTrap(service, .beforeCommit)
        case .crashAfterCommit: setTrap(service, .afterCommit)
        case .diskFull:
            note("the disk of \(service.name) is full for \(forMs)")
            service.disk.fill(after: random.number(1...4))
            plan(inMs: forMs) { service.disk.disarm() }
        case .cut:
            link.cutUntilMs = nowMs + forMs
            disconnect(link)
        case .silence:
            note("\(link.caller) hears nothing of \(link.server) for \(forMs)")
            link.silentUntilMs = nowMs + forMs
        case .slowness:
            note("\(link.caller) is slow for \(forMs)")
            link.slowUntilMs = nowMs + forMs
        case .stall: stall(service)
        case .clock: time.stepWall(byMs: random.number(-3_600_000...3_600_000))
        case .whim:
            note("handlers fail for \(forMs)")
            whim.set(every: random.number(2...5))
            plan(inMs: forMs) { [unowned self] in whim.set(every: nil) }
        case .backup: backUp(service)
        case .restore: restore(service)
        case .reset:
            service.wasReset = true
            whileStopped(service) { try EventLog($0).reset($1) }
        case .trim:
            service.wasTrimmed = true
            whileStopped(service) { _ = try EventLog($0).trim($1, keep: 2) }
        }
    }

    private func setTrap(_ service: SimService, _ point: FaultPoints.Point) {
        guard service.isRunning else { return }
        service.trap.arm(point, source: service.path, copy: service.nextPath)
    }

    private func stall(_ service: SimService) {
        for index in service.definition.subscriptions.indices {
            guard let engine = service.engine else { return }
            perform(engine.follow(index, .stalled, now: now), of: service)
        }
    }

    private func backUp(_ service: SimService) {
        guard let database = service.database, service.backup == nil else { return }
        let file = folder.file("\(service.name).backup")
        guard (try? database.backup(to: file)) != nil else { return }
        note("\(service.name) is backed up")
        service.backup = file
    }

    private func restore(_ service: SimService) {
        guard service.isRunning, let file = service.backup else { return }
        crash(service)
        note("the backup of \(service.name) is put back")
        let before = items(service)
        service.replace(by: file)
        let after = items(service)
        // Restoring a backup loses everything acknowledged after it.
        checks.lost.formUnion(before.subtracting(after))
    }

    private func items(_ service: SimService) -> Set<Int64> {
        guard service === services[0], let database = try? service.open() else { return [] }
        return Set((try? database.query("SELECT n FROM items") { try $0.int(0) }) ?? [])
    }

    private func whileStopped(_ service: SimService, _ change: (Database, String) throws -> Void) {
        guard service.isRunning, let stream = service.definition.streams.first?.rawValue else { return }
        crash(service)
        guard let database = try? service.open() else { return }
        let done: Void? = try? database.transaction { try change(database, stream) }
        note("the log of \(service.name) is \(done == nil ? "left alone" : "changed")")
    }
}

/// The frequency of faults in a run, drawn from its seed. Some runs have few faults, so that each fault also occurs without others.
struct SimFaults {
    var lostPerMille: Int64
    var doubledPerMille: Int64
    var latePerMille: Int64
    var isTroubled = true

    init(_ random: inout SeededRandom) {
        lostPerMille = [0, 20, 100, 300][random.number(0...3)]
        doubledPerMille = [0, 50, 200][random.number(0...2)]
        latePerMille = [0, 100, 400][random.number(0...2)]
    }

    /// The delay of one message; a long one lets later messages overtake it.
    func delayMs(_ random: inout SeededRandom) -> Int64 {
        guard isTroubled, random.chance(perMille: latePerMille) else { return random.number(1...3) }
        return random.chance(perMille: 100) ? random.number(500...3_000) : random.number(5...150)
    }

    mutating func stop() {
        isTroubled = false
        lostPerMille = 0
        doubledPerMille = 0
    }
}
