import STDomain
import STPlatform
import STTestSupport
import Testing

@Suite("Categories")
struct CategoryMapTests {
    @Test("The twelve categories have distinct names in English and Korean")
    func names() {
        #expect(
            Category.allCases.map(\.rawValue) == [
                "social", "games", "entertainment", "creativity", "productivity", "education",
                "information-reading", "health-fitness", "utilities", "shopping-food", "travel", "other",
            ]
        )
        #expect(Category.productivity.name() == "Productivity & Finance")
        #expect(Category.games.name(language: "ko_KR.UTF-8") == "게임")
        #expect(Category.games.name(language: "ko") == "게임")
        #expect(Category.games.name(language: "kok_IN") == "Games")
        #expect(Set(Category.allCases.map { $0.name(language: "ko") }).count == 12)
        #expect(Set(Category.allCases.map { $0.name() }).count == 12)
    }

    @Test(
        "A well-known app has its category in any desktop's spelling",
        arguments: [
            ("org.mozilla.firefox", Category.utilities), ("Firefox", .utilities),
            ("firefox.desktop", .utilities),
            ("firefox_firefox", .utilities), ("com.valvesoftware.Steam", .games), ("steam_app_570", .games),
            ("org.telegram.desktop", .social),
            ("org.telegram.desktop.desktop", .social), ("org.videolan.VLC", .entertainment),
            ("org.kde.krita", .creativity),
            ("code", .productivity), ("net.ankiweb.Anki", .education),
            ("org.gnome.Evince", .informationReading),
            ("workrave", .healthFitness), ("org.gnome.Maps", .travel), ("org.example.unknown", .other),
            ("", .other),
        ]
    )
    func apps(app: String, category: Category) {
        #expect(CategoryMap().category(ofApp: app) == category)
    }

    @Test(
        "A well-known site has its category, with its subdomains",
        arguments: [
            ("youtube.com", Category.entertainment), ("m.youtube.com", .entertainment),
            ("WWW.YouTube.com.", .entertainment), ("a.b.c.reddit.com", .social), ("google.com", .utilities),
            ("docs.google.com", .productivity), ("www.google.com", .utilities), ("maps.google.com", .travel),
            ("de.wikipedia.org", .informationReading), ("scratch.mit.edu", .education),
            ("lichess.org", .games),
            ("comic.naver.com", .entertainment), ("m.coupang.com", .shoppingFood),
            ("komoot.com", .healthFitness),
        ]
    )
    func domains(domain: String, category: Category) {
        #expect(CategoryMap().category(ofDomain: domain) == category)
    }

    @Test(
        "An unknown site has no category",
        arguments: ["", ".", "com", "notyoutube.com", "youtube.com.example", "mit.edu", "..", "youtube"]
    )
    func unknown(domain: String) {
        #expect(CategoryMap().category(ofDomain: domain) == nil)
    }

    @Test("A person's category comes before the built-in one and can be withdrawn")
    func overrides() {
        var map = CategoryMap(
            apps: ["Org.Example.Notes": .productivity],
            domains: ["YouTube.com": .education]
        )

        #expect(map.category(ofApp: "org.example.notes.desktop") == .productivity)
        #expect(map.category(ofDomain: "m.youtube.com") == .education)
        #expect(map.category(ofDomain: "music.youtube.com") == .entertainment)
        map.set(domain: "youtube.com", nil)
        #expect(map.category(ofDomain: "m.youtube.com") == .entertainment)
        map.set(app: "steam", .social)
        #expect(map.category(ofApp: "steam") == .social)
    }

    @Test("The category of the site comes before the category of the app")
    func inFront() {
        let map = CategoryMap()

        #expect(map.category(app: "firefox", domain: "lichess.org") == .games)
        #expect(map.category(app: "firefox", domain: "site.example") == .utilities)
        #expect(map.category(app: "org.example.unknown", domain: nil) == .other)
        #expect(map.category(app: nil, domain: nil) == .other)
    }

    @Test("A full category map refuses new apps, and its entries can still be changed or removed")
    func limit() {
        var map = CategoryMap()
        for index in 0..<CategoryMap.entriesMax { map.set(app: "app\(index)", .games) }

        let isTooMuch = !map.set(app: "one.more", .games)
        #expect(isTooMuch)
        #expect(map.category(ofApp: "one.more") == .other)

        let done = [
            map.set(app: "app0", .social), map.set(app: "app1", nil), map.set(app: "one.more", .games),
        ]
        #expect(done == [true, true, true])
        #expect(map.category(ofApp: "app0") == .social)
        #expect(map.category(ofApp: "one.more") == .games)
    }

    @Test("The longest matching suffix of a site's name is found, and targets match by suffix")
    func parts() {
        for seed in 0..<1000 {
            var random = SeededRandom(seed: UInt64(seed))
            func name() -> [String] {
                (0..<random.number(1...4)).map { _ in random.pick(["a", "b", "ab"]) ?? "a" }
            }
            let known = (0..<random.number(0...4)).map { _ in name() }
            let asked = name()
            // The longest known name that is a suffix of the requested name.
            let expected = known.filter { asked.suffix($0.count) == $0[...] }.max { $0.count < $1.count }
            let names = Set(known.map { $0.joined(separator: ".") })
            let found = DomainName.first(for: asked.joined(separator: ".")) { names.contains($0) ? $0 : nil }
            let target = BudgetTarget(domains: names)
            let matches = target.matches(app: nil, category: nil, domain: asked.joined(separator: "."))

            guard found == expected?.joined(separator: "."), matches == (expected != nil || names.isEmpty)
            else {
                Issue.record("seed \(seed): \(asked) among \(names) is \(found ?? "none")")
                return
            }
        }
    }
}
