import STContracts
import STFollowing
import STPlatform
import STStore
import STTestKit
import STTestSupport
import Testing

@Suite("Household that services follow")
struct HouseholdTests {
    private let scratch: ScratchDirectory
    private let database: Database

    init() throws {
        scratch = try ScratchDirectory()
        database = try Database(
            path: scratch.file("h.sqlite"),
            options: DatabaseOptions(applicationID: 0x5354_0061)
        )
        try database.execute("CREATE TABLE members (name TEXT, is_individual INTEGER)")
        try database.execute("INSERT INTO members VALUES ('ann', 0), ('bo', 1)")
    }

    private func migrate() throws {
        let former = "SELECT name, iif(is_individual, 'individual', 'child') FROM members ORDER BY rowid"
        try database.migrate([
            Household.migration(former: former, table: "members"), Household.accountsMigration,
        ])
    }

    private func added(_ name: String, role: MemberRole, sequence: Int64) throws -> WireEvent {
        try CoreBench<Int>.event(
            MemberAdded.self,
            sequence: sequence,
            subject: name,
            body: Member(name: name, role: role)
        )
    }

    @Test("The migration keeps the members of the earlier version in their order")
    func former() throws {
        try migrate()

        let household = try Household(database)

        #expect(household.members.map(\.name) == ["ann", "bo"])
        #expect(household.members.map(\.account) == ["ann", nil])
        #expect(household.owner == "ann")
    }

    @Test("A household is the same after a restart, including a changed role")
    func kept() throws {
        try migrate()
        var household = try Household(database)
        try household.apply(added("cy", role: .child, sequence: 1), database)
        try household.apply(added("ann", role: .guardian, sequence: 2), database)

        let again = try Household(database)

        #expect(again == household)
        #expect(again.members.map(\.name) == ["ann", "bo", "cy"])
        #expect(again.role(of: "ann") == .guardian)
        #expect(again.hasGuardian(besides: "bo"))
        #expect(!again.hasGuardian(besides: "ann"))
    }

    @Test("The account belongs to the member that auth-service names, and a removed member is forgotten")
    func moved() throws {
        try migrate()
        var household = try Household(database)
        let bo = Member(name: "bo", role: .child, account: AccountName.current)
        try household.apply(
            CoreBench<Int>.event(MemberAdded.self, sequence: 1, subject: "bo", body: bo),
            database
        )
        #expect(household.owner == "bo")

        try household.apply(
            CoreBench<Int>.event(MemberRemoved.self, sequence: 2, subject: "bo", body: bo),
            database
        )

        #expect(household.owner == "ann")
        #expect(try Household(database) == household)
    }

    @Test("A member is unavailable until the household is complete, and unknown after that")
    func unknown() throws {
        try migrate()
        var household = try Household(database)

        #expect { try household.member("zoe") } throws: { ($0 as? Problem)?.code == "unavailable" }
        household.isComplete = true
        #expect { try household.member("zoe") } throws: { ($0 as? Problem)?.code == "member.unknown" }
        #expect(try household.member(nil) == "ann")
        try household.removeAll(database)
        #expect(try Household(database) == Household())
        #expect { try household.member(nil) } throws: { ($0 as? Problem)?.code == "unavailable" }
    }

    @Test("Facts of apps and lists of sites survive a restart, and an empty list is removed")
    func facts() throws {
        try database.migrate([SubjectFactStore.facts, SubjectFactStore.lists])
        var book = SubjectFactIndex()
        let list = { (sites: [String], sequence: Int64) in
            try CoreBench<Int>.event(
                DomainListKnown.self,
                sequence: sequence,
                subject: "mine",
                body: DomainListPart(name: "mine", category: "games", part: 0, domains: sites)
            )
        }

        #expect(try SubjectFactStore.apply(list(["play.example"], 1), into: &book, database))
        #expect(book.category(ofDomain: "play.example") == "games")
        #expect(try SubjectFactStore.load(database) == book)
        #expect(try SubjectFactStore.apply(list([], 2), into: &book, database))
        #expect(try SubjectFactStore.load(database) == book)
        #expect(book.category(ofDomain: "play.example") == nil)
        #expect(try !SubjectFactStore.apply(added("cy", role: .child, sequence: 3), into: &book, database))
    }
}
