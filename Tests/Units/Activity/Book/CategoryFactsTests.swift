import STActivityCore
import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@Suite("What is known of apps and sites")
struct CategoryFactsTests {
    private let desk: ActivityDesk

    init() throws { desk = try ActivityDesk() }

    private func app(_ subject: String, _ category: Category?, name: String = "Pad") -> DesktopApps.App {
        DesktopApps.App(subject: subject, name: name, names: ["ko": "패드"], icon: "pad", category: category)
    }

    private func take(_ apps: [DesktopApps.App]) throws {
        var all = DesktopApps()
        for app in apps { all.put(app) }
        try desk.bench.step { [all] in try CategoryTelling.take(all, &$0, $2) }
    }

    private var told: [String] {
        get throws {
            try desk.bench.events.filter { $0.header.type == SubjectKnown.type }.map {
                let facts = try $0.decoded(SubjectKnown.self)
                return "\($0.header.subject) \(facts.category) \(facts.source.rawValue) \(facts.name ?? "-")"
            }
        }
    }

    private func facts(_ subject: String) throws -> SubjectFacts? {
        try desk.bench.ask(CategoryFacts.self, .init(subjects: [subject])).facts.first
    }

    private func add(_ name: String, _ category: String, _ domains: [String], append: Bool? = nil) throws
        -> DomainList
    {
        try desk.bench.ask(
            CategoryListAdd.self,
            .init(name: name, category: category, domains: domains, append: append)
        )
    }

    @Test("desktop entries are announced once, changes again, and a start announces nothing")
    func desktop() throws {
        try take([app("org.example.pad", .productivity), app("firefox", .utilities, name: "Firefox")])
        #expect(
            try told == [
                "known/firefox utilities list Firefox", "known/org.example.pad productivity desktop Pad",
            ]
        )
        try desk.reopen()
        try take([app("org.example.pad", .productivity), app("firefox", .utilities, name: "Firefox")])
        #expect(try told.isEmpty)
        try take([app("org.example.pad", .games)])

        #expect(
            try told == ["known/firefox utilities list -", "known/org.example.pad games desktop Pad"]
        )
        #expect(try facts("org.example.pad")?.names == ["ko": "패드"])
    }

    @Test("a person's choice is announced under the name that the desktop uses, and going back too")
    func choice() throws {
        try take([app("org.example.Pad", .productivity)])
        desk.bench.forgetEvents()
        _ = try desk.bench.ask(
            CategorySet.self,
            .init(subject: "org.example.pad.desktop", category: "travel")
        )
        _ = try desk.bench.ask(CategorySet.self, .init(subject: "site:Sub.Reddit.com", category: "travel"))
        _ = try desk.bench.ask(CategorySet.self, .init(subject: "org.example.pad.desktop"))

        #expect(
            try told == [
                "known/org.example.Pad travel person Pad", "known/site:sub.reddit.com travel person -",
                "known/org.example.Pad productivity desktop Pad",
            ]
        )
    }

    @Test("an unknown subject is answered as such, and not announced")
    func unknown() throws {
        let facts = try facts("org.example.nothing")
        #expect(facts?.category == "other" && facts?.source == .unknown)
        _ = try desk.bench.ask(CategorySet.self, .init(subject: "org.example.nothing"))
        #expect(try told.isEmpty)
    }

    @Test("all that is known comes in pages, and too many questions are refused")
    func pages() throws {
        try take((0..<700).map { app("org.example.app\($0)", .games) })
        var all: [SubjectFacts] = []
        var next: String?
        repeat {
            let page = try desk.bench.ask(CategoryFacts.self, .init(next: next))
            all += page.facts
            next = page.next
        } while next != nil
        #expect(Set(all.map(\.subject)).count == 700)

        let many = (0..<201).map { "a\($0)" }
        #expect(
            try desk.bench.refusal(CategoryFacts.self, .init(subjects: many))?.code == "category.too_many"
        )
        #expect(
            try desk.bench.refusal(CategoryFacts.self, .init(subjects: ["a\u{1}"]))?.field == "/subjects/0"
        )
    }

    @Test("more programs than there can be are left out")
    func manyApps() throws {
        try take((0..<(DesktopApps.appsMax + 10)).map { app("a\($0)", .games) })

        #expect(desk.bench.state.categories.map.desktop.apps.count == DesktopApps.appsMax)
    }

    @Test("an unknown app asks for the entries to be read anew, once")
    func unknownSeen() throws {
        func isDue() -> Bool { desk.bench.state.categories.wantsLook }
        #expect(!isDue())
        try desk.see("firefox")
        #expect(!isDue())
        try desk.see("org.example.new")
        #expect(isDue())
        try take([])
        #expect(!isDue())
        try desk.see("org.example.new")
        #expect(!isDue())
    }

    // MARK: - Lists of sites

    private var parts: [String] {
        get throws {
            try desk.bench.events.filter { $0.header.type == DomainListKnown.type }.map {
                let part = try $0.decoded(DomainListKnown.self)
                return "\($0.header.subject) \(part.category) \(part.domains.joined(separator: " "))"
            }
        }
    }

    @Test("a list counts from then on, in ASCII, each site once; a start keeps it")
    func list() throws {
        let list = try add("mine", "games", ["Reddit.com", "한국.com", "reddit.com."])
        #expect(list.count == 2 && list.category == "games")
        try desk.reopen()

        #expect(try facts("site:old.reddit.com")?.list == "mine")
        #expect(try facts("site:xn--3e0b707e.com")?.category == "games")
        let lists = try desk.bench.ask(CategoryList.self, .init()).lists
        #expect(lists?.map(\.name) == ["mine"] && lists?.first?.addedAt == list.addedAt)
    }

    @Test("sites that are added one by one share a part, so that an event does not hold thousands")
    func oneByOne() throws {
        _ = try add("mine", "games", ["a0.com"])
        for number in 1..<60 { _ = try add("mine", "games", ["a\(number).com"], append: true) }
        #expect(try Set(parts.map { $0.prefix(11) }) == ["list/mine/0"])
        #expect(try parts.last?.hasSuffix("a58.com a59.com") == true)
        #expect(try facts("site:a7.com")?.list == "mine")
    }

    @Test("a list is announced in parts: those that changed, and what is gone as empty")
    func toldInParts() throws {
        _ = try add("mine", "games", ["a.com"])
        _ = try add("mine", "games", ["b.com", "a.com"], append: true)
        _ = try add("mine", "games", ["a.com"])
        _ = try add("mine", "social", ["a.com"])
        _ = try desk.bench.ask(CategoryListRemove.self, .init(name: "mine"))

        #expect(
            try parts == [
                "list/mine/0 games a.com", "list/mine/0 games a.com b.com", "list/mine/0 games a.com",
                "list/mine/0 social a.com", "list/mine/0 social ",
            ]
        )
        #expect(try facts("site:a.com")?.source == .unknown)
    }

    @Test(
        "what cannot be meant is refused, and changes nothing",
        arguments: [
            (
                CategoryListAdd.Request(name: "", category: "games", domains: ["a.com"]),
                "category.bad_list_name"
            ),
            (.init(name: "a/b", category: "games", domains: ["a.com"]), "category.bad_list_name"),
            (.init(name: "a\u{1}", category: "games", domains: ["a.com"]), "category.bad_list_name"),
            (.init(name: "a", category: "gamez", domains: ["a.com"]), "category.unknown"),
            (.init(name: "a", category: "games", domains: ["a.com", "b.com:80"]), "category.bad_domain"),
            (.init(name: "a", category: "games", domains: ["*.b.com"]), "category.bad_domain"),
            (
                .init(name: "a", category: "games", domains: ["a.com"], append: true),
                "category.list_not_found"
            ),
            (
                .init(name: "kept", category: "social", domains: ["b.com"], append: true),
                "category.list_other"
            ),
        ]
    )
    func refused(request: CategoryListAdd.Request, code: String) throws {
        _ = try add("kept", "games", ["kept.com"])
        let before = desk.bench.state

        #expect(try desk.bench.refusal(CategoryListAdd.self, request)?.code == code)
        #expect(desk.bench.state.categories == before.categories)
        #expect(
            try desk.bench.refusal(CategoryListRemove.self, .init(name: "kep"))?.message.contains("kept")
                == true
        )
    }

    @Test("there are so many lists and sites and no more")
    func limits() throws {
        let some = (0..<10_000).map { "s\($0).com" }
        _ = try add("big", "games", some)
        for chunk in 1..<5 {
            _ = try add("big", "games", some.map { "p\(chunk)\($0)" }, append: true)
        }
        let refusal = try desk.bench.refusal(
            CategoryListAdd.self,
            .init(name: "other", category: "games", domains: ["one.com"])
        )
        #expect(refusal?.code == "category.too_many")
        _ = try add("big", "games", ["a.com"])
        for number in 1..<DomainLists.listsMax { _ = try add("l\(number)", "games", ["a.com"]) }
        let full = try desk.bench.refusal(
            CategoryListAdd.self,
            .init(name: "one more", category: "games", domains: [])
        )
        #expect(full?.code == "category.too_many")
    }
}
