import STContracts
import STFollowing
import STPlatform
import STStore
import STTestKit
import STTestSupport
import Testing

@Suite("The household that services follow")
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

    private func added(_ name: String, _ role: MemberRole, _ sequence: Int64) throws -> WireEvent {
        try CoreBench<Int>.event(
            MemberAdded.self,
            sequence,
            subject: name,
            Member(name: name, role: role)
        )
    }

    @Test("takes over the members of the version before, in their order")
    func former() throws {
        try migrate()

        let household = try Household(database)

        #expect(household.members.map(\.name) == ["ann", "bo"])
        #expect(household.members.map(\.account) == ["ann", nil])
        #expect(household.owner == "ann")
    }

    @Test("is the same after a start, with a role that changed")
    func kept() throws {
        try migrate()
        var household = try Household(database)
        try household.take(added("cy", .child, 1), database)
        try household.take(added("ann", .guardian, 2), database)

        let again = try Household(database)

        #expect(again == household)
        #expect(again.members.map(\.name) == ["ann", "bo", "cy"])
        #expect(again.role(of: "ann") == .guardian)
        #expect(again.hasGuardian(besides: "bo"))
        #expect(!again.hasGuardian(besides: "ann"))
    }

    @Test("gives the account to whom auth-service gives it, and forgets a member who was removed")
    func moved() throws {
        try migrate()
        var household = try Household(database)
        let bo = Member(name: "bo", role: .child, account: AccountName.own)
        try household.take(CoreBench<Int>.event(MemberAdded.self, 1, subject: "bo", bo), database)
        #expect(household.owner == "bo")

        try household.take(CoreBench<Int>.event(MemberRemoved.self, 2, subject: "bo", bo), database)

        #expect(household.owner == "ann")
        #expect(try Household(database) == household)
    }

    @Test("says unavailable until all is known, and then who is missing")
    func unknown() throws {
        try migrate()
        var household = try Household(database)

        #expect { try household.member("zoe") } throws: { ($0 as? Problem)?.code == "unavailable" }
        household.isWhole = true
        #expect { try household.member("zoe") } throws: { ($0 as? Problem)?.code == "member.unknown" }
        #expect(try household.member(nil) == "ann")
        try household.forget(database)
        #expect(try Household(database) == Household())
        #expect { try household.member(nil) } throws: { ($0 as? Problem)?.code == "unavailable" }
    }

    @Test("facts of apps and lists of sites are the same after a start; a list that lost its sites is gone")
    func facts() throws {
        try database.migrate([FactFollowing.facts, FactFollowing.lists])
        var book = FactBook()
        let list = { (sites: [String], sequence: Int64) in
            try CoreBench<Int>.event(
                DomainListKnown.self,
                sequence,
                subject: "mine",
                DomainListPart(name: "mine", category: "games", part: 0, domains: sites)
            )
        }

        #expect(try FactFollowing.take(list(["play.example"], 1), into: &book, database))
        #expect(book.category(ofDomain: "play.example") == "games")
        #expect(try FactFollowing.load(database) == book)
        #expect(try FactFollowing.take(list([], 2), into: &book, database))
        #expect(try FactFollowing.load(database) == book)
        #expect(book.category(ofDomain: "play.example") == nil)
        #expect(try !FactFollowing.take(added("cy", .child, 3), into: &book, database))
    }
}
