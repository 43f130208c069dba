import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@testable import STShieldCore

@Suite("Sources of shield appearances")
struct DrawingTests {
    private static let app = ShieldSubject(app: Showing.game)

    @Test("The extension for an app that is shielded by id receives the app without a category")
    func named() throws {
        let showing = try Showing([Showing.store("a"): StoreShields(apps: [Showing.game])])
        let wanted = try showing.wanted(Self.app)

        #expect(wanted.app == "a")
        #expect(wanted.member == Showing.member)
        #expect(wanted.executable == "/x/look")
        #expect(wanted.target?.application?.id == Showing.game)
        #expect(wanted.target?.category == nil)
        #expect(wanted.target?.items == [TokenItem(kind: .application, id: Showing.game)])
    }

    @Test("The extension for an app that is shielded by category receives the category's translated name")
    func category() throws {
        let policy = CategoryPolicy(.specific, categories: ["other"])
        let showing = try Showing([Showing.store("a"): StoreShields(categories: policy)])
        let wanted = try showing.wanted(Self.app, language: "ko_KR")

        #expect(wanted.target?.category == ShieldName(id: "other", name: "기타"))
        #expect(wanted.target?.items.map(\.kind) == [.application, .category])
    }

    @Test("If all categories are shielded, the extension receives the category of the app")
    func all() throws {
        let fact = SubjectFacts(
            subject: Showing.game,
            category: "games",
            source: .person,
            name: nil,
            names: [:]
        )
        let showing = try Showing(
            [Showing.store("a"): StoreShields(categories: CategoryPolicy(.all))],
            facts: [fact]
        )
        #expect(try showing.wanted(Self.app).target?.category?.id == "games")
    }

    @Test("The extension for a shielded site in a browser receives the site without the browser")
    func site() throws {
        let showing = try Showing([Showing.store("a"): StoreShields(domains: [Showing.site])])
        let wanted = try showing.wanted(ShieldSubject(app: "org.browser", domain: Showing.site))

        #expect(wanted.target?.domain?.id == Showing.site)
        #expect(wanted.target?.application == nil)
    }

    @Test("The extension for a shielded browser receives the browser without the site")
    func browser() throws {
        let showing = try Showing([Showing.store("a"): StoreShields(apps: ["org.browser"])])
        let wanted = try showing.wanted(ShieldSubject(app: "org.browser", domain: Showing.site))

        #expect(wanted.target?.application?.id == "org.browser")
        #expect(wanted.target?.domain == nil)
    }

    @Test("The first cause whose app has a configuration extension draws the shield and is listed first")
    func first() throws {
        let shields = StoreShields(apps: [Showing.game])
        let stores = [Showing.store("a"): shields, Showing.store("b"): shields, Showing.store("c"): shields]
        let showing = try Showing(
            stores,
            apps: [
                "a": Showing.extensions("a", configuration: nil), "b": Showing.extensions("b"),
                "c": Showing.extensions("c"),
            ]
        )
        #expect(try showing.wanted(Self.app).app == "b")
        showing.answer(Showing.look("b's"))
        _ = try showing.show()
        let shown = try showing.bench.ask(ShieldList.self, .init()).shields
        #expect(shown.first?.causes.map(\.app) == ["b", "a", "c"])
    }

    @Test("Without a configuration extension, a shield has the default appearance and names its app")
    func builtIn() throws {
        let shields = StoreShields(apps: [Showing.game])
        let showing = try Showing(
            [Showing.store("a"): shields],
            apps: ["a": Showing.extensions("a", configuration: nil, action: nil)]
        )
        let view = try #require(try showing.show().view)

        #expect(view.source == .builtIn)
        #expect(view.app == "a")
        #expect(view.problem == nil)
        #expect(view.look.title?.text == "org.game is shielded")
        #expect(view.look.subtitle?.text == "This shield comes from The a.")
        #expect(view.look.primary?.text == "OK")
        #expect(view.look.secondary?.text == "Ask for more time")
    }

    @Test("A rule's shield names the rule, and is in Korean if the language is Korean")
    func rule() throws {
        let store = Showing.store(BuiltInRules.app, "evenings")
        let names = SubjectFacts(
            subject: Showing.game,
            category: "games",
            source: .desktop,
            name: "The Game",
            names: ["ko": "그 게임"]
        )
        let showing = try Showing([store: StoreShields(apps: [Showing.game])], apps: [:], facts: [names])

        #expect(
            try showing.show().view?.look.subtitle?.text == "This shield comes from your rule “evenings”."
        )
        let korean = try #require(try showing.show(language: "ko_KR").view?.look)
        #expect(korean.title?.text == "그 게임 사용이 제한되었습니다")
        #expect(korean.subtitle?.text.contains("“evenings” 규칙") == true)
        #expect(korean.primary?.text == "확인")
        #expect(korean.secondary?.text == "시간 더 요청하기")
    }

    @Test(
        "A rule's shield shows the app's icon if it is a PNG or SVG file, otherwise an hourglass",
        arguments: [
            ("/usr/share/icons/game.png", true), ("/usr/share/icons/game.svg", true),
            ("/usr/share/pixmaps/game.xpm", false), ("game", false), ("icons/game.png", false), (nil, false),
        ]
    )
    func picture(_ icon: String?, isDrawn: Bool) throws {
        let facts = SubjectFacts(
            subject: Showing.game,
            category: "games",
            source: .desktop,
            names: [:],
            icon: icon
        )
        let store = Showing.store(BuiltInRules.app, "evenings")
        let app = try Showing([store: StoreShields(apps: [Showing.game])], apps: [:], facts: [facts])
        let shown = try #require(try app.show().view?.look.icon)
        let hourglass = ShieldIcon(kind: .system, name: "hourglass")
        #expect(shown == (isDrawn ? ShieldIcon(kind: .file, name: icon) : hourglass))
        // An app's own appearance without an icon gets the hourglass.
        let own = try Showing([Showing.store("a"): StoreShields(apps: [Showing.game])], facts: [facts])
        var look = Showing.look("Later!")
        look.icon = nil
        own.answer(look)
        #expect(try own.show().view?.look.icon == hourglass)
    }

    @Test("An app's own appearance is shown, and gets a default icon and first button if it has none")
    func own() throws {
        let showing = try Showing([Showing.store("a"): StoreShields(apps: [Showing.game])])
        var look = Showing.look("Later!", secondary: nil)
        look.primary = nil
        showing.answer(look)
        let view = try #require(try showing.show().view)

        #expect(view.source == .app)
        #expect(view.look.title?.text == "Later!")
        #expect(view.look.primary?.text == "OK")
        // A second button is shown only if the app defines one.
        #expect(view.look.secondary == nil)
        #expect(view.look.icon?.kind == .system)
    }

    @Test("If the app's appearance is missing or late, the default appearance is shown with the reason")
    func missing() throws {
        let showing = try Showing([Showing.store("a"): StoreShields(apps: [Showing.game])])
        showing.answer(ShieldAppearance(submenu: []), missing: "configuration(shielding:)")
        #expect(try showing.show().view?.missing == "configuration(shielding:)")
        #expect(try showing.show().view?.source == .builtIn)

        showing.answer(nil, problem: Problem("shield.too_late", "Late."))
        #expect(try showing.show().view?.problem?.code == "shield.too_late")
        #expect(try showing.show().view?.look.title?.text == "org.game is shielded")

        showing.bench.companion = nil
        #expect(try showing.show().view?.problem?.code == "shield.no_look")
    }

    @Test("An appearance with an outdated stamp is replaced by the default one and `shield.changed`")
    func changed() throws {
        let showing = try Showing([Showing.store("a"): StoreShields(apps: [Showing.game])])
        showing.bench.companion = { _, _ in
            try ShieldAppearanceCall.Reply(
                answer: ShieldAppearanceResult(app: "a", stamp: "old", look: Showing.look("old"))
            )
            .encodedBody()
        }
        let view = try showing.show().view
        #expect(view?.source == .builtIn)
        #expect(view?.problem?.code == "shield.changed")
    }

    @Test("The stamp of a shield changes with the store, the app's name and the installation")
    func stamp() throws {
        let shields = [Showing.store("a"): StoreShields(apps: [Showing.game])]
        let first = try Showing(shields).wanted(Self.app).stamp
        var other = Showing.extensions("a")
        other.installedAt = "2"
        let name = SubjectFacts(subject: Showing.game, category: "x", source: .desktop, name: "G", names: [:])
        let stamps = [
            first, try Showing(shields, apps: ["a": other]).wanted(Self.app).stamp,
            try Showing(shields, facts: [name]).wanted(Self.app).stamp,
            try Showing([Showing.store("a", "two"): StoreShields(apps: [Showing.game])]).wanted(Self.app)
                .stamp,
        ]
        #expect(Set(stamps).count == 4)
        #expect(try Showing(shields).wanted(Self.app).stamp == first)
    }

    @Test("A preview shows the appearance of an app that shields nothing, and records no shield")
    func preview() throws {
        let showing = try Showing(
            [:],
            apps: ["a": Showing.extensions("a"), "b": Showing.extensions("b", configuration: nil)]
        )
        showing.answer(Showing.look("preview"))
        func ask(_ app: String?) throws -> ShieldConfigurationAsk.Reply {
            try showing.bench.ask(ShieldConfigurationAsk.self, .init(subject: Self.app, app: app))
        }
        let reply = try ask("a")
        #expect(!reply.decision.isShielded)
        #expect(reply.view.look.title?.text == "preview")
        #expect(try ask("b").view.problem?.code == "app.no_shield_configuration")
        #expect(try ask(nil).view.source == .builtIn)
        let unknown = try showing.bench.refusal(
            ShieldConfigurationAsk.self,
            .init(subject: Self.app, app: "z")
        )
        #expect(unknown?.code == "app.not_installed")
        #expect(try showing.bench.ask(ShieldList.self, .init()).shields.isEmpty)
    }

    @Test("Showing a shield is refused if the subject is missing, empty or too long")
    func subjects() throws {
        let showing = try Showing()
        let bad = [
            ShieldSubject(), ShieldSubject(app: ""),
            ShieldSubject(domain: String(repeating: "x", count: 300)),
        ]
        for subject in bad {
            let problem = try showing.bench.refusal(ShieldShow.self, .init(subject: subject))
            #expect(problem?.field?.hasPrefix("/subject") == true)
        }
    }
}
