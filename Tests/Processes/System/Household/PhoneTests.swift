import STContracts
import STDomain
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension ConsolePageTests {
    @Suite("A guardian's phone")
    struct Phone {
        private static let services = HouseholdDesk.services + [.monitor, .shield]

        /// Sends a request with curl, which has none of a browser's restrictions. Status 0 means that there was no reply.
        static func curl(_ scratch: ScratchDirectory, _ arguments: [String]) throws -> (
            status: Int, body: String
        ) {
            let (head, body) = (scratch.file("curl-head"), scratch.file("curl-body"))
            for file in [head, body] { try AtomicFile.write([], to: file, durable: false) }
            let fixed = [
                "--silent", "--insecure", "--max-time", "10", "--dump-header", head, "--output", body,
            ]
            let process = try SpawnedProcess(
                SpawnPlan(executable: "/usr/bin/curl", arguments: fixed + arguments)
            )
            _ = process.wait(deadlineMs: 15_000)
            let status = ScratchDirectory.text(head).split(separator: " ").dropFirst().first.flatMap {
                Int($0)
            }
            return (status ?? 0, ScratchDirectory.text(body))
        }

        static func withKid(
            _ body: (_ desk: HouseholdDesk, _ laptop: TestSystem, _ kid: String, _ address: String)
                async throws
                -> Void
        ) async throws {
            try await TestSystem.run(services: services + [.household]) { hub in
                let desk = try await HouseholdDesk.start(hub)
                try await TestSystem.run(services: services) { laptop in
                    let mum = Member(name: "mum", role: .guardian)
                    _ = try await laptop.client.call(MemberAdd.self, mum)
                    let passcode = laptop.passcode(of: "mum")
                    _ = try await laptop.client.call(
                        MemberPasscode.self,
                        .init(member: "mum", passcode: passcode)
                    )
                    try await desk.join(laptop)
                    let kid = try await HouseholdDesk.owner(laptop)
                    // A guardian answers all requests.
                    let rule = RequestRule(
                        member: kid,
                        delayMs: 60_000,
                        growthPercent: 100,
                        mostMs: 900_000,
                        aDay: 0
                    )
                    _ = try await laptop.client.call(RequestRuleSet.self, .init(rule: rule))
                    // A guardian of this household adds the phone.
                    for member in [Member(name: "sis", role: .child), mum] {
                        _ = try await hub.client.call(MemberAdd.self, member)
                    }
                    let word = MemberPasscode.Request(member: "mum", passcode: hub.passcode(of: "mum"))
                    _ = try await hub.client.call(MemberPasscode.self, word)
                    try await body(desk, laptop, kid, "127.0.0.1:\(RawConnection.freePort())")
                }
            }
        }

        static func link(
            _ desk: HouseholdDesk,
            _ address: String,
            lessons: HouseholdLessons? = nil
        ) async throws -> HouseholdPhone.Reply {
            let hub = desk.hub
            var asked = HouseholdPhone.Request(name: "mum's phone", address: address, lessons: lessons)
            try await eventually(within: .seconds(20), "a guardian's passcode is required") {
                let code = await refusal { _ = try await hub.client.call(HouseholdPhone.self, asked) }
                if code != "auth.proof_needed", code != "auth.who_proves" { throw NotYet(code) }
            }
            asked.proof = Proof(by: "mum", passcode: "wrong")
            let wrong = await refusal { _ = try await hub.client.call(HouseholdPhone.self, asked) }
            #expect(wrong == "auth.wrong_passcode")
            asked.proof = Proof(by: "mum", passcode: hub.passcode(of: "mum"))
            return try await hub.client.call(HouseholdPhone.self, asked)
        }

        private static func requests(
            _ machine: TestSystem,
            _ what: String,
            until isDone: @escaping @Sendable (RequestView) -> Bool
        ) async throws {
            try await eventually(within: .seconds(20), what) {
                let requests = try await machine.client.call(RequestList.self, .init()).requests
                if !requests.contains(where: isDone) { throw NotYet("\(requests)") }
            }
        }

        /// Denies one request, grants another for less time, and revokes that grant.
        private static func answer(_ phone: WebDriver, laptop: TestSystem, kid: String) async throws {
            let game = TokenItem(kind: .application, id: HouseholdDesk.game)
            for because in ["homework is done", "five more minutes"] {
                let items = because == "homework is done" ? [game] : []
                let asked = RequestAdd.Request(
                    member: kid,
                    items: items,
                    durationMs: 1_800_000,
                    because: because
                )
                _ = try await laptop.client.call(RequestAdd.self, asked)
            }
            try phone.click("a[href='#requests']")
            try phone.shows("kid asks for 30 min of Game", "“homework is done”", "“five more minutes”")
            #expect(try phone.violations() == "[]")
            try phone.keepPicture("phone-requests")
            // The newest request comes first.
            try phone.click("section.card button:not(.main)")
            try phone.type("It is late.", into: "dialog input")
            try phone.click("dialog button.main")
            try await requests(laptop, "it is refused") {
                $0.state == .denied && $0.answer?.english == "It is late."
            }
            try phone.shows("30 min of Game")
            try phone.click("section.card button.main")
            try phone.click("dialog .choices button")
            try await requests(laptop, "it is granted for less") {
                $0.state == .granted && ($0.untilWallMs ?? 0) - ($0.fromWallMs ?? 0) == 900_000
            }
            try phone.shows("Granted now", "Revoke")
            try phone.keepPicture("phone-granted")
            try phone.click("section.card button")
            try await requests(laptop, "it is taken back") { $0.state == .revoked }
        }

        private static func stop(_ phone: WebDriver, _ laptop: TestSystem) async throws {
            try phone.click("a[href='#today']")
            try phone.click("#give-kid")
            try phone.click("dialog .choices button")
            try await requests(laptop, "time is given") {
                $0.state == .granted && $0.device == "mum's phone"
            }
            try phone.click("#stop-kid")
            try phone.shows("Stop all computers that kid uses?", in: "dialog")
            try phone.keepPicture("phone-stop")
            try phone.click("dialog button.main")
            try await eventually(
                within: .seconds(20),
                "the laptop is stopped, and the granted time has ended"
            ) {
                let rules = try await laptop.client.call(RuleList.self, .init()).rules
                let requests = try await laptop.client.call(RequestList.self, .init()).requests
                guard rules.map(\.rule.kind) == [.downtime],
                    !requests.contains(where: { $0.state == .granted })
                else { throw NotYet("\(rules) \(requests)") }
            }
            try phone.shows("Stopped by")
            try phone.click("#resume-kid")
            try await eventually(within: .seconds(20), "the laptop is resumed") {
                let rules = try await laptop.client.call(RuleList.self, .init()).rules
                if !rules.isEmpty { throw NotYet("\(rules)") }
            }
        }

        @Test(
            "A guardian's phone shows the day, answers a request, grants and revokes time, and stops all computers",
            arguments: WebDriver.Kind.allCases
        )
        func story(kind: WebDriver.Kind) async throws {
            try await Self.withKid { desk, laptop, kid, address in
                let made = try await Self.link(desk, address)
                #expect(made.members == ["kid"] && made.fingerprint.utf8.count == 95)
                let agent = try await MachineAgent(laptop)
                try await agent.look(at: HouseholdDesk.game)
                let phone = try await WebDriver(laptop.scratch, name: "phone", kind, width: 400)
                defer { phone.end() }
                try phone.open(made.link)
                try phone.shows("Add this phone")
                #expect(try phone.violations() == "[]")
                try phone.keepPicture("phone-pair")
                try phone.click("#pair")
                try phone.shows("kid", "Game on", within: .seconds(30))
                try await agent.look(at: nil)
                try phone.shows("today", in: "main")
                #expect(try phone.violations() == "[]")
                try phone.keepPicture("phone-today")

                try await Self.answer(phone, laptop: laptop, kid: kid)
                try await Self.stop(phone, laptop)
                try phone.click("#language")
                try phone.shows("오늘", "시간 주기")
                try phone.click("a[href='#people']")
                try phone.shows("연결됨")
                try phone.keepPicture("phone-people")
                _ = try await desk.hub.client.call(
                    HouseholdRemove.self,
                    .init(
                        device: "mum's phone",
                        proof: Proof(by: "mum", passcode: desk.hub.passcode(of: "mum"))
                    )
                )
                try phone.shows("들어와 있지 않습니다")
            }
        }

        @Test(
            "A teacher's phone keeps only chosen apps open for a lesson, shows the foreground app, and ends the lesson"
        )
        func lesson() async throws {
            try await Self.withKid { desk, laptop, kid, address in
                let agent = try await MachineAgent(laptop)
                try await agent.look(at: HouseholdDesk.game)
                try await Task.sleep(for: .milliseconds(1_500))
                try await agent.look(at: "org.example.editor")
                let hours = HouseholdLessons(window: RuleWindow(from: "00:00", to: "00:00"))
                let made = try await Self.link(desk, address, lessons: hours)
                let phone = try await WebDriver(laptop.scratch, name: "teacher", width: 400)
                defer { phone.end() }
                try phone.open(made.link)
                try phone.shows("A teacher's phone starts and ends lessons")
                try phone.click("#pair")
                try phone.shows("Keep only these open", "Game", "1 of 1 here", within: .seconds(30))
                #expect(try phone.violations() == "[]")
                try phone.click("#plan .choices button")
                try phone.keepPicture("teacher-plan")
                try phone.click("#begin")
                try phone.shows("Only Game until", "Editor", within: .seconds(20))
                try phone.keepPicture("teacher-lesson")
                try await eventually(within: .seconds(30), "the laptop leaves only the game open") {
                    let rules = try await laptop.client.call(RuleList.self, .init()).rules
                    guard rules.map(\.rule.kind) == [.downtime], rules[0].isShielding == true,
                        rules[0].rule.opens == [TokenItem(kind: .application, id: HouseholdDesk.game)]
                    else { throw NotYet("\(rules)") }
                }
                try phone.click("#over")
                try phone.shows("Keep only these open")
                try await eventually(within: .seconds(20), "the lesson is over") {
                    let rules = try await laptop.client.call(RuleList.self, .init()).rules
                    if !rules.isEmpty { throw NotYet("\(rules)") }
                }
                try phone.click("#language")
                try phone.shows("이것만 열어 두기")
                try phone.click("#language")
                // Days on which this test cannot run.
                let today = LocalDay(zone: "UTC").day(ofWallMs: SystemTimeSource().now().wallMs)
                let other = HouseholdLessons(
                    window: RuleWindow(from: "08:00", to: "13:00"),
                    days: [today.adding(days: 3).weekday]
                )
                try phone.open(try await Self.link(desk, address, lessons: other).link)
                try phone.click("#pair")
                try phone.shows("Lessons are from 08:00 to 13:00, ", within: .seconds(20))
                try phone.keepPicture("teacher-off")
            }
        }

        private static let wrong = [
            ("{}", "phone.bad_request"), ("{\"what\":\"destroy\"}", "phone.bad_request"),
            ("{\"what\":\"give\",\"member\":\"bert\",\"ms\":900000}", "phone.not_theirs"),
            ("{\"what\":\"give\",\"member\":\"kid\",\"ms\":-1}", "request.bad_duration"),
            ("{\"what\":\"give\",\"member\":\"kid\",\"ms\":9e99}", "phone.bad_request"),
            ("{\"what\":\"approve\",\"key\":\"x\",\"ms\":900000}", "phone.not_waiting"),
            ("{\"what\":\"stop\",\"member\":\"bert\"}", "phone.not_theirs"),
        ]

        @Test("The port for phones admits no phone without a link and refuses changes from other sites")
        func strangers() async throws {
            try await Self.withKid { desk, laptop, _, address in
                let scratch = laptop.scratch
                // There is no port before the first link.
                #expect(try Self.curl(scratch, ["https://\(address)/all"]).status == 0)
                let made = try await Self.link(desk, address)
                let key = made.link.split(separator: "#").last ?? ""
                let here = "https://\(address)"
                let pair = ["--header", "Origin: \(here)", "--data", "{\"key\":\"\(key)\"}"]
                #expect(try Self.curl(scratch, [here + "/all"]).status == 401)
                #expect(try Self.curl(scratch, ["http://\(address)/"]).status == 0)
                #expect(
                    try Self.curl(scratch, [here + "/page/../../etc/passwd", "--path-as-is"]).status == 404
                )
                #expect(
                    try Self.curl(scratch, [here + "/pair", "--data", "{\"key\":\"\(key)\"}"]).status == 403
                )
                let other = ["--header", "Origin: https://evil.example", "--data", "{\"key\":\"\(key)\"}"]
                #expect(try Self.curl(scratch, [here + "/pair"] + other).status == 403)
                #expect(
                    try Self.curl(scratch, [here + "/all", "--header", "Sec-Fetch-Site: cross-site"]).status
                        == 403
                )
                let wrong = [
                    "--header", "Origin: \(here)", "--data",
                    "{\"key\":\"\(String(repeating: "ab", count: 32))\"}",
                ]
                #expect(try Self.curl(scratch, [here + "/pair"] + wrong).body.contains("phone.link_over"))
                let jar = scratch.file("jar")
                #expect(try Self.curl(scratch, [here + "/pair", "--cookie-jar", jar] + pair).status == 200)
                // The link is valid for one phone only.
                #expect(try Self.curl(scratch, [here + "/pair"] + pair).body.contains("phone.link_over"))
                let all = try Self.curl(scratch, [here + "/all", "--cookie", jar])
                #expect(all.status == 200 && all.body.contains("\"member\":\"kid\""), "\(all.body)")
                let own = ["--cookie", jar, "--header", "Origin: \(here)", here + "/do", "--data"]
                for (change, code) in Self.wrong {
                    let refused = try Self.curl(scratch, own + [change])
                    #expect(
                        refused.status == 400 && refused.body.contains(code),
                        "\(change): \(refused.body)"
                    )
                }
                let large = scratch.file("large")
                try AtomicFile.write([UInt8](repeating: 32, count: 70_000), to: large, durable: false)
                #expect(try Self.curl(scratch, own + ["@\(large)"]).status == 413)
                // After a restart, the service opens the port again.
                _ = try desk.hub.stop(.household)
                try desk.hub.start(.household)
                try await eventually(within: .seconds(20), "the phone still has access") {
                    let status = try Self.curl(scratch, [here + "/all", "--cookie", jar]).status
                    if status != 200 { throw NotYet("\(status)") }
                }
                _ = try await desk.hub.client.call(
                    HouseholdRemove.self,
                    .init(
                        device: "mum's phone",
                        proof: Proof(by: "mum", passcode: desk.hub.passcode(of: "mum"))
                    )
                )
                #expect(try Self.curl(scratch, [here + "/all", "--cookie", jar]).status == 401)
                #expect(
                    try Self.curl(scratch, own + ["{\"what\":\"give\",\"member\":\"kid\",\"ms\":900000}"])
                        .status
                        == 401
                )
            }
        }
    }
}
