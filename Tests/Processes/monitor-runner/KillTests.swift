import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension MonitorSuite {
    @Suite("Kills of monitor-runner and extensions")
    struct KillTests {
        private static let apps = 4
        private static let rounds = 20

        @Test("Killing monitor-runner and extensions loses no callback and repeats no effect in a service")
        func kills() async throws {
            try await MonitorWorld.run { world in
                for app in 0..<Self.apps { try await world.allow("app-\(app)", try world.program()) }
                var random = SeededRandom(seed: 20)
                for round in 0..<Self.rounds {
                    // Some crash by themselves once, so that retries are in progress too.
                    let activity = round % 4 == 3 ? "crash-once" : "set"
                    let before = world.notes.count
                    try await world.happen((0..<Self.apps).map { ("app-\($0)", activity) })
                    // Mostly during a callback: extensions that set something write a note first.
                    if activity == "set" {
                        try? await eventually(within: .seconds(5)) {
                            if world.notes.count == before { throw NotYet("no callback") }
                        }
                    }
                    try await Task.sleep(for: .milliseconds(random.number(0...6)))
                    if round % 2 == 0 {
                        // It may still be starting after the last kill.
                        try? world.system.kill(.monitor)
                    } else {
                        Self.killExtensions(world, random.next())
                    }
                }
                let count = Self.apps * Self.rounds
                let all = try await world.finished(count, within: .seconds(120))

                #expect(all.count == count)
                #expect(all.allSatisfy { $0.state == .done }, "\(all.filter { $0.state != .done })")
                // Otherwise the test has tested nothing.
                #expect(all.count { $0.activity == "set" && $0.attempt > 1 } >= 5)
                try await Self.checkEffects(world, all)
                Self.checkNotes(world, all)
            }
        }

        /// Kills one extension at any moment of its work.
        private static func killExtensions(_ world: MonitorWorld, _ lot: UInt64) {
            let prefix = world.endpoints
            let pids = ProcessTable.processes(with: ExtensionEnvironment.host, prefix: prefix).sorted()
            if !pids.isEmpty { kill(pids[Int(lot % UInt64(pids.count))], SIGKILL) }
        }

        /// Every `settings.set` increments its store's version, so the version must equal the number of deliveries.
        private static func checkEffects(_ world: MonitorWorld, _ all: [DeliveryView]) async throws {
            for app in 0..<apps {
                let store = try await world.system.client.call(
                    SettingsGet.self,
                    .init(app: "app-\(app)", member: MonitorWorld.member, store: "main")
                )
                let sets = all.filter { $0.app == "app-\(app)" && $0.activity == "set" }
                #expect(store.version == Int64(sets.count))
                let last: JSONValue = [["id": .string(sets.last?.id ?? "")]]
                #expect(store.settings["shield.applications"] == last)
            }
        }

        /// Checks that the app's own file contains every call at least once, in order, with increasing attempts.
        private static func checkNotes(_ world: MonitorWorld, _ all: [DeliveryView]) {
            let notes = world.notes
            for app in 0..<apps {
                let ids = all.filter { $0.app == "app-\(app)" && $0.activity == "set" }.map(\.id)
                let own = notes.filter { $0.count == 2 && ids.contains(String($0[0])) }
                var order: [String] = []
                var attempts: [String: Int64] = [:]
                for note in own {
                    let id = String(note[0])
                    if order.last != id { order.append(id) }
                    let attempt = Int64(note[1]) ?? 0
                    #expect(attempt > attempts[id] ?? 0)
                    attempts[id] = attempt
                }
                #expect(order == ids)
            }
        }

        @Test("Killing monitor-runner ends its extensions, even one that hangs, and the callback is repeated")
        func tether() async throws {
            try await MonitorWorld.run { world in
                try await world.allow("hangs", try world.program())
                try await world.happen([("hangs", "hang")])
                let prefix = world.endpoints
                let first = try await eventually {
                    let pids = ProcessTable.processes(with: ExtensionEnvironment.host, prefix: prefix)
                    guard let pid = pids.first else { throw NotYet("not started") }
                    return pid
                }
                try world.system.kill(.monitor)
                try await eventually { if kill(first, 0) == 0 { throw NotYet("\(first) is there") } }

                // The next monitor-runner calls it again.
                try await eventually {
                    let view = try await world.deliveries().first
                    guard view?.attempt == 2, view?.state == .running else {
                        throw NotYet("\(String(describing: view))")
                    }
                }
                let pids = ProcessTable.processes(with: ExtensionEnvironment.host, prefix: prefix)
                #expect(pids.count == 1 && pids != [first], "\(pids) after \(first)")
            }
        }

        @Test(
            "Stopping monitor-runner interrupts the current callback, which is repeated after the next start"
        )
        func restart() async throws {
            try await MonitorWorld.run { world in
                try await world.allow("hangs", try world.program())
                try await world.happen([("hangs", "hang")])
                try await eventually {
                    if try await world.deliveries().first?.state != .running { throw NotYet("not running") }
                }
                let exit = try world.system.stop(.monitor)
                #expect(exit == .exited(0))
                try world.system.start(.monitor)
                try await eventually {
                    let view = try await world.deliveries().first
                    guard view?.attempt == 2, view?.state == .running else {
                        throw NotYet("\(String(describing: view))")
                    }
                }
            }
        }
    }
}
