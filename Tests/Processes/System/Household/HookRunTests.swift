import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension HouseholdSuite {
    @Suite("Hook program for requests")
    struct HookRunTests {
        private static let services = HouseholdDesk.services + [.shield, .monitor]

        @Test("The hook program runs for each request, again after a failure, and receives no name of an app")
        func told() async throws {
            let scratch = try ScratchDirectory()
            defer { scratch.remove() }
            let (program, heard) = (scratch.file("hook"), scratch.file("heard"))
            let script = """
                #!/bin/sh
                if [ ! -e "$1.tried" ]; then touch "$1.tried"; echo "there is no network" >&2; exit 1; fi
                cat >>"$1"; printf '\\n%s\\n' "${SCREENTIME_TEXT}" >>"$1"
                """
            try AtomicFile.write(Array(script.utf8), to: program, durable: false)
            #expect(chmod(program, 0o700) == 0)
            var options = TestSystemOptions()
            options.environment["SCREENTIME_HOUSEHOLD_SERVICE_HOOK"] = "\(program) \(heard)"
            try await TestSystem.run(services: Self.services + [.household], options: options) { hub in
                let desk = try await HouseholdDesk.start(hub)
                try await TestSystem.run(services: Self.services) { laptop in
                    _ = try await laptop.client.call(MemberAdd.self, Member(name: "mum", role: .guardian))
                    let word = MemberPasscode.Request(member: "mum", passcode: laptop.passcode(of: "mum"))
                    _ = try await laptop.client.call(MemberPasscode.self, word)
                    try await desk.join(laptop)
                    let here = try await HouseholdDesk.owner(laptop)
                    let game = TokenItem(kind: .application, id: HouseholdDesk.game)
                    let asked = RequestAdd.Request(
                        member: here,
                        items: [game],
                        durationMs: 3_600_000,
                        because: "a secret"
                    )
                    let made = try await laptop.client.call(RequestAdd.self, asked).request
                    #expect(made.state == .waiting && made.grantsAt == nil)
                    try await eventually(within: .seconds(40), "the program receives the request") {
                        let text = ScratchDirectory.text(heard)
                        guard text.contains("kid asks for 1 h more on") else { throw NotYet(text) }
                    }
                    _ = try hub.stop(.household)
                    try hub.start(.household)
                    _ = try await laptop.client.call(
                        RequestAdd.self,
                        .init(member: here, items: [], durationMs: 60_000_000)
                    )
                    try await eventually(within: .seconds(40), "the program receives the second request") {
                        let text = ScratchDirectory.text(heard)
                        guard text.contains("kid asks for 16 h 40 min more on") else { throw NotYet(text) }
                    }
                    let text = ScratchDirectory.text(heard)
                    #expect(!text.contains(HouseholdDesk.game) && !text.contains("secret"), "\(text)")
                    #expect(
                        text.split(separator: "\n").count { $0.contains("asks for 1 h more") } == 2,
                        "\(text)"
                    )
                    #expect(text.contains("\"what\":\"request\""), "\(text)")
                }
            }
        }
    }
}
