import STContracts
import STEngine
import STPlatform
import STStore
import STTestKit
import Testing

@testable import STDesktopCore

@Suite("A database of desktop-agent 0.5")
struct UpgradeTests {
    /// The tables as 0.5 had them.
    private static let old = ServiceDefinition<DesktopState>(
        name: .desktop,
        migrations: Array(DesktopTables.migrations.prefix(3)),
        load: { _ in DesktopState() }
    )

    @Test("keeps the members, the names of apps and the lists of sites, and takes new ones in")
    func keeps() throws {
        let facts = SubjectFacts(
            subject: "org.game",
            category: "social",
            source: .list,
            name: "Game",
            names: [:]
        )
        let part = DomainListPart(name: "games", category: "social", part: 0, domains: ["game.example"])
        var bench = try CoreBench(Self.old)
        try bench.database.run("INSERT INTO policy_people (name, role) VALUES ('minji', 'individual')")
        try bench.database.run("INSERT INTO policy_people (name, role) VALUES ('hana', 'guardian')")
        try bench.database.run(
            "INSERT INTO policy_facts (subject, body) VALUES (?, ?)",
            [.text(FactBook.key("org.game")), .blob(try facts.encodedBody())]
        )
        try bench.database.run(
            "INSERT INTO policy_lists (name, part, body) VALUES (?, ?, ?)",
            [.text(part.name), .integer(part.part), .blob(try part.encodedBody())]
        )
        bench = try bench.reopened(as: DesktopService.definition())

        #expect(bench.state.policy.member == "minji")
        #expect(bench.state.policy.hasGuardian(for: "minji"))
        #expect(bench.state.policy.facts.facts(app: "org.game")?.name == "Game")
        #expect(bench.state.policy.facts.category(ofDomain: "game.example") == "social")

        let joined = Member(name: "jun", role: .child, account: AccountName.own)
        let event = try CoreBench<DesktopState>.event(MemberAdded.self, 1, subject: "member/jun", joined)
        // Streams in the order of the definition: policy, activity, authorization, notification.
        try bench.follow([event], subscription: 2)
        #expect(try bench.reopened().state.policy.member == "jun")
    }
}
