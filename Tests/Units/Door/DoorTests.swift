import STAccountDoorCore
import STPlatform
import STTestSupport
import Testing

@testable import STContracts

/// Requests and events between an account and the services on a protected computer.
@Suite("The door of an account")
struct DoorTests {
    private static let child = DoorPerson(account: "ben", member: "ben", role: .child)
    private static let adult = DoorPerson(account: "kim", member: "kim", role: .individual)
    private static let guardian = DoorPerson(account: "mum", member: "mum", role: .guardian)
    private static let entries = Catalogue.entries.filter { $0.service != .desktop }
    private static let routes = entries.flatMap(\.routes) + Catalogue.common

    private static func pass(_ route: String, body: JSONValue, person: DoorPerson) throws -> JSONValue {
        try JSONValue(text: DoorRules.admit(route, body.text, for: person))
    }

    private static func refusal(_ route: String, body: JSONValue, person: DoorPerson) -> String? {
        do {
            _ = try pass(route, body: body, person: person)
            return nil
        } catch {
            return Problem(error).code
        }
    }

    @Test("Every route has a rule, and a route with a member never passes unchecked")
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

    @Test("The subscriptions of desktop-agent remain after another program subscribes to thousands of topics")
    func manyTopics() throws {
        let markers = (0..<3 * RelayedTopics.markersMax).map { "\(Topic.syncPrefix)\($0)" }
        for isKnown in [true, false] {
            var topics = RelayedTopics()
            var followed: Set<String> = []
            func carryOut(_ changes: [RelayedTopics.Change]) {
                for change in changes {
                    switch change {
                    case .subscribe(let topic): #expect(followed.insert(topic).inserted)
                    case .unsubscribe(let topic): #expect(followed.remove(topic) != nil)
                    }
                }
            }
            if isKnown { carryOut(topics.begin(Self.child)) }
            for topic in markers + (0..<3_000).map({ "usage.\($0)" }) { carryOut(topics.subscribe(topic)) }
            let agent = [Topic.subscription(.policy), Topic.head(.policy), "\(Topic.syncPrefix)agent"]
            for topic in agent + ["delivery.", "Not valid"] { carryOut(topics.subscribe(topic)) }
            carryOut(topics.begin(Self.child))

            #expect(followed.isSuperset(of: agent))
            #expect(followed.filter { !$0.hasPrefix(Topic.syncPrefix) } == Set(agent.prefix(2) + ["usage."]))
            #expect(followed.count == RelayedTopics.markersMax + 3)
            // A repeated head subscription makes the service publish the head again. A marker that is requested while the account
            // has no person is subscribed later.
            #expect(topics.subscribe(agent[1]) == [.subscribe(agent[1]), .unsubscribe(agent[1])])
            carryOut(topics.begin(nil))
            #expect(followed.isSuperset(of: agent.prefix(2)) && followed.count == 3)
            #expect(topics.subscribe("\(Topic.syncPrefix)later") == [])
            carryOut(topics.begin(Self.child))
            #expect(followed.isSuperset(of: agent + ["\(Topic.syncPrefix)later"]))
            // The stream subscriptions remain for other programs.
            for topic in agent { carryOut(topics.unsubscribe(topic)) }
            #expect(followed.isSuperset(of: agent.prefix(2)) && !followed.contains(agent[2]))
        }
    }

    @Test(
        "A request with a passcode from a child's account is rejected, except setting the child's own passcode"
    )
    func passcodes() {
        let body: JSONValue = ["passcode": "1234", "member": "ben"]
        let proof: JSONValue = ["proof": ["by": "mum", "passcode": "1234"], "member": "ben"]
        for route in Self.routes {
            for body in [body, proof] where route.name != MemberPasscode.name || body == proof {
                #expect(
                    Self.refusal(route.name, body: body, person: Self.child) == "access.passcode_elsewhere",
                    "\(route.name)"
                )
            }
            for person in [Self.adult, Self.guardian] {
                #expect(
                    Self.refusal(route.name, body: proof, person: person) != "access.passcode_elsewhere",
                    "\(route.name)"
                )
            }
        }
        // A child may set their own passcode, and send a proof without a passcode.
        #expect(Self.refusal(MemberPasscode.name, body: body, person: Self.child) == nil)
        #expect(Self.refusal(RequestDeny.name, body: ["proof": ["by": "mum"]], person: Self.child) == nil)
        let asked = Problem("auth.proof_needed", "This action requires the passcode of mum.")
        #expect(DoorRules.refusal(asked, for: Self.child).code == "access.passcode_elsewhere")
        #expect(DoorRules.refusal(asked, for: Self.guardian) == asked)
        let other = Problem("rule.unknown", "There is no such rule.")
        #expect(DoorRules.refusal(other, for: Self.child) == other)
    }

    @Test("Every event has the place of its member, if its body has one")
    func events() {
        let events = Self.entries.flatMap(\.events).filter { !$0.type.hasSuffix(".history.line") }
        for event in events {
            // The stream of callbacks is only for guardians.
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
                // Notices are for all members and name the member whose passcode changed.
                #expect(
                    schema["properties"]?["member"] == nil || event.type == AuthorizationNoticed.type,
                    "\(event.type)"
                )
            }
        }
    }

    @Test("A request is limited to the person's own member, which is also the default")
    func own() throws {
        for (route, way) in DoorRules.ways where way == .own || way == .rows {
            for person in [Self.child, Self.adult] {
                let own = JSONValue.string(person.member)
                #expect(try Self.pass(route, body: [:], person: person)["member"] == own, "\(route)")
                #expect(
                    try Self.pass(route, body: .object(["member": own]), person: person)["member"] == own,
                    "\(route)"
                )
                #expect(
                    Self.refusal(route, body: ["member": "mum"], person: person) == "access.not_yours",
                    "\(route)"
                )
                #expect(
                    Self.refusal(route, body: ["member": 1], person: person) == "access.not_yours",
                    "\(route)"
                )
            }
            #expect(
                try Self.pass(route, body: ["member": "ben"], person: Self.guardian)["member"] == "ben",
                "\(route)"
            )
        }
        #expect(
            try Self.pass(RuleList.name, body: [:], person: Self.guardian)["member"] == nil,
            "a guardian sees all"
        )
        #expect(try Self.pass(ReportUsage.name, body: [:], person: Self.child)["members"] == ["ben"])
        for members: JSONValue in [["mum"], ["ben", "mum"], [], "ben"] {
            #expect(
                Self.refusal(ReportUsage.name, body: .object(["members": members]), person: Self.child)
                    == "access.not_yours"
            )
        }
    }

    @Test("An agent can report only for its own member, and its name includes the account")
    func seen() throws {
        let mine: JSONValue = ["agent": "desktop-agent", "observations": [["member": "ben"]]]
        #expect(
            try Self.pass(UsageObserve.name, body: mine, person: Self.child)["agent"] == "desktop-agent@ben"
        )
        for observations: JSONValue in [[["member": "mum"]], [["member": "ben"], ["member": "mum"]], [[:]]] {
            let body = JSONValue.object(["agent": "x", "observations": observations])
            #expect(Self.refusal(UsageObserve.name, body: body, person: Self.child) == "access.not_yours")
        }
        #expect(Self.refusal(UsageObserve.name, body: mine, person: Self.guardian) == "access.not_yours")
        let rows: JSONValue = ["rows": [["member": "ben"], ["member": "mum"]]]
        #expect(Self.refusal(UsageImport.name, body: rows, person: Self.child) == "access.not_yours")
        let rule: JSONValue = ["rule": ["member": "mum"]]
        #expect(Self.refusal(RequestRuleSet.name, body: rule, person: Self.child) == "access.not_yours")
    }

    @Test("Routes of guardians and of the administrator are rejected for everyone else")
    func roles() {
        #expect(Self.refusal(MemberSet.name, body: [:], person: Self.child) == "access.guardian_only")
        #expect(Self.refusal(MemberSet.name, body: [:], person: Self.guardian) == nil)
        for person in [Self.child, Self.adult, Self.guardian] {
            for route in [DataBackup.name, AuthProve.name, SettingsSet.name, AppInstall.name, "no.such"] {
                #expect(
                    Self.refusal(route, body: [:], person: person) == "access.administrator_only",
                    "\(route)"
                )
            }
        }
    }

    @Test("A request body with ambiguous members is rejected or limited to the person's own member")
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
            guard let bytes = try? DoorRules.admit(RuleList.name, body, for: Self.child) else { continue }
            passed += 1
            #expect(try RuleList.Request.decodedBody(bytes).member == "ben", "\(parts)")
        }
        #expect(passed > 500)
    }

    @Test("An event about another member keeps its position and loses its content")
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
        let shown = DoorEvents.filtered(foreign, to: Self.child)
        #expect(shown.header.type == "shield.hidden" && shown.body == Array("{}".utf8))
        #expect(shown.header.sequence == 7 && shown.header.id == "e1" && shown.header.previous == "e0")
        #expect(shown.header.subject == "" && shown.header.cause == nil)
        #expect(DoorEvents.filtered(foreign, to: Self.guardian) == foreign)
        let own = event(RequestChanged.type, ["request": ["member": "ben"]])
        #expect(DoorEvents.filtered(own, to: Self.child) == own)
        #expect(
            DoorEvents.filtered(event("shield.new", ["member": "ben"]), to: Self.child).header.type
                == "shield.hidden"
        )
    }

    @Test("Topics of whole streams and heads are open, and short prefixes and traces are not")
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

    @Test("A minute of usage without the agent is unseen until the agent reports or the usage ends")
    func gate() {
        var gate = SessionMonitor(at: BootTime(ms: 0))
        func looks(_ isUsed: Bool, _ seconds: ClosedRange<Int64>) -> [SessionMonitor.Transition] {
            stride(from: seconds.lowerBound, through: seconds.upperBound, by: 10)
                .map { gate.check(isUsed: isUsed, at: BootTime(ms: $0 * 1_000)) }
        }
        #expect(!gate.isOverdue(at: BootTime(ms: 29_999)) && gate.isOverdue(at: BootTime(ms: 30_000)))
        #expect(looks(true, 30...80) == Array(repeating: .unchanged, count: 6))
        #expect(looks(true, 90...100) == [.unobserved, .unobserved])
        #expect(gate.receivePing(at: BootTime(ms: 101_000)) == .observed)
        #expect(gate.receivePing(at: BootTime(ms: 102_000)) == .unchanged)
        #expect(looks(true, 130...190) == Array(repeating: .unchanged, count: 6) + [.unobserved])
        #expect(looks(false, 200...210) == [.observed, .unchanged])
        #expect(looks(true, 220...270) == Array(repeating: .unchanged, count: 6), "a new use is a new minute")
    }

    @Test(
        "A text console in the foreground is unobservable, and a remote shell only without a desktop session"
    )
    func blind() {
        let desktop = UsedSession(path: "1", isText: false, isOnSeat: true)
        let console = UsedSession(path: "2", isText: true, isOnSeat: true)
        let shell = UsedSession(path: "3", isText: true, isOnSeat: false)
        let second = UsedSession(path: "4", isText: false, isOnSeat: true, isOther: true)
        #expect(UsedSession.areUnobservable([second]) && UsedSession.areUnobservable([desktop, second]))
        #expect(
            [[console], [shell], [shell, shell], [console, desktop]].allSatisfy(UsedSession.areUnobservable)
        )
        #expect(
            [[], [desktop], [desktop, shell], [shell, desktop]].allSatisfy {
                !UsedSession.areUnobservable($0)
            }
        )
    }

    @Test("An account can send 600 requests in a burst and 200 per second, with any clock")
    func allowance() {
        var allowance = RequestRateLimit()
        #expect((0..<1_000).count { _ in allowance.allows(at: BootTime(ms: 10_000)) } == 600)
        #expect((0..<1_000).count { _ in allowance.allows(at: BootTime(ms: 10_500)) } == 100)
        #expect((0..<1_000).count { _ in allowance.allows(at: BootTime(ms: 9_000)) } == 0, "back")
        #expect(
            (0..<1_000).count { _ in allowance.allows(at: BootTime(ms: 1_000_000)) } == 600,
            "at most a burst"
        )
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
            var watch = ScreenMonitor(locks: true, isHeld: false, run: "r", at: BootTime(ms: 0))
            _ = watch.check([desktop], at: BootTime(ms: 30_000))
            if blind { _ = watch.receivePing(.auth, isChild: true, at: BootTime(ms: 80_000)) }
            guard let found = watch.check([desktop], at: BootTime(ms: 90_000)), found.hold == .unobserved
            else {
                return ["none"]
            }
            return watch.lockTargets([desktop], found.news, isChild: true, at: BootTime(ms: 90_000)).map(
                \.path
            )
        }
        #expect(locked(blind: false) == ["1"] && locked(blind: true) == [])
        var watch = ScreenMonitor(locks: true, isHeld: true, run: "r", at: BootTime(ms: 0))
        let early = watch.check([desktop], at: BootTime(ms: 1_000))
        let found = watch.receivePing(.activity, isChild: true, at: BootTime(ms: 1_000))
        #expect(early == nil && found.news == .unchanged && found.hold == .observed)
    }

    @Test(
        "Only routes for people, not those of agents and services, are open from another machine"
    )
    func afar() {
        for route in [MemberList.name, ReportUsage.name, RequestApprove.name, RuleAdd.name, MemberAdd.name] {
            #expect(DoorRules.isRemoteRoute(route), "\(route)")
        }
        for route in [
            UsageObserve.name, UsageImport.name, TokenIssue.name, EventsSince.name, HouseholdPush.name,
            LinkAsk.name,
            DataBackup.name, "no.such_route",
        ] {
            #expect(!DoorRules.isRemoteRoute(route), "\(route)")
        }
    }
}
