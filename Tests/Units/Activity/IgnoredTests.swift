import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Ignored apps and sites")
struct IgnoredTests {
    private var desk: LedgerDesk

    init() throws { desk = try LedgerDesk() }

    private func set(_ subject: String, _ category: String? = CategoryChoice.private) throws -> CategoryChoice
    {
        try desk.bench.ask(CategorySet.self, .init(subject: subject, category: category))
    }

    private mutating func uses(_ app: String, _ domain: String? = nil) throws {
        var seen = desk.watcher.sees(app, member: "owner", afterMs: 10_000)
        seen.domain = domain
        seen.notifications = ["diary": 2, "mail": 1]
        _ = try desk.observe([seen])
    }

    private var kept: [String] {
        get throws {
            let now = try desk.now()
            return try (desk.rows() + now).map { "\($0.app ?? "-") \($0.domain ?? "-")" }
        }
    }

    @Test(
        "Usage and notifications of an ignored app are stored as private until it is no longer ignored"
    )
    mutating func app() throws {
        #expect(try set("Diary.desktop").category == "private")
        #expect(try desk.bench.ask(CategoryList.self, .init()).choices.map(\.subject) == ["Diary.desktop"])
        try uses("mail")
        try uses("diary", "secret.example")
        desk.bench = try desk.bench.reopened()
        try uses("mail")
        try uses("diary")
        #expect(try set("diary", nil).category == "other")
        desk.bench = try desk.bench.reopened()
        try uses("mail")
        try uses("diary")

        let hidden = "\(CategoryChoice.privateApp) -"
        let (names, wanted) = (try kept, ["mail -", hidden, "mail -", hidden, "mail -", "diary -"])
        #expect(names == wanted)
        let counts = try desk.bench.ask(UsageNotifications.self, .init()).rows.map(\.app)
        #expect(counts.count { $0 == CategoryChoice.privateApp } == 4 && counts.count { $0 == "diary" } == 2)
        #expect(try desk.bench.ask(CategoryList.self, .init()).choices.isEmpty)
    }

    @Test("Usage of an ignored site counts only for its browser")
    mutating func site() throws {
        _ = try set("site:Example.org")
        for domain in ["example.org", "www.example.org", "badexample.org", "org"] {
            try uses("firefox", domain)
        }

        let names = try kept
        #expect(names == ["firefox -", "firefox badexample.org", "firefox org"])
    }

    @Test("Ignoring replaces an app's category and the reverse, and the number of choices is limited")
    func places() throws {
        _ = try set("chess", "games")
        #expect(try set("chess").category == "private")
        #expect(
            try desk.bench.ask(CategoryFacts.self, .init(subjects: ["chess"])).facts[0].category == "other"
        )
        #expect(try set("chess", "games").category == "games")
        for number in 1..<CategoryMap.entriesMax + 1 { _ = try set("app-\(number)") }
        let refused = try desk.bench.refusal(
            CategorySet.self,
            .init(subject: "one-more", category: "private")
        )
        #expect(refused?.code == "category.too_many")
    }
}
