import STContracts
import STEngine
import STPlatform
import STStore
import STTestKit
import Testing

@testable import STDesktopCore

@Suite("Upgrade from a database of desktop-agent 0.5")
struct UpgradeTests {
    /// The tables of 0.5.
    private static let old = ServiceDefinition<DesktopState>(
        name: .desktop,
        migrations: Array(DesktopTables.migrations.prefix(3)),
        load: { _ in DesktopState() }
    )

    @Test("The upgrade from 0.5 keeps members, app names and site lists, and accepts a new member")
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
            [.text(SubjectFactIndex.key("org.game")), .blob(try facts.encodedBody())]
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

        let joined = Member(name: "jun", role: .child, account: AccountName.current)
        let event = try CoreBench<DesktopState>.event(
            MemberAdded.self,
            sequence: 1,
            subject: "member/jun",
            body: joined
        )
        // The streams in the order of the definition: policy, activity, authorization, notification.
        try bench.follow([event], subscription: 2)
        #expect(try bench.reopened().state.policy.member == "jun")
    }
}
