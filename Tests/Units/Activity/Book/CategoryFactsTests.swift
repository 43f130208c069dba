import STActivityCore
import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@Suite("Facts of apps and sites")
struct CategoryFactsTests {
    private let desk: ActivityDesk

    init() throws { desk = try ActivityDesk() }

    private func app(_ subject: String, _ category: Category?, name: String = "Pad") -> DesktopApps.App {
        DesktopApps.App(subject: subject, name: name, names: ["ko": "패드"], icon: "pad", category: category)
    }

    private func take(_ apps: [DesktopApps.App]) throws {
        var all = DesktopApps()
        for app in apps { all.insert(app) }
        try desk.bench.step { [all] in try CategoryPublisher.updateApps(all, state: &$0, change: $2) }
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

    private func add(_ name: String, category: String, domains: [String], append: Bool? = nil) throws
        -> DomainList
    {
        try desk.bench.ask(
            CategoryListAdd.self,
            .init(name: name, category: category, domains: domains, append: append)
        )
    }

    @Test("Facts of desktop entries are announced once and after a change, but not after a restart")
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

    @Test("A person's choice and its removal are announced under the desktop's name of the app")
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

    @Test("An unknown app has the category other and is not announced")
    func unknown() throws {
        let facts = try facts("org.example.nothing")
        #expect(facts?.category == "other" && facts?.source == .unknown)
        _ = try desk.bench.ask(CategorySet.self, .init(subject: "org.example.nothing"))
        #expect(try told.isEmpty)
    }

    @Test("Facts are returned in pages, and a request for too many subjects is refused")
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

    @Test("Desktop entries beyond the maximum are left out")
    func manyApps() throws {
        try take((0..<(DesktopApps.appsMax + 10)).map { app("a\($0)", .games) })

        #expect(desk.bench.state.categories.map.desktop.apps.count == DesktopApps.appsMax)
    }

    @Test("An observation of an unknown app causes the desktop entries to be read again once")
    func unknownSeen() throws {
        func isDue() -> Bool { desk.bench.state.categories.needsRefresh }
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

    @Test("A list applies immediately, with each site once and in ASCII, and survives a restart")
    func list() throws {
        let list = try add("mine", category: "games", domains: ["Reddit.com", "한국.com", "reddit.com."])
        #expect(list.count == 2 && list.category == "games")
        try desk.reopen()

        #expect(try facts("site:old.reddit.com")?.list == "mine")
        #expect(try facts("site:xn--3e0b707e.com")?.category == "games")
        let lists = try desk.bench.ask(CategoryList.self, .init()).lists
        #expect(lists?.map(\.name) == ["mine"] && lists?.first?.addedAt == list.addedAt)
    }

    @Test("Sites that are added one by one share one part of the list")
    func oneByOne() throws {
        _ = try add("mine", category: "games", domains: ["a0.com"])
        for number in 1..<60 {
            _ = try add("mine", category: "games", domains: ["a\(number).com"], append: true)
        }
        #expect(try Set(parts.map { $0.prefix(11) }) == ["list/mine/0"])
        #expect(try parts.last?.hasSuffix("a58.com a59.com") == true)
        #expect(try facts("site:a7.com")?.list == "mine")
    }

    @Test("Only changed parts of a list are announced, and removed parts as empty")
    func toldInParts() throws {
        _ = try add("mine", category: "games", domains: ["a.com"])
        _ = try add("mine", category: "games", domains: ["b.com", "a.com"], append: true)
        _ = try add("mine", category: "games", domains: ["a.com"])
        _ = try add("mine", category: "social", domains: ["a.com"])
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
        "An invalid list is refused and changes nothing",
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
        _ = try add("kept", category: "games", domains: ["kept.com"])
        let before = desk.bench.state

        #expect(try desk.bench.refusal(CategoryListAdd.self, request)?.code == code)
        #expect(desk.bench.state.categories == before.categories)
        #expect(
            try desk.bench.refusal(CategoryListRemove.self, .init(name: "kep"))?.message.contains("kept")
                == true
        )
    }

    @Test("The numbers of sites and lists are limited")
    func limits() throws {
        let some = (0..<10_000).map { "s\($0).com" }
        _ = try add("big", category: "games", domains: some)
        for chunk in 1..<5 {
            _ = try add("big", category: "games", domains: some.map { "p\(chunk)\($0)" }, append: true)
        }
        let refusal = try desk.bench.refusal(
            CategoryListAdd.self,
            .init(name: "other", category: "games", domains: ["one.com"])
        )
        #expect(refusal?.code == "category.too_many")
        _ = try add("big", category: "games", domains: ["a.com"])
        for number in 1..<DomainLists.listsMax {
            _ = try add("l\(number)", category: "games", domains: ["a.com"])
        }
        let full = try desk.bench.refusal(
            CategoryListAdd.self,
            .init(name: "one more", category: "games", domains: [])
        )
        #expect(full?.code == "category.too_many")
    }
}
