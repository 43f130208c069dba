import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension ShieldSuite {
    @Suite("Appearances of shields")
    struct LookTests {
        @Test(
            "A shield's appearance comes from the app by kind of subject, and is requested once until a change"
        )
        func own() async throws {
            try await ShieldWorld.run { world in
                try await world.install("a")
                try await world.shield("a")
                let view = try await world.look()
                #expect(view.source == .app && view.app == "a", "\(view)")
                #expect(view.look.title?.text == "app alone")
                _ = try await world.look()
                _ = try await world.show()
                #expect(try await world.looks("a") == 1)
                // Another language and another subject.
                _ = try await world.look(language: "ko")
                try await world.shield("a", "video.example", kind: .domain)
                #expect(try await world.look(.init(domain: "video.example")).look.title?.text == "site alone")
                #expect(try await world.looks("a") == 3)
                // The store has changed.
                _ = try await world.look()
                #expect(try await world.looks("a") == 4)
                try await world.clear("a")
                try await world.shield("a", "other", kind: .category)
                #expect(try await world.look().look.title?.text == "app in category")
                // A developer has built it again.
                var moment = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
                #expect(utimensat(AT_FDCWD, world.program("a", "look.well"), &moment, 0) == 0)
                let before = try await world.looks("a")
                _ = try await world.look()
                #expect(try await world.looks("a") == before + 1)
                // A developer has installed it again.
                try await world.install("a")
                try await eventually("the app is asked again") {
                    _ = try await world.look()
                    if try await world.looks("a") < before + 2 { throw NotYet("not yet") }
                }
                try await eventually("the app's output is stored") {
                    let lines = try await world.log("a")
                    let line = lines.first { $0.text == "asked about a shield" }
                    if line?.source != "print" { throw NotYet("\(lines)") }
                }
                // A subject that is no longer shielded has no shield.
                try await world.clear("a")
                let shown = try await world.show()
                #expect(!shown.decision.isShielded && shown.shield == nil && shown.view == nil)
            }
        }

        private struct Bad {
            var how: String
            var code: String?
            var title = "org.game is shielded"
            var missing: String?
        }

        private static let bad: [Bad] = [
            Bad(how: "crash", code: "extension.crashed"),
            Bad(how: "over", code: "extension.too_large"),
            Bad(how: "nonsense", code: "extension.garbage"),
            Bad(how: "nothing", code: "extension.garbage"),
            Bad(how: "text", code: "shield.look_mended", title: String(repeating: "x", count: 997) + "…"),
            Bad(how: "file", code: "shield.look_mended", title: "file"),
            Bad(how: "forgets", missing: "configuration(shielding:)"),
            // It may not call services and is rejected. The look is still used.
            Bad(how: "asks", title: "app alone"),
        ]

        @Test("A faulty appearance is repaired or replaced by the built-in one, and the reason is logged")
        func misbehave() async throws {
            try await ShieldWorld.run { world in
                for bad in Self.bad {
                    let app = "a.\(bad.how)"
                    try await world.install(app, look: bad.how)
                    try await world.shield(app)
                    let view = try await world.look()
                    #expect(view.app == app)
                    #expect(view.problem?.code == bad.code, "\(bad.how): \(String(describing: view.problem))")
                    #expect(view.look.title?.text == bad.title, "\(bad.how)")
                    #expect(view.missing == bad.missing)
                    #expect(view.look.primary != nil)
                    _ = try await world.look()
                    try await world.clear(app)
                }
                try await eventually("the problem is reported once") {
                    // Once, however often it is called.
                    let said = world.told("look_not_overridden").count
                    if said != 1 { throw NotYet("\(said)") }
                }
                #expect(world.told("look_not_as_wanted").count >= 6)
                try await eventually("the output of both apps is stored") {
                    let texts = try await (world.log("a.crash") + world.log("a.asks")).map(\.text)
                    let hasAll =
                        texts.contains("the shield falls")
                        && texts.contains { $0.contains("access.denied") }
                    if !hasAll { throw NotYet("\(texts)") }
                }
            }
        }

        @Test("An app that hangs, is slow or sends 50 MB gets the built-in appearance within the time limit")
        func late() async throws {
            try await ShieldWorld.run(environment: ["SCREENTIME_SHIELD_SERVICE_LOOK_MS": "1000"]) { world in
                for how in ["hang", "slow", "large"] {
                    let app = "a.\(how)"
                    try await world.install(app, look: how)
                    try await world.shield(app)
                    let start = Stopwatch.milliseconds()
                    let view = try await world.look()
                    let took = Stopwatch.milliseconds() - start
                    #expect(view.source == .builtIn && view.app == app)
                    #expect(view.look.title?.text == "org.game is shielded")
                    let codes = ["shield.too_late", "extension.timed_out", "extension.over_memory"]
                    #expect(codes.contains(view.problem?.code ?? ""), "\(String(describing: view.problem))")
                    #expect(took < 15_000, "\(how) took \(took) ms")
                    try await world.clear(app)
                }
                #expect(!world.told("look_too_late").isEmpty || !world.told("extension.timed_out").isEmpty)
            }
        }

        @Test("An appearance overtaken by a change is requested again, and the app's own is shown")
        func overtaken() async throws {
            try await ShieldWorld.run(environment: ["SCREENTIME_SHIELD_SERVICE_LOOK_MS": "30000"]) { world in
                try await world.install("a", look: "slow")
                try await world.shield("a")
                async let asked = world.look()
                try await eventually("the app is asked") {
                    if try await world.looks("a") == 0 { throw NotYet("it is not") }
                }
                let request = SettingsSet.Request(app: "a", store: "main", settings: ["siri.denySiri": true])
                _ = try await world.system.client.call(SettingsSet.self, request)
                let view = try await asked
                #expect(view.source == .app, "\(String(describing: view.problem))")
                #expect(try await world.looks("a") == 2)
            }
        }

        @Test("An app that replies twice gets its first appearance or a protocol error, and is called again")
        func twice() async throws {
            try await ShieldWorld.run { world in
                try await world.install("a", look: "twice")
                try await world.shield("a")
                let view = try await world.look()
                // Depending on which came first: the reply, or the violation of the protocol.
                #expect(
                    view.look.title?.text == "app alone" || view.problem?.code == "extension.bad_protocol"
                )
                _ = try await world.look(language: "ko")
            }
        }

        @Test("Appearances and actions leave no process that an extension started")
        func orphans() async throws {
            try await ShieldWorld.run(environment: ["SCREENTIME_SHIELD_SERVICE_KEEP_WARM_MS": "50"]) {
                world in
                try await world.install("a", look: "orphan", action: "orphan")
                try await world.shield("a")
                let shown = try await world.show()
                #expect(try await world.press(shown.shield, button: .primary, press: 1).response == .close)
                let endpoints = world.endpoints
                try await eventually("all are gone") {
                    let left = ProcessTable.processes(with: ExtensionEnvironment.host, prefix: endpoints)
                    if !left.isEmpty { throw NotYet("\(left)") }
                }
            }
        }

        @Test("Simultaneous requests for one appearance call the app once, and all receive it")
        func many() async throws {
            try await ShieldWorld.run { world in
                try await world.install("a")
                try await world.shield("a")
                try await withThrowingTaskGroup(of: String?.self) { group in
                    for _ in 0..<20 { group.addTask { try await world.look().look.title?.text } }
                    for try await title in group { #expect(title == "app alone") }
                }
                #expect(try await world.looks("a") == 1)
            }
        }
    }
}
