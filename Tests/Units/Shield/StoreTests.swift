import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@testable import STShieldCore

@Suite("Named stores of settings")
struct StoreTests {
    private let desk: ShieldDesk

    init() throws { desk = try ShieldDesk() }

    @Test("A store that was never set is empty, has version 0, and is not listed")
    func unset() throws {
        #expect(
            try desk.get()
                == .init(app: ShieldDesk.app, member: "kim", store: "main", version: 0, settings: [:])
        )
        #expect(try desk.bench.ask(SettingsList.self, .init()).stores.isEmpty)
    }

    @Test("A change affects only the settings it names, `null` removes one, and a restart keeps the result")
    func changes() throws {
        let apps = ShieldDesk.apps("steam", "firefox")
        try desk.set(["shield.applications": apps, "siri.denySiri": true])
        try desk.set(["siri.denySiri": .null, "media.maximumMovieRating": 300, "cellular.lockESIM": .null])

        let expected: [String: JSONValue] = ["shield.applications": apps, "media.maximumMovieRating": 300]
        #expect(try desk.get().settings == expected)
        #expect(try desk.get().version == 2)
        let before = desk.bench.state
        try desk.reopen()
        #expect(desk.bench.state == before)
        #expect(try desk.get().settings == expected)
        #expect(try desk.isShielded("steam"))
        #expect(try desk.set([:]).version == 3)
    }

    @Test("Stores of the same name are separate for each app and member")
    func apart() throws {
        try desk.set(["shield.applications": [["id": "steam"]]])
        try desk.set(["shield.applications": [["id": "gimp"]]], member: ShieldDesk.child)
        try desk.set(["siri.denySiri": true], app: ShieldDesk.other)

        #expect(try desk.isShielded("steam"))
        #expect(try !desk.isShielded("steam", member: ShieldDesk.child))
        #expect(try desk.isShielded("gimp", member: ShieldDesk.child))
        #expect(try desk.get(app: ShieldDesk.other).settings == ["siri.denySiri": true])
        #expect(try desk.get(member: ShieldDesk.member).settings.count == 1)
        #expect(
            try desk.bench.refusal(SettingsGet.self, .init(app: "a", member: "no", store: "s"))?.code
                == "member.unknown"
        )
    }

    @Test("Every kind of setting is read back unchanged and published with canonical names")
    func kinds() throws {
        let settings: [String: JSONValue] = [
            "isActive": true, "account.lockAccounts": true, "appStore.maximumRating": 600,
            "safari.cookiePolicy": "currentWebsite", "application.blockedApplications": [["id": "steam"]],
            "shield.webDomains": [["id": "WWW.Example.com"]],
            "shield.applicationCategories": [
                "policy": "specific", "categories": [ShieldDesk.token(.category, "games")],
                "except": ShieldDesk.apps("chess"),
            ],
            "shield.webDomainCategories": ["policy": "all", "except": [["id": "wikipedia.org"]]],
            "webContent.blockedByFilter": [
                "policy": "auto", "domains": [["id": "b.org"]], "except": [["id": "news.b.org"]],
            ],
        ]
        #expect(try desk.set(settings).settings == settings)

        let told = try #require(try desk.bench.events.last?.decoded(PolicyStoreChanged.self))
        #expect(told.policy == 1 && told.version == 1 && told.isInForce && told.reason == nil)
        #expect(told.shields.categories == .init(reach: .specific, categories: ["games"], except: ["chess"]))
        #expect(told.shields.domains == ["www.example.com"])
        #expect(told.shields.blockedApps == ["steam"])
        #expect(told.shields.filter == .init(reach: .auto, domains: ["b.org"], except: ["news.b.org"]))
        #expect(
            told.settings == [
                "account.lockAccounts": true, "appStore.maximumRating": 600,
                "safari.cookiePolicy": "currentWebsite",
            ]
        )
        #expect(desk.bench.events.last?.header.subject == "store/kim/org.example.app/main")
    }

    @Test("An inactive store is kept and shields nothing")
    func inactive() throws {
        try desk.set(["shield.applications": ShieldDesk.apps("steam")])
        try desk.set(["isActive": false])

        #expect(try !desk.isShielded("steam"))
        #expect(try desk.get().settings["isActive"] == false)
        #expect(try desk.view()?.problem?.english == "The app has switched this store off.")
        try desk.set(["isActive": .null])
        #expect(try desk.isShielded("steam"))
    }

    @Test("Clearing empties a store, deleting removes it, and neither changes the other stores")
    func clearing() throws {
        for store in ["gaming", "social", "third"] {
            try desk.set(["shield.applications": ShieldDesk.apps("steam")], store: store)
        }
        let cleared = try desk.bench.ask(SettingsClear.self, .init(app: ShieldDesk.app, store: "gaming"))
        #expect(cleared.version == 2 && cleared.settings.isEmpty)
        #expect(try desk.decide(app: "steam").decision.causes.map(\.store) == ["social", "third"])
        #expect(try desk.view(store: "gaming")?.count == 0)

        let request = SettingsDelete.Request(app: ShieldDesk.app, stores: ["social", "never"])
        #expect(try desk.bench.ask(SettingsDelete.self, request).deleted == ["social"])
        let last = try desk.bench.events.last?.decoded(PolicyStoreChanged.self)
        #expect(last?.version == 0 && last?.reason == "deleted" && last?.isInForce == false)
        try desk.reopen()
        #expect(try desk.decide(app: "steam").decision.causes.map(\.store) == ["third"])
        #expect(
            try desk.bench.ask(SettingsDelete.self, .init(app: ShieldDesk.app, stores: [])).deleted.count == 2
        )
        #expect(try desk.bench.ask(SettingsClear.self, .init(app: "x", store: "y")).version == 0)
        #expect(desk.bench.state.stores.isEmpty)
    }

    @Test("A reply with too many names for its size contains the first ones and the number of the others")
    func effectiveOfMany() throws {
        for store in 0..<12 {
            func names(_ kind: String) -> JSONValue {
                .array(
                    (0..<50).map {
                        ["id": .string("\(kind) \(store) \($0) " + String(repeating: "x", count: 230))]
                    }
                )
            }
            try desk.set(
                [
                    "shield.applications": names("s"), "application.blockedApplications": names("b"),
                    "siri.denySiri": true,
                ],
                store: "s\(store)"
            )
        }
        let reply = try desk.bench.ask(SettingsEffective.self, .init())
        #expect(try reply.encodedBody().count <= BusLimits.replyBodyBytes)
        // Only one of the two long settings fits, and the short one always does.
        #expect(reply.settings.count == 2 && reply.settings.last?.setting == "siri.denySiri")
        #expect(reply.more == 1)
        #expect(reply.settings.first?.more == 100)
        #expect(reply.settings.last?.more == nil)
    }

    @Test("All stores together have a size limit, and deleting stores frees their space")
    func room() throws {
        #expect(desk.bench.state.storeBytes == 0)
        try desk.set(["shield.applications": ShieldDesk.apps("steam")])
        let one = desk.bench.state.storeBytes
        #expect(one > 0)
        try desk.set(["shield.applications": ShieldDesk.apps("gimp!")], store: "other")
        #expect(desk.bench.state.storeBytes == 2 * one)
        try desk.reopen()
        #expect(desk.bench.state.storeBytes == 2 * one)
        let store = try #require(desk.bench.state.stores.values.first)
        try SettingsCheck.size(of: store, besides: SettingLimits.allBytesMax - one)
        #expect(throws: Problem.self) {
            try SettingsCheck.size(of: store, besides: SettingLimits.allBytesMax - one + 1)
        }
        _ = try desk.bench.ask(SettingsDelete.self, .init(app: ShieldDesk.app, stores: []))
        #expect(desk.bench.state.storeBytes == 0)
    }

    @Test("The effective value is the strictest of all active stores, with the apps that set it")
    func effective() throws {
        try desk.set(["media.maximumMovieRating": 300, "shield.applications": ShieldDesk.apps("a")])
        try desk.set(
            ["media.maximumMovieRating": 100, "shield.applications": [["id": "b"]]],
            app: ShieldDesk.other
        )
        try desk.set(["media.maximumMovieRating": 0, "isActive": false], store: "off")

        let reply = try desk.bench.ask(SettingsEffective.self, .init())
        #expect(reply.settings.map(\.setting) == ["media.maximumMovieRating", "shield.applications"])
        #expect(reply.settings.map(\.value) == [100, ["a", "b"]])
        #expect(reply.settings.first?.by.map(\.app) == [ShieldDesk.other, ShieldDesk.app])
        #expect(reply.policy == 3)
        #expect(try desk.bench.ask(SettingsEffective.self, .init(member: ShieldDesk.child)).settings.isEmpty)
    }

    @Test("The list of stores is sorted and returned in pages")
    func list() throws {
        // Almost the longest names, with a character that takes two bytes in JSON.
        let long = String(repeating: "\"", count: 120)
        for rule in 0..<400 {
            let settings: [String: JSONValue] = ["shield.applications": [["id": "a"]]]
            try desk.set(settings, app: BuiltInRules.app, store: "\(long)\(rule)")
        }
        for app in [ShieldDesk.app, ShieldDesk.other] {
            for member in [ShieldDesk.member, ShieldDesk.child] {
                for store in 0..<50 { try desk.set([:], app: app, member: member, store: "s\(store)") }
            }
        }
        let first = try desk.bench.ask(SettingsList.self, .init())
        let second = try desk.bench.ask(SettingsList.self, .init(next: first.next))

        #expect(first.stores.count == BusLimits.pageRows)
        #expect(second.next == nil && first.stores.count + second.stores.count == 600)
        let all = (first.stores + second.stores).map { "\($0.app) \($0.store) \($0.member)" }
        #expect(all == all.sorted() && Set(all).count == 600)
        let request = SettingsList.Request(app: ShieldDesk.app, member: ShieldDesk.child)
        #expect(try desk.bench.ask(SettingsList.self, request).stores.count == 50)
        #expect(try desk.bench.refusal(SettingsList.self, .init(next: "x"))?.code == "page.invalid")
    }
}
