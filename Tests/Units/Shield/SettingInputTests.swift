import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@testable import STShieldCore

@Suite("Refused settings")
struct SettingInputTests {
    private let desk: ShieldDesk

    init() throws { desk = try ShieldDesk() }

    private func code(_ settings: [String: JSONValue]) throws -> String? { try desk.refusal(settings)?.code }

    @Test("A fifty-first store of an app and member is refused, while existing and other stores can change")
    func stores() throws {
        for number in 0..<SettingLimits.storesPerApp { try desk.set([:], store: "s\(number)") }

        let problem = try desk.refusal([:], store: "more")
        #expect(problem?.code == "settings.too_many_stores")
        #expect(problem?.details["limit"] == "50")
        #expect(try desk.get(store: "more").version == 0)
        #expect(try desk.set([:], store: "s0").version == 2)
        #expect(try desk.set([:], member: ShieldDesk.child, store: "more").version == 1)
        #expect(try desk.set([:], app: ShieldDesk.other, store: "more").version == 1)
        _ = try desk.bench.ask(SettingsDelete.self, .init(app: ShieldDesk.app, stores: ["s7"]))
        #expect(try desk.set([:], store: "more").version == 1)
    }

    @Test("A set or an exception list of more than 50 items is refused and changes nothing")
    func things() throws {
        let full = JSONValue.array((0..<50).map { ["id": .string("app\($0)")] })
        let over = JSONValue.array((0..<51).map { ["id": .string("app\($0)")] })
        try desk.set(["shield.applications": full])

        let problem = try desk.refusal(["shield.applications": over])
        #expect(problem?.code == "settings.too_many_tokens")
        #expect(problem?.field == "/settings/shield.applications")
        #expect(try code(["application.blockedApplications": over]) == "settings.too_many_tokens")
        let policy: JSONValue = ["policy": "all", "except": over]
        #expect(try code(["shield.applicationCategories": policy]) == "settings.too_many_tokens")
        #expect(try code(["webContent.blockedByFilter": policy]) == "settings.too_many_tokens")
        // The earlier setting is unchanged.
        #expect(try desk.get().settings == ["shield.applications": full])
        #expect(try desk.isShielded("app49"))
    }

    @Test("A token of another app or of the wrong kind is refused")
    func tokens() throws {
        let foreign = ShieldDesk.token(.application, "steam", app: ShieldDesk.other)
        let problem = try desk.refusal(["shield.applications": [["id": "a"], foreign]])
        #expect(problem?.code == "token.foreign")

        let site = ShieldDesk.token(.domain, "a.com")
        #expect(try desk.refusal(["shield.applications": [site]])?.code == "settings.wrong_kind")
        #expect(try desk.refusal(["shield.applications": [site]])?.field == "/settings/shield.applications/0")
        #expect(try code(["shield.webDomains": ShieldDesk.apps("a")]) == "settings.wrong_kind")
        #expect(try desk.get().version == 0)
    }

    @Test("An unknown setting or category is refused with a suggestion of the nearest name")
    func unknown() throws {
        let problem = try desk.refusal(["shield.aplications": []])
        #expect(problem?.code == "settings.unknown")
        #expect(problem?.message.contains("Did you mean shield.applications?") == true)
        let policy: JSONValue = ["policy": "specific", "categories": [["id": "game"]]]
        let category = try desk.refusal(["shield.applicationCategories": policy])
        #expect(category?.code == "category.unknown")
        #expect(category?.message.contains("Did you mean games?") == true)
        #expect(category?.field == "/settings/shield.applicationCategories/categories/0")
        let long = String(repeating: "x", count: 100_000)
        #expect(try #require(try desk.refusal([long: true])).message.utf8.count < 400)
        #expect(try code(["": true]) == "settings.unknown")
    }

    @Test(
        "A policy whose exceptions cover its own categories or domains is refused",
        arguments: [
            (
                "webContent.blockedByFilter",
                #"{"policy":"auto","domains":[{"id":"a.com"}],"except":[{"id":"a.com"}]}"#
            ),
            (
                "webContent.blockedByFilter",
                #"{"policy":"auto","domains":[{"id":"m.a.com"}],"except":[{"id":"a.com"}]}"#
            ),
            (
                "shield.applicationCategories",
                #"{"policy":"specific","categories":[{"id":"games"}],"except":[{"id":"games"}]}"#
            ),
            (
                "shield.applicationCategories",
                #"{"policy":"all","except":[{"token":"org.example.app:category:social"}]}"#
            ),
            (
                "shield.webDomainCategories",
                #"{"policy":"all","except":[{"token":"org.example.app:category:social"}]}"#
            ),
        ]
    )
    func exempting(name: String, policy: String) throws {
        #expect(try code([name: JSONValue(text: Array(policy.utf8))]) == "settings.exempts_itself")
        #expect(try desk.get().version == 0)
    }

    @Test(
        "An invalid domain is refused, and the error names its position in the list",
        arguments: [
            "*.a.com", "a.com:80", "a.com/path", "https://a.com", "com", "", "a b.com", "xn--a.com", "a..com",
        ]
    )
    func domains(domain: String) throws {
        let problem = try desk.refusal(["shield.webDomains": [["id": "ok.com"], ["id": .string(domain)]]])
        #expect(problem?.code == "domain.invalid")
        #expect(problem?.field == "/settings/shield.webDomains/1")
    }

    private static let wrongValues: [(String, String, String)] = [
        ("siri.denySiri", "1", "settings.wrong_type"),
        ("siri.denySiri", #""true""#, "settings.wrong_type"),
        ("isActive", "1", "settings.wrong_type"),
        ("media.maximumMovieRating", "1001", "settings.out_of_bounds"),
        ("media.maximumMovieRating", "-1", "settings.out_of_bounds"),
        ("media.maximumMovieRating", "1.5", "settings.wrong_type"),
        ("safari.cookiePolicy", #""sometimes""#, "settings.wrong_type"),
        ("shield.applications", "{}", "settings.wrong_type"),
        ("shield.applications", #"["steam"]"#, "settings.wrong_type"),
        ("shield.applications", #"[{"id":"a","token":"b"}]"#, "settings.wrong_type"),
        ("shield.applications", #"[{"id":7}]"#, "settings.wrong_type"),
        ("shield.applications", #"[{"id":""}]"#, "settings.bad_name"),
        ("shield.applications", #"[{"id":"a\u0007b"}]"#, "settings.bad_name"),
        ("shield.applicationCategories", #""all""#, "settings.wrong_type"),
        ("shield.applicationCategories", #"{"policy":"some"}"#, "settings.wrong_type"),
        ("shield.applicationCategories", #"{"policy":"all","domains":[]}"#, "settings.wrong_type"),
        (
            "shield.applicationCategories", #"{"policy":"all","categories":[{"id":"games"}]}"#,
            "settings.useless_part"
        ),
        (
            "shield.applicationCategories", #"{"policy":"none","except":[{"id":"a"}]}"#,
            "settings.useless_part"
        ),
        (
            "webContent.blockedByFilter", #"{"policy":"all","domains":[{"id":"a.com"}]}"#,
            "settings.useless_part"
        ),
        (
            "webContent.blockedByFilter", #"{"policy":"specific","except":[{"id":"a.com"}]}"#,
            "settings.useless_part"
        ),
    ]

    @Test(
        "An invalid value of a setting is refused, and the rest of the change is not stored",
        arguments: wrongValues
    )
    func values(name: String, value: String, expected: String) throws {
        try desk.set(["account.lockAccounts": true])
        let json = try JSONValue(text: Array(value.utf8))
        let problem = try desk.refusal([name: json, "cellular.lockESIM": true])
        #expect(problem?.code == expected)
        #expect(problem?.field?.hasPrefix("/settings/\(name)") == true)
        #expect(try desk.get().settings == ["account.lockAccounts": true])
    }

    @Test(
        "An app or store name that is empty, longer than 128 bytes or contains a newline is refused",
        arguments: ["", "a\nb", String(repeating: "n", count: 129)]
    )
    func names(name: String) throws {
        #expect(try desk.refusal([:], app: name)?.field == "/app")
        #expect(try desk.refusal([:], store: name)?.field == "/store")
        #expect(
            try desk.bench.refusal(SettingsGet.self, .init(app: name, store: "s"))?.code
                == "settings.bad_name"
        )
    }

    @Test("A change that exceeds the size limit of a store is refused and leaves the store unchanged")
    func size() throws {
        func long(_ letter: String) -> JSONValue {
            .array((0..<50).map { ["id": .string(String(repeating: letter, count: 250) + "\($0)")] })
        }
        let half: [String: JSONValue] = ["shield.applications": long("\"")]
        try desk.set(half)
        var more: [String: JSONValue] = ["application.blockedApplications": long("\"")]
        more["shield.applicationCategories"] = ["policy": "all", "except": long("\\")]
        #expect(try code(more) == "settings.too_large")
        #expect(try desk.get().settings == half)
        #expect(desk.bench.events.count == 1)
        try desk.reopen()
        #expect(try desk.get().settings == half)
    }

    @Test("A setting from an app without permission is refused with the command that allows the app")
    func permission() throws {
        let problem = try desk.refusal([:], app: "org.example.stranger")
        #expect(problem?.code == "settings.unauthorized")
        #expect(problem?.help == "screentime app access org.example.stranger on")
    }
}
