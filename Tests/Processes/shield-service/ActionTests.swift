import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension ShieldSuite {
    @Suite("Buttons of shields")
    struct ActionTests {
        @Test(
            "Each press on a shield is answered once by the app, and a deferred shield gets a new appearance"
        )
        func answered() async throws {
            try await ShieldWorld.run { world in
                try await world.install("a")
                try await world.shield("a")
                let shown = try await world.show()
                #expect(try await world.looks("a") == 1)
                let deferred = try await world.press(shown.shield, button: .secondary, press: 1)
                #expect(deferred.response == .defer, "\(deferred)")
                #expect(deferred.view?.look.title?.text == "app alone")
                // Never from the cache.
                #expect(try await world.looks("a") == 2)
                #expect(try await world.press(shown.shield, button: .secondary, press: 1) == deferred)
                #expect(world.actions("a").count == 1)
                #expect(try await world.press(shown.shield, button: .primary, press: 2).response == .close)
                let list = try await world.system.client.call(ShieldList.self, .init())
                #expect(list.counts.first?.shown == 1 && list.counts.first?.pressed == 2)
                #expect(list.shields.first?.response == .close)
                // Also after a restart of the service.
                try world.system.kill(.shield)
                try world.system.waitUntilReady()
                #expect(try await world.press(shown.shield, button: .primary, press: 2).response == .close)
                #expect(world.actions("a").count == 2)
            }
        }

        @Test("Ten simultaneous copies of a press count as one")
        func atOnce() async throws {
            try await ShieldWorld.run { world in
                try await world.install("a")
                try await world.shield("a")
                let shield = try await world.show().shield
                try await withThrowingTaskGroup(of: ShieldResponse.self) { group in
                    for _ in 0..<10 {
                        group.addTask { try await world.press(shield, button: .primary, press: 1).response }
                    }
                    for try await response in group { #expect(response == .close) }
                }
                #expect(world.actions("a").count == 1)
            }
        }

        @Test("A shield's action can change the app's stores, and the policy event names the shield")
        func sets() async throws {
            try await ShieldWorld.run { world in
                try await world.install("a", action: "sets")
                try await world.shield("a")
                let shown = try await world.show()
                #expect(try await world.press(shown.shield, button: .primary, press: 1).response == .none)
                #expect(try await world.show().decision.isShielded == false)
                let page = try await world.system.client.call(
                    EventsSince.self,
                    to: .shield,
                    .init(stream: StreamName.policy.rawValue)
                )
                let last = try page.events.last { $0.header.type == PolicyStoreChanged.type }
                    .map { try $0.decoded(PolicyStoreChanged.self) }
                #expect(last?.cause == shown.shield)
                #expect(last?.app == "a")
                try await eventually("the answer is in the log") {
                    let log = try await world.log("a")
                    if !log.contains(where: { $0.text.contains("\"ok\":true") }) { throw NotYet("\(log)") }
                }
            }
        }

        @Test(
            "An action that crashes, hangs or returns garbage closes the shield or leaves it, with the reason"
        )
        func misbehave() async throws {
            let cases = [
                ("crash", ["extension.crashed"]), ("hang", ["shield.too_late", "extension.timed_out"]),
                ("nonsense", ["extension.garbage"]), ("nothing", ["extension.garbage"]),
            ]
            for (how, codes) in cases {
                // Only the one that hangs is to be late.
                let limits = how == "hang" ? ["SCREENTIME_SHIELD_SERVICE_ACTION_MS": "1000"] : [:]
                try await ShieldWorld.run(environment: limits) { world in
                    let app = "a.\(how)"
                    try await world.install(app, action: how)
                    try await world.shield(app)
                    let shield = try await world.show().shield
                    let start = Stopwatch.milliseconds()
                    let first = try await world.press(shield, button: .primary, press: 1)
                    #expect(first.response == .close)
                    #expect(codes.contains(first.problem?.code ?? ""), "\(how): \(first)")
                    #expect(Stopwatch.milliseconds() - start < 15_000)
                    #expect(try await world.press(shield, button: .secondary, press: 2).response == .none)
                    try await world.clear(app)
                }
            }
        }
    }
}
