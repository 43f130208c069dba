import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STShieldCore

@Suite("Named stores of settings")
struct ShieldTests {
    private let bench: CoreBench<ShieldState>

    init() throws { bench = try CoreBench(ShieldService.definition()) }

    private func set(_ settings: [String: JSONValue], app: String = "app", store: String = "main") throws
        -> SettingsGet.Reply
    {
        try bench.ask(SettingsSet.self, .init(app: app, store: store, settings: settings))
    }

    private func get(app: String = "app", store: String = "main") throws -> SettingsGet.Reply {
        try bench.ask(SettingsGet.self, .init(app: app, store: store))
    }

    private func refusal(_ settings: [String: JSONValue], app: String = "app", store: String = "main") throws
        -> Problem?
    {
        try bench.refusal(SettingsSet.self, .init(app: app, store: store, settings: settings))
    }

    @Test("one that nobody has set is empty, of version 0, and in no list")
    func unset() throws {
        #expect(try get() == .init(app: "app", store: "main", version: 0, settings: [:]))
        #expect(try bench.ask(SettingsList.self, .init()).stores.isEmpty)
    }

    @Test("a change touches only what it names, null takes away, and every change counts")
    func changes() throws {
        _ = try set(["a": .integer(1), "b": .string("x")])
        _ = try set(["b": .null, "c": .array([.bool(true)]), "never": .null])

        let now = try get()
        #expect(now.settings == ["a": .integer(1), "c": .array([.bool(true)])])
        #expect(now.version == 2)
    }

    @Test("stores of one name in two apps have nothing to do with each other")
    func apps() throws {
        _ = try set(["a": .integer(1)], app: "one")
        _ = try set(["a": .integer(2)], app: "two")

        #expect(try get(app: "one").settings == ["a": .integer(1)])
        #expect(try get(app: "two").version == 1)
    }

    @Test("every change is told whole, under the address of its store")
    func events() throws {
        _ = try set(["a": .integer(1)])
        let reply = try set(["b": .integer(2)])

        #expect(bench.events.map(\.header.type) == [SettingsChanged.type, SettingsChanged.type])
        #expect(bench.events.map(\.header.subject) == ["app/main", "app/main"])
        #expect(try bench.events.last?.decoded(SettingsChanged.self) == reply)
    }

    @Test("a start finds every store as it was")
    func start() throws {
        let odd: [String: JSONValue] = [
            "text": .string("\"\\\u{0}\u{1F469}"), "deep": .object(["x": .array([.null, .number(0.5)])]),
            "large": .integer(.max),
        ]
        _ = try set(odd)
        _ = try set(["a": .bool(false)], store: "other")
        let before = bench.state

        let again = try bench.reopened()

        #expect(again.state == before)
        #expect(again.events.isEmpty)
        #expect(try again.ask(SettingsGet.self, .init(app: "app", store: "main")).settings == odd)
    }

    @Test("an app has fifty stores and not one more; those it has may still change, and so may other apps")
    func storesLimit() throws {
        for number in 0..<ShieldService.storesPerAppMax { _ = try set([:], store: "s\(number)") }

        #expect(try refusal(["a": .integer(1)], store: "more")?.code == "settings.too_many_stores")
        #expect(try get(store: "more").version == 0)
        #expect(try set(["a": .integer(1)], store: "s0").version == 2)
        #expect(try set(["a": .integer(1)], app: "other", store: "more").version == 1)
    }

    @Test("a store holds two hundred settings and not one more, and a refused change does nothing")
    func settingsLimit() throws {
        let full = Dictionary(uniqueKeysWithValues: (0..<200).map { ("s\($0)", JSONValue.integer($0)) })
        _ = try set(full)

        #expect(try refusal(["more": .integer(1), "s0": .integer(7)])?.code == "settings.too_many")
        #expect(try get().settings == full)
        // One goes, so one may come.
        #expect(try set(["more": .integer(1), "s0": .null]).settings.count == 200)
        #expect(bench.events.count == 2)
    }

    @Test("names have 1 to 128 bytes", arguments: ["", String(repeating: "n", count: 129)])
    func badNames(name: String) throws {
        #expect(try refusal([name: .integer(1)])?.field == "/settings")
        #expect(try refusal([name: .integer(1)])?.code == "settings.bad_name")
        #expect(try refusal([:], app: name)?.field == "/app")
        #expect(try refusal([:], store: name)?.field == "/store")
        #expect(
            try bench.refusal(SettingsGet.self, .init(app: name, store: "s"))?.code == "settings.bad_name"
        )
        #expect(bench.events.isEmpty)
        #expect(try bench.ask(SettingsList.self, .init()).stores.isEmpty)
    }

    @Test("what is too large to be told is refused and not kept")
    func tooLarge() throws {
        _ = try set(["a": .integer(1)])
        let large = JSONValue.string(String(repeating: "x", count: BusLimits.eventBodyBytes))

        #expect(try refusal(["a": large])?.code == "event.too_large")
        #expect(try get() == .init(app: "app", store: "main", version: 1, settings: ["a": .integer(1)]))
        #expect(try bench.reopened().ask(SettingsGet.self, .init(app: "app", store: "main")).version == 1)
    }

    @Test("the list is sorted, comes in pages, and knows the stores of one app")
    func list() throws {
        for app in 0..<11 {
            for store in 0..<50 { _ = try set([:], app: "app\(app)", store: "s\(store)") }
        }

        let first = try bench.ask(SettingsList.self, .init())
        let second = try bench.ask(SettingsList.self, .init(next: first.next))
        let all = (first.stores + second.stores).map { "\($0.app) \($0.store)" }

        #expect(first.stores.count == BusLimits.pageRows)
        #expect(second.next == nil)
        #expect(all.count == 550)
        #expect(all == all.sorted())
        #expect(Set(all).count == 550)
        #expect(try bench.ask(SettingsList.self, .init(app: "app3")).stores.count == 50)
        #expect(try bench.ask(SettingsList.self, .init(app: "nobody")).stores.isEmpty)
    }

    @Test("a place in the list that was never given is refused", arguments: ["-1", "x", "", "1e3"])
    func badPlace(next: String) throws {
        #expect(try bench.refusal(SettingsList.self, .init(next: next))?.code == "page.invalid")
    }

    @Test("a place beyond the end is empty", arguments: ["1", "9223372036854775807"])
    func beyond(next: String) throws {
        #expect(try bench.ask(SettingsList.self, .init(next: next)) == .init(stores: [], next: nil))
    }
}
