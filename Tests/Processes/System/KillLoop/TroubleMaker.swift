import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Synchronization

/// Kills, stops and restarts services at random, on its own thread.
final class TroubleMaker: Sendable {
    struct Figures {
        var kills = 0
        var stops = 0
        var restarts = 0
        /// Number of databases removed while open, and the longest time until a service continued with a saved one.
        var damages = 0
        var savedWithinMs: Int64 = 0
        /// Damages that were not noticed.
        var unnoticed: [String] = []
        /// The counts of report-service, without those after the last check before a kill.
        var gaps: Int64 = 0
        var duplicates: Int64 = 0
    }

    private let system: TestSystem
    private let targets: [ServiceName]
    private let pauseMs: ClosedRange<Int>
    private let damages: Bool
    private let figures = Mutex(Figures())
    private let isOver = Mutex(false)
    private let bell: WakeDescriptor
    private let thread: LoopThread

    /// If `damages` is true, removes databases instead of killing services.
    init(
        _ system: TestSystem,
        _ targets: [ServiceName],
        pauseMs: ClosedRange<Int> = 50...350,
        damages: Bool = false,
        seed: UInt64
    ) throws {
        self.system = system
        self.targets = targets
        self.pauseMs = pauseMs
        self.damages = damages
        bell = try WakeDescriptor()
        thread = try LoopThread(name: "trouble")
        thread.post { [self] in
            var random = SeededRandom(seed: seed)
            while !isOver.withLock({ $0 }) {
                _ = bell.wait(withinMs: Int64(random.number(pauseMs)))
                act(&random)
            }
        }
    }

    /// Ends the trouble, with every process running.
    func end() throws -> Figures {
        isOver.withLock { $0 = true }
        bell.signal()
        thread.stop()
        thread.join()
        try system.waitUntilReady()
        look()
        return figures.withLock { $0 }
    }

    private func act(_ random: inout SeededRandom) {
        guard let target = random.pick(targets) else { return }
        if damages { return damage(target, &random) }
        let chance = random.number(1...100)
        if chance <= 45 {
            kill(target)
        } else if chance <= 80 {
            pause(target, &random)
        } else if (try? system.restart(target)) != nil {
            figures.withLock { $0.restarts += 1 }
        }
    }

    private func kill(_ target: ServiceName) {
        if target == .report { look() }
        // A service that is just restarting has no process to kill.
        if (try? system.kill(target)) != nil { figures.withLock { $0.kills += 1 } }
    }

    private enum Damage: String, CaseIterable {
        case removed, logRemoved, renamed, replaced, folderRemoved, folderRenamed
    }

    private func damage(_ target: ServiceName, _ random: inout SeededRandom) {
        guard (try? system.waitUntilReady()) != nil, let before = try? system.pid(target),
            let damage = random.pick(Damage.allCases)
        else { return }
        let path = system.database(target)
        let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
        let number = figures.withLock { figures in
            figures.damages += 1
            return figures.damages
        }
        let startMs = Stopwatch.milliseconds()
        switch damage {
        case .removed: unlink(path)
        case .logRemoved: unlink(path + "-wal")
        case .renamed: rename(path, "\(path).away-\(number)")
        case .replaced: try? AtomicFile.write(Array("something else".utf8), to: path)
        case .folderRemoved: try? DirectoryTree.remove(folder)
        case .folderRenamed: rename(folder, "\(folder).away-\(number)")
        }
        let noticed: Void? = try? eventuallyBlocking(within: .seconds(20), "\(target) has noticed it") {
            guard let now = try? system.pid(target), now != before else { throw NotYet("\(damage)") }
        }
        let tookMs = Stopwatch.milliseconds() - startMs
        figures.withLock { figures in
            figures.savedWithinMs = max(figures.savedWithinMs, tookMs)
            if noticed == nil { figures.unnoticed.append("\(damage) of \(target)") }
        }
    }

    private func pause(_ target: ServiceName, _ random: inout SeededRandom) {
        guard (try? system.pause(target)) != nil else { return }
        figures.withLock { $0.stops += 1 }
        // Other services die while this one is stopped.
        if random.chance(percent: 50), let other = random.pick(targets.filter({ $0 != target })) {
            kill(other)
        }
        _ = bell.wait(withinMs: Int64(random.number(20...700)))
        // Its supervisor may have ended it in the meantime.
        _ = try? system.resume(target)
    }

    /// Adds what report-service has counted since it started.
    private func look() {
        guard let path = try? system.endpoint(.report),
            let peer = try? RawPeer(.dealer, path, queuesWithoutPeer: false)
        else { return }
        defer { peer.close() }
        guard let reply = try? peer.ask(HealthReport.name, withinMs: 300),
            let report = try? HealthReport.Reply.decodedBody(reply.body)
        else { return }
        figures.withLock { figures in
            figures.gaps += report.counters["gaps"] ?? 0
            figures.duplicates += report.counters["duplicates"] ?? 0
        }
    }
}
