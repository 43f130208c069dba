import STContracts
import STDomain
import STPlatform
import STStore
import STTestKit
import Testing

@testable import STShieldCore

@Suite("Shown shields and button presses")
struct PressTests {
    private static let shields = [Showing.store("a"): StoreShields(apps: [Showing.game])]

    private func showing(_ look: ShieldAppearance? = Showing.look("own")) throws -> Showing {
        let showing = try Showing(Self.shields)
        showing.answer(look)
        return showing
    }

    @Test("Showing an app that is not shielded returns no shield and records nothing")
    func allowed() throws {
        let showing = try showing()
        let reply = try showing.show(ShieldSubject(app: "org.free"))
        #expect(reply.shield == nil && reply.view == nil && !reply.decision.isShielded)
        #expect(try showing.bench.ask(ShieldList.self, .init()).shields.isEmpty)
        #expect(showing.bench.events.isEmpty)
    }

    @Test("Every shown shield is counted, published, and listed with its causes, segment and time")
    func counted() throws {
        let showing = try showing()
        for wallMs in [nil, 1_000, Int64.max] {
            _ = try showing.bench.ask(
                ShieldShow.self,
                .init(subject: .init(app: Showing.game), segment: "s1", wallMs: wallMs)
            )
        }
        let list = try showing.bench.ask(ShieldList.self, .init(member: Showing.member))
        let now = showing.bench.time.now().wallMs

        #expect(list.shields.map(\.wallMs) == [now, 1_000, now])
        #expect(list.counts == [ShieldCount(subject: .init(app: Showing.game), shown: 3, pressed: 0)])
        #expect(list.shields.allSatisfy { $0.segment == "s1" && $0.causes.map(\.app) == ["a"] })
        #expect(showing.bench.events.map(\.header.type) == Array(repeating: ShieldShown.type, count: 3))
        #expect(try showing.bench.ask(ShieldList.self, .init(member: "lee")).shields.isEmpty)
        #expect(try showing.bench.ask(ShieldList.self, .init(toWallMs: 1_001)).counts.first?.shown == 1)
    }

    @Test("A shield with hundreds of causes names the first ones, rules before apps, and counts the others")
    func manyCauses() throws {
        func long(_ name: String) -> String { name + String(repeating: "\"", count: 120) }
        var stores: [StoreName: StoreShields] = [:]
        for number in 0..<100 {
            let name = Showing.store(number < 50 ? "an.app" : "other.app", long("\(number)"))
            stores[name] = StoreShields(
                apps: [Showing.game],
                categories: CategoryPolicy(.all, categories: [], except: []),
                blockedApps: [Showing.game]
            )
        }
        stores[Showing.store(BuiltInRules.app, "evenings")] = StoreShields(apps: [Showing.game])
        let showing = try Showing(stores, apps: ["other.app": Showing.extensions("other.app")])
        showing.answer(Showing.look("own"))
        let reply = try showing.show()
        #expect(reply.decision.causes.count == ShieldCauseBody.namedMax && reply.decision.more == 281)
        #expect(reply.decision.causes.first?.app == BuiltInRules.app)
        #expect(reply.view?.app == "other.app" && reply.view?.source == .app)
        let shown = try #require(try showing.bench.ask(ShieldList.self, .init()).shields.first)
        #expect(shown.causes.prefix(2).map(\.app) == ["other.app", BuiltInRules.app])
        #expect(shown.causes.count == ShieldCauseBody.namedMax && shown.more == 281)
        #expect(try showing.bench.events.last?.decoded(ShieldShown.self).more == 281)
        let decided = try showing.bench.ask(ShieldDecide.self, .init(subject: .init(app: Showing.game)))
        #expect(decided.decision == reply.decision)
    }

    @Test("Shown shields are listed in pages, with counts only on the first page")
    func pages() throws {
        let showing = try showing()
        for _ in 0..<5 { _ = try showing.show() }
        let first = try showing.bench.ask(ShieldList.self, .init(limit: 3))
        let second = try showing.bench.ask(ShieldList.self, .init(next: first.next, limit: 3))
        #expect(first.shields.count == 3 && second.shields.count == 2)
        #expect(second.next == nil && second.counts.isEmpty && !first.counts.isEmpty)
        #expect(Set((first.shields + second.shields).map(\.shield)).count == 5)
        for next in ["x", "-1", "0"] {
            #expect(try showing.bench.refusal(ShieldList.self, .init(next: next))?.code == "page.invalid")
        }
    }

    @Test("A repeated press gets the same response, and a lower press number is refused")
    func answeredOnce() throws {
        let showing = try showing()
        let shield = try showing.show().shield
        showing.answer(Showing.look("own"), press: .init(response: ShieldResponse.none))
        #expect(try showing.press(shield, button: .secondary, press: 1).response == .none)
        // The app would now send another response.
        showing.answer(Showing.look("own"), press: .init(response: .close))
        #expect(try showing.press(shield, button: .secondary, press: 1).response == .none)
        #expect(try showing.refusal(shield, button: .primary, press: 1)?.code == "shield.answered")
        #expect(try showing.press(shield, button: .primary, press: 5).response == .close)
        #expect(try showing.refusal(shield, button: .secondary, press: 4)?.code == "shield.answered")
        #expect(try showing.bench.ask(ShieldList.self, .init()).counts.first?.pressed == 2)

        let again = try showing.bench.reopened()
        let reply = try again.ask(ShieldPress.self, .init(shield: shield ?? "", button: .primary, press: 5))
        #expect(reply.response == .close)
    }

    @Test("A press is refused if the shield or button does not exist or the press number is invalid")
    func refused() throws {
        let showing = try showing(Showing.look("own", secondary: nil))
        let shield = try showing.show().shield
        #expect(try showing.refusal("nothing", button: .primary, press: 1)?.code == "shield.unknown")
        #expect(try showing.refusal(shield, button: .secondary, press: 1)?.code == "shield.no_button")
        #expect(try showing.refusal(shield, button: .firstSubmenu, press: 1)?.code == "shield.no_button")
        #expect(try showing.refusal(shield, button: .unknown, press: 1)?.code == "body.unknown_value")
        #expect(try showing.refusal(shield, button: .primary, press: 0)?.code == "shield.answered")
        #expect(try showing.refusal(shield, button: .primary, press: .max)?.code == "body.invalid")
    }

    @Test("A menu item can be pressed only if the shield shows it")
    func submenu() throws {
        let showing = try showing(Showing.look("own", submenu: ["5 min", "10 min"]))
        let shield = try showing.show().shield
        showing.answer(Showing.look("own"), press: .init(response: .close))
        #expect(try showing.press(shield, button: .secondSubmenu, press: 1).response == .close)
        #expect(try showing.refusal(shield, button: .thirdSubmenu, press: 2)?.code == "shield.no_button")
    }

    @Test("An unanswered press can start another attempt, and an answered press starts none")
    func job() throws {
        let showing = try showing()
        let shield = try #require(try showing.show().shield)
        func begin(_ button: ShieldButton, _ press: Int64) throws -> PressJob? {
            try showing.begin(.init(shield: shield, button: button, press: press)).job
        }
        let first = try begin(.secondary, 1)
        #expect(first?.call == shield + "/1")
        #expect(first?.attempt == 1)
        #expect(first?.executable == "/x/act")
        #expect(first?.target.application?.id == Showing.game)
        #expect(try begin(.secondary, 1)?.attempt == 2)
        _ = try showing.press(shield, button: .secondary, press: 1)
        // The press is answered now.
        #expect(try begin(.secondary, 1) == nil)
        #expect(try begin(.primary, 2)?.attempt == 1)
    }

    @Test("An app with only an action extension receives the second button of the default appearance")
    func buttonsAlone() throws {
        for (configuration, action) in [(nil, "/x/act"), ("/x/look", "/x/act"), (nil, nil)] {
            let app = Showing.extensions("a", configuration: configuration, action: action)
            let showing = try Showing(Self.shields, apps: ["a": app])
            showing.answer(nil, press: PressCall.Reply(isForMore: true))
            let shield = try #require(try showing.show().shield)
            let begun = try showing.begin(.init(shield: shield, button: .secondary, press: 1))
            let isApps = configuration == nil && action != nil
            #expect((begun.job != nil) == isApps && begun.isForMore == !isApps)
        }
    }

    @Test("If the app's extension crashes, the first button still closes the shield")
    func failed() throws {
        let showing = try showing()
        let shield = try showing.show().shield
        showing.answer(nil, press: .init(problem: Problem("extension.crashed", "It fell.")))
        let secondary = try showing.press(shield, button: .secondary, press: 1)
        #expect(secondary.response == .none && secondary.problem?.code == "extension.crashed")
        let primary = try showing.press(shield, button: .primary, press: 2)
        #expect(primary.response == .close && primary.problem?.code == "extension.crashed")
    }

    @Test("A press that cannot reach the app is refused as retryable and can be repeated")
    func notReady() throws {
        let showing = try showing()
        let shield = try showing.show().shield
        showing.bench.companion = nil
        for button in [ShieldButton.secondary, .primary] {
            let problem = try showing.refusal(shield, button: button, press: 1)
            #expect(problem?.code == "unavailable" && problem?.retryable == true)
        }
        #expect(try showing.bench.ask(ShieldList.self, .init()).counts.first?.pressed == 0)
        showing.answer(nil, press: .init(response: .close))
        #expect(try showing.press(shield, button: .secondary, press: 1) == .init(response: .close))
    }

    @Test("After the response `defer` the shield is drawn again, and a button that it lost is refused")
    func deferred() throws {
        let showing = try showing()
        let shield = try showing.show().shield
        let wanted = try showing.wanted(.init(app: Showing.game))
        let look = ShieldAppearanceResult(
            app: "a",
            stamp: wanted.stamp,
            look: Showing.look("again", secondary: nil)
        )
        showing.answer(nil, press: .init(response: .defer, look: look))
        let reply = try showing.press(shield, button: .secondary, press: 1)
        #expect(reply.response == .defer)
        #expect(reply.view?.look.title?.text == "again")
        #expect(try showing.refusal(shield, button: .secondary, press: 2)?.code == "shield.no_button")
    }

    @Test("The first button of the default appearance closes the shield")
    func builtIn() throws {
        let showing = try Showing(
            Self.shields,
            apps: ["a": Showing.extensions("a", configuration: nil, action: nil)]
        )
        let shield = try showing.show().shield
        #expect(try showing.press(shield, button: .primary, press: 1) == .init(response: .close))
    }

    @Test("The second button of a rule's shield requests 15 min once, and the shield shows the request")
    func more() throws {
        let store = Showing.store(BuiltInRules.app, "evenings")
        let showing = try Showing([store: StoreShields(apps: [Showing.game])], apps: [:])
        showing.answer(nil, press: PressCall.Reply(isForMore: true))
        showing.bench.otherService = { route, _ in
            guard route == MemberList.name else { throw Problem("route.not_found", verbatim: route) }
            let members = [
                Member(name: Showing.member, role: .individual), Member(name: "mum", role: .guardian),
            ]
            return try MemberList.Reply(device: Device(id: "d", name: "d"), members: members).encodedBody()
        }
        let shield = try showing.show().shield
        let begun = try showing.begin(.init(shield: shield ?? "", button: .secondary, press: 1))
        #expect(begun.isForMore && begun.job == nil)
        let reply = try showing.press(shield, button: .secondary, press: 1)
        #expect(reply.response == .defer)
        let look = try #require(reply.view?.look)
        #expect(look.subtitle?.text.contains(" Request R1 for 15 min more: ") == true)
        #expect(look.secondary == nil)
        let asked = try showing.bench.ask(RequestList.self, .init()).requests
        #expect(asked.map(\.items) == [[TokenItem(kind: .application, id: Showing.game)]])
        #expect(asked.first?.durationMs == 900_000 && asked.first?.member == Showing.member)
        #expect(try showing.press(shield, button: .secondary, press: 1) == reply)
        #expect(try showing.bench.ask(RequestList.self, .init()).requests.count == 1)
        #expect(try showing.refusal(shield, button: .secondary, press: 2)?.code == "shield.no_button")
    }

    /// A rule's shield of the game in a household of these members.
    private func ruled(_ members: [Member]) throws -> Showing {
        let store = Showing.store(BuiltInRules.app, "evenings")
        let showing = try Showing([store: StoreShields(apps: [Showing.game])], apps: [:], members: members)
        showing.answer(nil, press: PressCall.Reply(isForMore: true))
        showing.bench.otherService = { route, _ in
            guard route == MemberList.name else { throw Problem("route.not_found", verbatim: route) }
            return try MemberList.Reply(device: Device(id: "d", name: "d"), members: members).encodedBody()
        }
        return showing
    }

    @Test("The menu of an adult's shield offers 15 minutes and, once a day, one more minute")
    func menu() throws {
        let showing = try ruled([Member(name: Showing.member, role: .individual)])
        let shown = try showing.show()
        #expect(shown.view?.look.submenu == ["One more minute", "15 minutes"])
        #expect(
            try showing.refusal(shown.shield, button: .thirdSubmenu, press: 1)?.code == "shield.no_button"
        )
        #expect(try showing.press(shown.shield, button: .firstSubmenu, press: 1).response == .defer)
        let granted = try #require(try showing.bench.ask(RequestList.self, .init()).requests.first)
        #expect(granted.durationMs == 60_000 && granted.state == .granted)

        // The minute is granted once a day for each app, and does not count as a grant of the rule.
        showing.bench.time.advance(byMs: 60_000)
        _ = try showing.bench.step { try RequestHandlers.advance(&$0, context: $1, change: $2) }
        let again = try showing.show()
        #expect(again.view?.look.submenu == [] && again.view?.look.secondary?.text == "Ask for more time")
        let minute = RequestAdd.Request(
            items: [TokenItem(kind: .application, id: Showing.game)],
            durationMs: 60_000,
            shield: again.shield
        )
        #expect(try showing.bench.ask(RequestAdd.self, minute).request.state == .waiting)
        #expect(showing.bench.state.requests.days.isEmpty)
        for ms: Int64 in [86_400_000, 60_000] {
            showing.bench.time.advance(byMs: ms)
            _ = try showing.bench.step { try RequestHandlers.advance(&$0, context: $1, change: $2) }
        }
        #expect(try showing.show().view?.look.submenu.first == "One more minute")
    }

    @Test("The menu of a child's shield also offers an hour and the rest of the day")
    func menuOfChild() throws {
        let people = [Member(name: Showing.member, role: .child), Member(name: "mum", role: .guardian)]
        let showing = try ruled(people)
        let shown = try showing.show(language: "ko_KR")
        #expect(shown.view?.look.submenu == ["1분만 더", "15분", "1시간", "오늘 하루"])
        #expect(try showing.press(shown.shield, button: .fourthSubmenu, press: 1).response == .defer)
        let asked = try #require(try showing.bench.ask(RequestList.self, .init()).requests.first)
        let now = showing.bench.time.now().wallMs
        let end = LocalDay(zone: showing.bench.time.zone()).end(ofDayAtWallMs: now)
        #expect(asked.durationMs == end - now && asked.state == .waiting)
    }

    @Test("Pressing an app's second button without an action extension only reports the problem")
    func noAction() throws {
        let showing = try Showing(Self.shields, apps: ["a": Showing.extensions("a", action: nil)])
        showing.answer(Showing.look("own"))
        let shield = try showing.show().shield
        let reply = try showing.press(shield, button: .secondary, press: 1)
        #expect(reply.response == .none && reply.problem?.code == "app.no_shield_action")
        #expect(try showing.press(shield, button: .primary, press: 2) == .init(response: .close))
    }

    @Test("Beyond the limits, the oldest shields first lose their stored responses and then are removed")
    func limits() throws {
        let showing = try showing()
        let shield = try showing.show().shield
        showing.answer(Showing.look("own"), press: .init(response: .close))
        _ = try showing.press(shield, button: .primary, press: 1)
        for _ in 0..<(ShieldHistory.answersMax + 100) { _ = try showing.show() }
        #expect(try showing.refusal(shield, button: .primary, press: 1)?.code == "shield.answered")
        #expect(try showing.press(shield, button: .primary, press: 2).response == .close)

        try showing.bench.database.transaction {
            try showing.bench.database.run("UPDATE sqlite_sequence SET seq = 40000 WHERE name = 'shields'")
        }
        for _ in 0..<100 { _ = try showing.show() }
        #expect(try showing.refusal(shield, button: .primary, press: 3)?.code == "shield.unknown")
    }
}
