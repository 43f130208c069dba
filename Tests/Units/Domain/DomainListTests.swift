import STDomain
import STPlatform
import Testing

@Suite("Lists of sites")
struct DomainListTests {
    @Test(
        "A host name in any spelling becomes the name that browsers use",
        arguments: [
            ("Reddit.COM.", "reddit.com"), ("xn--3e0b707e.com", "xn--3e0b707e.com"),
            ("한국.com", "xn--3e0b707e.com"), ("München.de", "xn--mnchen-3ya.de"),
            ("例え.テスト", "xn--r8jz45g.xn--zckzah"), ("a_b.example.org", "a_b.example.org"),
            ("faß.de", "xn--fa-hia.de"), ("1.2.3.4.com", "1.2.3.4.com"),
        ]
    )
    func names(text: String, name: String) {
        #expect(DomainName.host(text) == name)
    }

    @Test(
        "Text that is not a host name is rejected",
        arguments: [
            "", ".", "com", "a..b", "https://a.com", "a.com/b", "a.com:80", "*.a.com", "-a.com", "a-.com",
            "a b.com",
            "1.2.3.4", "a.com\u{0}", "a.c\u{200D}om", "💥.com", String(repeating: "a", count: 64) + ".com",
            String(repeating: "a.", count: 130) + "com", "||ads.com^",
        ]
    )
    func refused(text: String) {
        #expect(DomainName.host(text) == nil)
    }

    private func list(_ category: Category, _ domains: [String]) -> DomainLists.List {
        DomainLists.List(category: category, parts: DomainLists.parts(domains))
    }

    @Test("Categories come from the closest domain, then from a person, then a list, then the built-in list")
    func order() {
        var map = CategoryMap()
        map.lists.set("mine", list(.travel, ["reddit.com", "google.com"]))

        #expect(map.category(ofDomain: "old.reddit.com") == .travel)
        #expect(map.category(ofDomain: "docs.google.com") == .productivity)
        #expect(map.find(domain: "reddit.com")?.source == .added("mine"))
        map.set(domain: "Old.Reddit.com", .games)
        #expect(map.category(ofDomain: "a.old.reddit.com") == .games)
        #expect(map.category(ofDomain: "reddit.com") == .travel)
        map.set(domain: "한국.com", .education)
        #expect(map.category(ofDomain: "www.xn--3e0b707e.com") == .education)
    }

    @Test("If two lists name a site, the first by name decides, and removing it leaves the other's entry")
    func two() {
        var lists = DomainLists()
        lists.set("b", list(.games, ["x.com", "y.com"]))
        lists.set("a", list(.social, ["x.com"]))
        #expect(lists.exact("x.com")?.category == .social)
        lists.set("a", nil)
        #expect(lists.exact("x.com")?.list == "b")
        lists.set("b", list(.travel, ["z.com"]))
        #expect(lists.exact("x.com") == nil && lists.exact("z.com")?.category == .travel)
        #expect(lists.count == 1)
    }

    @Test("Added sites fill the last part of a list and leave the earlier parts unchanged")
    func filling() {
        let full = DomainLists.parts((0..<3_000).map { "site-number-\($0).example.com" })
        #expect(full.count == 3)
        let more = DomainLists.parts(full, with: ["a.com"])
        #expect(more.count == 3 && Array(more[..<2]) == Array(full[..<2]))
        #expect(more[2] == full[2] + ["a.com"])
        #expect(DomainLists.parts([], with: ["a.com"]) == [["a.com"]])
        // An earlier version stored each site in a part of its own.
        let pieces = (0..<4_000).map { ["s\($0).com"] }
        #expect(DomainLists.parts(pieces, with: ["a.com"]).count < 10)
    }

    @Test("If parts arrive in any order, the list that is first by name decides about a site")
    func partByPart() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<200 {
            var lists = DomainLists()
            var known: [String: [[String]]] = [:]
            for _ in 0..<25 {
                let name = "list\(random.next() % 3)"
                let part = Int(random.next() % 3)
                let sites = Set((0..<(random.next() % 4)).map { _ in "s\(random.next() % 6).com" }).sorted()
                lists.set(name, part: part, domains: sites, category: .games)
                known[name, default: [[], [], []]][part] = sites
                for site in (0..<6).map({ "s\($0).com" }) {
                    let owner = known.filter { $0.value.joined().contains(site) }.keys.min()
                    #expect(lists.exact(site)?.list == owner)
                }
            }
        }
    }

    @Test("Lists give the same result in any order of insertion")
    func anyOrder() {
        var random = SeededRandom(seed: 9)
        for _ in 0..<50 {
            let all = (0..<4).map { number in
                (
                    "list\(number)",
                    list(Category.allCases[number], (0..<6).map { _ in "s\(random.next() % 8).com" })
                )
            }
            var lists = DomainLists()
            for _ in 0..<12 {
                let (name, one) = all[Int(random.next() % 4)]
                lists.set(name, random.next() % 3 == 0 ? nil : one)
            }
            var other = DomainLists()
            for (name, one) in lists.lists.sorted(by: { $0.key > $1.key }) { other.set(name, one) }
            for site in 0..<8 {
                #expect(lists.exact("s\(site).com")?.list == other.exact("s\(site).com")?.list)
            }
        }
    }

    @Test("The parts of a list keep its order and fit into an event")
    func parts() {
        let domains = (0..<10_000).map { "site-number-\($0).example.org" }
        let parts = DomainLists.parts(domains)

        #expect(Array(parts.joined()) == domains)
        #expect(parts.count > 1)
        #expect(parts.allSatisfy { $0.reduce(0) { $0 + $1.utf8.count + 3 } <= DomainLists.partBytesMax })
        #expect(DomainLists.parts([]).isEmpty)
    }
}
