import STCommandCore
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension HouseholdSuite {
    @Suite("A guardian at another machine")
    struct AskingTests {
        /// Returns the household's name of the machine that joined last.
        private static func name(of machine: TestSystem, _ hub: TestSystem) async throws -> String {
            let devices = try await hub.client.call(HouseholdShow.self, Empty()).devices
            return try #require(devices.last).name
        }

        /// Adds kid and mum to this machine, and sets mum's passcode.
        private static func settle(_ machine: TestSystem) async throws {
            for member in [Member(name: "kid", role: .child), Member(name: "mum", role: .guardian)] {
                _ = try await machine.client.call(MemberAdd.self, member)
            }
            let passcode = MemberPasscode.Request(member: "mum", passcode: machine.passcode(of: "mum"))
            _ = try await machine.client.call(MemberPasscode.self, passcode)
        }

        @Test(
            "A guardian manages another machine with the passcode of that machine, and other requests are refused"
        )
        func asks() async throws {
            try await HouseholdDesk.withTwo { hub, laptop, desktop in
                try await Self.settle(desktop)
                let there = try await Self.name(of: desktop, hub)
                let passcode = desktop.passcode(of: "mum")
                let members = await laptop.type(["member", "list", "--machine", there], passcode)
                #expect(members.code == .done && members.text.contains("kid"), "\(members.text)")
                #expect(members.text.hasPrefix("On \(there):"), "\(members.text)")
                let status = await laptop.type(["status", "--machine", there], passcode)
                #expect(status.text.contains("has been running on \(there) for"), "\(status.text)")
                #expect(!status.text.contains("household-service"), "\(status.text)")

                let added = await laptop.type(
                    ["member", "add", "sister", "--role", "child", "--machine", "mum@\(there)"],
                    passcode
                )
                #expect(added.code == .done, "\(added.text)")
                #expect(
                    try await desktop.client.call(MemberList.self, Empty()).members.map(\.name)
                        .contains("sister")
                )
                #expect(
                    try await !laptop.client.call(MemberList.self, Empty()).members.map(\.name)
                        .contains("sister")
                )

                for (line, passcode, words) in [
                    (["member", "list", "--machine", there], "wrong", "not the passcode"),
                    (
                        ["member", "list", "--machine", "kid@\(there)"], passcode,
                        "Name a person on that machine"
                    ),
                    (["member", "list", "--machine", "tablet"], passcode, "no machine called tablet"),
                    (
                        ["member", "list", "--machine", "@\(there)"], passcode,
                        "--machine needs the name of a machine"
                    ),
                ] {
                    let run = await laptop.type(line, passcode)
                    #expect(run.code != .done && run.text.contains(words), "\(line): \(run.text)")
                }
                // Requests between services are not open to other machines.
                let closed = LinkAsk.Request(
                    machine: there,
                    passcode: passcode,
                    service: ServiceName.auth.rawValue,
                    route: TokenIssue.name,
                    body: "{}",
                    letter: "closed",
                    timeoutMs: 5_000
                )
                #expect(
                    await refusal { _ = try await laptop.client.call(LinkAsk.self, closed) }
                        == "household.not_from_afar"
                )
                // The guardian's own machine lists the other machines.
                let known = try await laptop.client.call(LinkMachines.self, Empty()).devices
                #expect(known.count == 2 && known.allSatisfy { $0.seenAt != nil })
                // After household-service and link-service were killed, the next question still arrives.
                try hub.kill(.household)
                try desktop.kill(.link)
                try await eventually(within: .seconds(40), "it is answered again") {
                    let again = await laptop.type(["member", "list", "--machine", there], passcode)
                    guard again.code == .done else { throw NotYet(again.text) }
                }
            }
        }

        @Test(
            "A mistyped remote passcode is one wrong try, and during a lockout the right one is refused too"
        )
        func guesses() async throws {
            try await HouseholdDesk.withTwo { hub, laptop, desktop in
                try await Self.settle(desktop)
                let there = try await Self.name(of: desktop, hub)
                let right = desktop.passcode(of: "mum")
                func wrong() async throws -> Int64 {
                    try await desktop.client.call(MemberShow.self, .init(member: "mum")).passcode.wrong
                }
                // This command calls every service simultaneously.
                let slip = await laptop.type(["status", "--machine", there], "a slip")
                #expect(slip.code != .done, "\(slip.text)")
                #expect(try await wrong() == 1)
                let good = await laptop.type(["member", "list", "--machine", there], right)
                #expect(good.code == .done, "\(good.text)")
                #expect(try await wrong() == 0)
                for number in 0..<6 {
                    _ = await laptop.type(
                        ["member", "list", "--machine", there],
                        "guess \(number)"
                    )
                }
                let rests = await laptop.type(["member", "list", "--machine", there], right)
                #expect(rests.code != .done, "\(rests.text)")
            }
        }

        @Test("A reply of another machine that exceeds one message arrives completely")
        func large() async throws {
            try await HouseholdDesk.withTwo { hub, laptop, desktop in
                try await Self.settle(desktop)
                let there = try await Self.name(of: desktop, hub)
                let agent = try await MachineAgent(desktop)
                let names = (0..<400).map { "org.example.\(String(repeating: "a", count: 150)).\($0)" }
                for name in names { try await agent.look(at: name) }
                try await agent.look(at: nil)
                let request = UsageList.Request(limit: 500)
                let known = try await desktop.client.call(UsageList.self, request)
                let asked = LinkAsk.Request(
                    machine: there,
                    by: "mum",
                    passcode: desktop.passcode(of: "mum"),
                    service: ServiceName.activity.rawValue,
                    route: UsageList.name,
                    body: String(decoding: try request.encodedBody(), as: UTF8.self),
                    letter: "large",
                    timeoutMs: 40_000
                )
                let answer = try await laptop.client.call(
                    LinkAsk.self,
                    asked,
                    options: CallOptions(timeoutMs: 50_000)
                )
                #expect(answer.body.utf8.count > 120 * 1_024)
                let told = try UsageList.Reply.decodedBody(Array(answer.body.utf8))
                #expect(told.rows.count == known.rows.count)
            }
        }

        @Test(
            "A request that waits on one machine appears on the guardian's machine and is answered from it"
        )
        func requests() async throws {
            let services = HouseholdDesk.services + [.shield, .notifier]
            try await TestSystem.run(services: services + [.household]) { hub in
                let desk = try await HouseholdDesk.start(hub)
                try await TestSystem.run(services: services) { laptop in
                    try await Self.settle(laptop)
                    for follower in [ServiceName.link, .shield, .notifier] {
                        try await laptop.waitUntilFollowed(.authorization, of: .auth, by: follower)
                    }
                    let mum = HouseholdAccount(here: "mum", member: "mum")
                    try await desk.join(laptop, others: [mum])
                    let here = try await HouseholdDesk.owner(hub)
                    try await desk.join(hub, as: "mum")
                    _ = try hub.stop(.link)
                    let asked = try await laptop.client.call(
                        RequestAdd.self,
                        .init(member: "kid", items: [], durationMs: 900_000)
                    )
                    try hub.start(.link)
                    func shown() async throws -> [PostedNotification] {
                        try await hub.client.call(NotifyList.self, .init(member: here)).notifications
                            .filter { $0.title.contains("asks for") && $0.state != .withdrawn }
                    }
                    let told = try await eventually(within: .seconds(40), "mum's machine notifies her") {
                        let all = try await shown()
                        guard let first = all.first else { throw NotYet("nothing yet") }
                        return first
                    }
                    let device = try #require(
                        try await hub.client.call(HouseholdShow.self, Empty()).devices.first
                    )
                    #expect(told.body.contains("--machine"), "\(told.body)")
                    let answer = await hub.type(
                        ["request", "approve", asked.request.request, "--machine", device.name],
                        laptop.passcode(of: "mum")
                    )
                    #expect(answer.code == .done, "\(answer.text)")
                    try await eventually(within: .seconds(40), "the notification is gone from her machine") {
                        let all = try await shown()
                        guard all.isEmpty else { throw NotYet("\(all)") }
                    }
                }
            }
        }

        @Test("A guardian follows usage and notifications of another machine as they happen")
        func follows() async throws {
            let services = HouseholdDesk.services
            try await TestSystem.run(services: services + [.household]) { hub in
                let desk = try await HouseholdDesk.start(hub)
                try await TestSystem.run(services: services) { laptop in
                    try await TestSystem.run(services: services + [.report, .notifier]) { desktop in
                        try await desk.join(laptop)
                        try await desk.join(desktop)
                        try await Self.settle(desktop)
                        let there = "mum@" + (try await Self.name(of: desktop, hub))
                        let passcode = desktop.passcode(of: "mum")
                        async let posted = laptop.type(
                            [
                                "notification", "list", "--follow", "--count", "1", "--for", "40s",
                                "--machine", there,
                            ],
                            passcode
                        )
                        async let used = laptop.type(
                            ["report", "--follow", "--json", "--for", "40s", "--machine", there],
                            passcode
                        )
                        let agent = try await MachineAgent(desktop)
                        for _ in 0..<10 {
                            try await agent.look(at: HouseholdDesk.game)
                            try await Task.sleep(for: .milliseconds(800))
                        }
                        let owner = try await HouseholdDesk.owner(desktop)
                        _ = try await desktop.client.call(
                            NotifyPost.self,
                            .init(
                                app: "an.app",
                                member: owner,
                                id: "n",
                                title: "Heard from afar",
                                body: "It is"
                            )
                        )
                        let (news, report) = await (posted, used)
                        #expect(news.code == .done && news.text.contains("Heard from afar"), "\(news.text)")
                        let lines = report.text.split(separator: "\n").filter {
                            $0.contains(HouseholdDesk.game)
                        }
                        #expect(report.code == .done && lines.count > 2, "\(report.text)")
                    }
                }
            }
        }

        @Test("A machine that is off is reported, and a change requested of it is not carried out later")
        func silent() async throws {
            try await HouseholdDesk.withTwo { hub, laptop, desktop in
                try await Self.settle(desktop)
                let there = try await Self.name(of: desktop, hub)
                _ = try desktop.stop(.link)
                let run = await laptop.type(
                    ["member", "add", "sister", "--role", "child", "--machine", there],
                    desktop.passcode(of: "mum")
                )
                #expect(
                    run.code == .no && run.text.contains("unclear whether the request was carried out"),
                    "\(run.text)"
                )
                let list = await laptop.type(
                    ["member", "list", "--machine", there],
                    desktop.passcode(of: "mum")
                )
                #expect(list.code == .no && list.text.contains("does not answer"), "\(list.text)")
                try desktop.start(.link)
                try await eventually(within: .seconds(30), "it is connected again") {
                    let shown = try await desktop.client.call(LinkShow.self, Empty())
                    guard shown.isConnected else { throw NotYet("\(shown)") }
                }
                let members = try await desktop.client.call(MemberList.self, Empty()).members
                #expect(!members.contains { $0.name == "sister" })
            }
        }
    }
}
