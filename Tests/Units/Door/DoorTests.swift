import STAccountDoorCore
import STPlatform
import STTestSupport
import Testing

@testable import STContracts

/// What passes between an account and the services on a protected computer.
@Suite("The door of an account")
struct DoorTests {
    private static let child = DoorPerson(account: "ben", member: "ben", role: .child)
    private static let adult = DoorPerson(account: "kim", member: "kim", role: .individual)
    private static let guardian = DoorPerson(account: "mum", member: "mum", role: .guardian)
    private static let entries = Catalogue.entries.filter { $0.service != .desktop }
    private static let routes = entries.flatMap(\.routes) + Catalogue.common

    private static func pass(_ route: String, _ body: JSONValue, _ person: DoorPerson) throws -> JSONValue {
        try JSONValue(text: DoorRules.pass(route, body.text, for: person))
    }

    private static func refusal(_ route: String, _ body: JSONValue, _ person: DoorPerson) -> String? {
        do {
            _ = try pass(route, body, person)
            return nil
        } catch {
            return Problem(error).code
        }
    }

    @Test("every route is decided, and one that names a member never passes as if it named none")
    func complete() {
        let names = Set(Self.routes.map(\.name))
        #expect(names == Set(DoorRules.ways.keys))
        for route in Self.routes where route.requestSchema()["properties"]?["member"] != nil {
            let way = DoorRules.ways[route.name]
            #expect(way != .open && way != .thing && way != .events, "\(route.name)")
        }
        for route in Self.routes where route.requestSchema()["properties"]?["members"] != nil {
            let way = DoorRules.ways[route.name]
            #expect(way == .members || way == .closed, "\(route.name)")
        }
    }

    @Test("desktop-agent's subscriptions remain after another program subscribes to thousands of topics")
    func manyTopics() throws {
        let markers = (0..<3 * DoorTopics.markersMax).map { "\(Topic.syncPrefix)\($0)" }
        for isKnown in [true, false] {
            var topics = DoorTopics()
            var followed: Set<String> = []
            func carryOut(_ changes: [DoorTopics.Change]) {
                for change in changes {
                    switch change {
                    case .subscribe(let topic): #expect(followed.insert(topic).inserted)
                    case .unsubscribe(let topic): #expect(followed.remove(topic) != nil)
                    }
                }
            }
            if isKnown { carryOut(topics.begin(Self.child)) }
            for topic in markers + (0..<3_000).map({ "usage.\($0)" }) { carryOut(topics.subscribed(topic)) }
            let agent = [Topic.subscription(.policy), Topic.head(.policy), "\(Topic.syncPrefix)agent"]
            for topic in agent + ["delivery.", "Not valid"] { carryOut(topics.subscribed(topic)) }
            carryOut(topics.begin(Self.child))

            #expect(followed.isSuperset(of: agent))
            #expect(followed.filter { !$0.hasPrefix(Topic.syncPrefix) } == Set(agent.prefix(2) + ["usage."]))
            #expect(followed.count == DoorTopics.markersMax + 3)
            // A repeated head subscription makes the service publish the head again. Markers that are requested while the account has
            // no person are subscribed later.
            #expect(topics.subscribed(agent[1]) == [.subscribe(agent[1]), .unsubscribe(agent[1])])
            carryOut(topics.begin(nil))
            #expect(followed.isSuperset(of: agent.prefix(2)) && followed.count == 3)
            #expect(topics.subscribed("\(Topic.syncPrefix)later") == [])
            carryOut(topics.begin(Self.child))
            #expect(followed.isSuperset(of: agent + ["\(Topic.syncPrefix)later"]))
            // The stream subscriptions remain for other programs.
            for topic in agent { carryOut(topics.unsubscribed(topic)) }
            #expect(followed.isSuperset(of: agent.prefix(2)) && !followed.contains(agent[2]))
        }
    }

    @Test("no route accepts a passcode from a child's account, and none requests one there")
    func passcodes() {
        let body: JSONValue = ["passcode": "1234", "member": "ben"]
        let proof: JSONValue = ["proof": ["by": "mum", "passcode": "1234"], "member": "ben"]
        for route in Self.routes {
            for body in [body, proof] where route.name != MemberPasscode.name || body == proof {
                #expect(
                    Self.refusal(route.name, body, Self.child) == "access.passcode_elsewhere",
                    "\(route.name)"
                )
            }
            for person in [Self.adult, Self.guardian] {
                #expect(
                    Self.refusal(route.name, proof, person) != "access.passcode_elsewhere",
                    "\(route.name)"
                )
            }
        }
        // A child may set their own passcode, and send a proof without a passcode.
        #expect(Self.refusal(MemberPasscode.name, body, Self.child) == nil)
        #expect(Self.refusal(RequestDeny.name, ["proof": ["by": "mum"]], Self.child) == nil)
        let asked = Problem("auth.proof_needed", "This action requires the passcode of mum.")
        #expect(DoorRules.answer(asked, for: Self.child).code == "access.passcode_elsewhere")
        #expect(DoorRules.answer(asked, for: Self.guardian) == asked)
        let other = Problem("rule.unknown", "There is no such rule.")
        #expect(DoorRules.answer(other, for: Self.child) == other)
    }

    @Test("every event has a place for its member, where its content has one")
    func events() {
        let events = Self.entries.flatMap(\.events).filter { !$0.type.hasSuffix(".history.line") }
        for event in events {
            // Callbacks are a guardian's stream.
            guard event.stream != .delivery else { continue }
            guard let place = DoorEvents.places[event.type] else {
                Issue.record("\(event.type) is not decided")
                continue
            }
            let schema = event.bodySchema()
            if let place {
                let found = place.reduce(schema as JSONValue?) { $0?["properties"]?[$1] }
                #expect(found == ["type": "string"], "\(event.type)")
            } else {
                // Notices are for all members; they say whose passcode was changed.
                #expect(
                    schema["properties"]?["member"] == nil || event.type == AuthorizationNoticed.type,
                    "\(event.type)"
                )
            }
        }
    }

    @Test("another's is refused, one's own passes, and where none is named it is one's own")
    func own() throws {
        for (route, way) in DoorRules.ways where way == .own || way == .rows {
            for person in [Self.child, Self.adult] {
                let own = JSONValue.string(person.member)
                #expect(try Self.pass(route, [:], person)["member"] == own, "\(route)")
                #expect(try Self.pass(route, .object(["member": own]), person)["member"] == own, "\(route)")
                #expect(Self.refusal(route, ["member": "mum"], person) == "access.not_yours", "\(route)")
                #expect(Self.refusal(route, ["member": 1], person) == "access.not_yours", "\(route)")
            }
            #expect(try Self.pass(route, ["member": "ben"], Self.guardian)["member"] == "ben", "\(route)")
        }
        #expect(try Self.pass(RuleList.name, [:], Self.guardian)["member"] == nil, "a guardian sees all")
        #expect(try Self.pass(ReportUsage.name, [:], Self.child)["members"] == ["ben"])
        for members: JSONValue in [["mum"], ["ben", "mum"], [], "ben"] {
            #expect(
                Self.refusal(ReportUsage.name, .object(["members": members]), Self.child)
                    == "access.not_yours"
            )
        }
    }

    @Test("an agent tells of its own person alone, under a name with the account")
    func seen() throws {
        let mine: JSONValue = ["agent": "desktop-agent", "observations": [["member": "ben"]]]
        #expect(try Self.pass(UsageObserve.name, mine, Self.child)["agent"] == "desktop-agent@ben")
        for observations: JSONValue in [[["member": "mum"]], [["member": "ben"], ["member": "mum"]], [[:]]] {
            let body = JSONValue.object(["agent": "x", "observations": observations])
            #expect(Self.refusal(UsageObserve.name, body, Self.child) == "access.not_yours")
        }
        #expect(Self.refusal(UsageObserve.name, mine, Self.guardian) == "access.not_yours")
        let rows: JSONValue = ["rows": [["member": "ben"], ["member": "mum"]]]
        #expect(Self.refusal(UsageImport.name, rows, Self.child) == "access.not_yours")
        let rule: JSONValue = ["rule": ["member": "mum"]]
        #expect(Self.refusal(RequestRuleSet.name, rule, Self.child) == "access.not_yours")
    }

    @Test("what is a guardian's, an adult's or the administrator's stays theirs")
    func roles() {
        #expect(Self.refusal(MemberSet.name, [:], Self.child) == "access.guardian_only")
        #expect(Self.refusal(MemberSet.name, [:], Self.guardian) == nil)
        for person in [Self.child, Self.adult, Self.guardian] {
            for route in [DataBackup.name, AuthProve.name, SettingsSet.name, AppInstall.name, "no.such"] {
                #expect(Self.refusal(route, [:], person) == "access.administrator_only", "\(route)")
            }
        }
    }

    @Test("a body that names its member twice, with other letters or much else reaches no service as it was")
    func hostile() throws {
        var random = SystemRandomNumberGenerator()
        let keys = ["\"member\"", "\"mem\\u0062er\"", "\"Member\"", "\"member \"", "\"x\""]
        let values = [
            "\"ben\"", "\"mum\"", "null", "[\"mum\"]", "{\"member\":\"mum\"}", "\"b\\u0065n\"", "1",
        ]
        var passed = 0
        for _ in 0..<5_000 {
            let parts = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                "\(keys.randomElement(using: &random) ?? ""):\(values.randomElement(using: &random) ?? "")"
            }
            let body = Array("{\(parts.joined(separator: ","))}".utf8)
            guard let bytes = try? DoorRules.pass(RuleList.name, body, for: Self.child) else { continue }
            passed += 1
            #expect(try RuleList.Request.decodedBody(bytes).member == "ben", "\(parts)")
        }
        #expect(passed > 500)
    }

    @Test("an event about another keeps its place and loses what it says")
    func hidden() throws {
        func event(_ type: String, _ body: JSONValue) -> WireEvent {
            WireEvent(
                header: EventHeader(
                    id: "e1",
                    source: "/here/shield-service",
                    type: type,
                    timeMs: 1,
                    subject: "request/R1",
                    schema: 1,
                    stream: .shield,
                    epoch: "p",
                    sequence: 7,
                    previous: "e0",
                    traceparent: nil,
                    cause: "c"
                ),
                body: body.text
            )
        }
        let foreign = event(RequestChanged.type, ["request": ["member": "mum"]])
        let shown = DoorEvents.shown(foreign, to: Self.child)
        #expect(shown.header.type == "shield.hidden" && shown.body == Array("{}".utf8))
        #expect(shown.header.sequence == 7 && shown.header.id == "e1" && shown.header.previous == "e0")
        #expect(shown.header.subject == "" && shown.header.cause == nil)
        #expect(DoorEvents.shown(foreign, to: Self.guardian) == foreign)
        let own = event(RequestChanged.type, ["request": ["member": "ben"]])
        #expect(DoorEvents.shown(own, to: Self.child) == own)
        #expect(
            DoorEvents.shown(event("shield.new", ["member": "ben"]), to: Self.child).header.type
                == "shield.hidden"
        )
    }

    @Test("topics: whole streams and their heads, no beginnings that match more, no traces")
    func topics() {
        for topic in ["policy.", "policy.store.changed", "~head.policy", "~sync.abc"] {
            #expect(DoorEvents.isOpen(topic: topic, to: Self.child), "\(topic)")
        }
        for topic in [
            "", "p", "policy", "~", "~head.", "~trace.", "delivery.", "auth-service.history.", "POLICY.",
        ] {
            #expect(!DoorEvents.isOpen(topic: topic, to: Self.child), "\(topic)")
        }
        #expect(DoorEvents.isOpen(topic: "activity-center.history.", to: Self.guardian))
        #expect(!DoorEvents.isOpen(topic: "~trace.", to: Self.guardian))
    }

    @Test("a minute of use without the agent is noticed, and ends with its first word or with the use")
    func gate() {
        var gate = SessionGate(nowMs: 0)
        func looks(_ isUsed: Bool, _ seconds: ClosedRange<Int64>) -> [SessionGate.News] {
            stride(from: seconds.lowerBound, through: seconds.upperBound, by: 10)
                .map { gate.look(isUsed: isUsed, nowMs: $0 * 1_000) }
        }
        #expect(!gate.isSilent(nowMs: 29_999) && gate.isSilent(nowMs: 30_000))
        #expect(looks(true, 30...80) == Array(repeating: .nothing, count: 6))
        #expect(looks(true, 90...100) == [.unseen, .unseen])
        #expect(gate.heard(nowMs: 101_000) == .over)
        #expect(gate.heard(nowMs: 102_000) == .nothing)
        #expect(looks(true, 130...190) == Array(repeating: .nothing, count: 6) + [.unseen])
        #expect(looks(false, 200...210) == [.over, .nothing])
        #expect(looks(true, 220...270) == Array(repeating: .nothing, count: 6), "a new use is a new minute")
    }

    @Test("a console in front is blind, a shell from elsewhere only where no desktop is used")
    func blind() {
        let desktop = UsedSession(path: "1", isText: false, isOnSeat: true)
        let console = UsedSession(path: "2", isText: true, isOnSeat: true)
        let shell = UsedSession(path: "3", isText: true, isOnSeat: false)
        let second = UsedSession(path: "4", isText: false, isOnSeat: true, isOther: true)
        #expect(UsedSession.areBlind([second]) && UsedSession.areBlind([desktop, second]))
        #expect([[console], [shell], [shell, shell], [console, desktop]].allSatisfy(UsedSession.areBlind))
        #expect(
            [[], [desktop], [desktop, shell], [shell, desktop]].allSatisfy { !UsedSession.areBlind($0) }
        )
    }

    @Test("an account asks 600 times at once and 200 times a second, with any clock")
    func allowance() {
        var allowance = DoorAllowance()
        #expect((0..<1_000).count { _ in allowance.take(nowMs: 10_000) } == 600)
        #expect((0..<1_000).count { _ in allowance.take(nowMs: 10_500) } == 100)
        #expect((0..<1_000).count { _ in allowance.take(nowMs: 9_000) } == 0, "back")
        #expect((0..<1_000).count { _ in allowance.take(nowMs: 1_000_000) } == 600, "never more at once")
    }

    @Test("Only the agent may report screen use and notify guardians from a child's account")
    func agent() throws {
        let agent = DoorRequest(NotifyPost.name, group: 7, agentGroup: 7)
        let other = DoorRequest(NotifyPost.name, group: 8, agentGroup: 7)
        let body = JSONValue.object(["member": "mum"]).text
        #expect(agent.behalf(of: Self.child) == nil && other.behalf(of: Self.child) == "ben")
        #expect(try agent.forwarded(body, for: Self.child) == body)
        #expect(throws: Problem.self) { try other.forwarded(body, for: Self.child) }
        let observe = DoorRequest(UsageObserve.name, group: 8, agentGroup: 7)
        #expect(throws: Problem.self) { try observe.forwarded(Array("{}".utf8), for: Self.child) }
        let ping = { DoorRequest(HealthPing.name, group: 8, agentGroup: $0).isPing }
        #expect(ping(nil) && ping(8) && !ping(7))
    }

    @Test("A child's screen is locked after a minute without a ping, except on unobservable desktops")
    func watch() {
        let desktop = UsedSession(path: "1", isText: false, isOnSeat: true)
        func locked(blind: Bool) -> [String] {
            var watch = ScreenWatch(locks: true, isHeld: false, run: "r", nowMs: 0)
            _ = watch.look([desktop], nowMs: 30_000)
            if blind { _ = watch.pinged(.auth, isChild: true, nowMs: 80_000) }
            guard let found = watch.look([desktop], nowMs: 90_000), found.hold == .unseen else {
                return ["none"]
            }
            return watch.locked([desktop], found.news, isChild: true, nowMs: 90_000).map(\.path)
        }
        #expect(locked(blind: false) == ["1"] && locked(blind: true) == [])
        var watch = ScreenWatch(locks: true, isHeld: true, run: "r", nowMs: 0)
        let early = watch.look([desktop], nowMs: 1_000)
        let found = watch.pinged(.activity, isChild: true, nowMs: 1_000)
        #expect(early == nil && found.news == .nothing && found.hold == .over)
    }

    @Test(
        "from another machine a person asks what concerns people, and nothing that agents or services say to each other"
    )
    func afar() {
        for route in [MemberList.name, ReportUsage.name, RequestApprove.name, RuleAdd.name, MemberAdd.name] {
            #expect(DoorRules.isOpenFromAfar(route), "\(route)")
        }
        for route in [
            UsageObserve.name, UsageImport.name, TokenIssue.name, EventsSince.name, HouseholdPush.name,
            LinkAsk.name,
            DataBackup.name, "no.such_route",
        ] {
            #expect(!DoorRules.isOpenFromAfar(route), "\(route)")
        }
    }
}
