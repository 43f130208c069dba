package import STContracts
package import STPlatform
package import STStore

/// Who belongs to the household, as auth-service says.
package struct Household: Sendable, Equatable {
    /// More than any household has.
    private static let membersMax = 1_000

    /// In the order in which they joined.
    package private(set) var members: [Member] = []
    /// Whether all that auth-service has said is known; until then a member may be missing.
    package var isWhole = false

    package init(_ members: [Member] = []) { self.members = members }

    // MARK: - Questions

    /// Whose account this is: the first individual.
    package var owner: String? { members.first { $0.role == .individual }?.name }

    package func contains(_ name: String) -> Bool {
        // Asked for every observation: without a closure no member is copied.
        for index in members.indices where members[index].name == name { return true }
        return false
    }

    package func role(of name: String) -> MemberRole? { members.first { $0.name == name }?.role }

    package func hasGuardian(besides name: String) -> Bool {
        members.contains { $0.role == .guardian && $0.name != name }
    }

    /// The member that a request means; nil means the owner.
    package func member(_ asked: String?) throws(Problem) -> String {
        guard let name = asked ?? owner else { throw Self.unsaid }
        if contains(name) { return name }
        throw isWhole ? Self.unknown(name) : Self.unsaid
    }

    package static let unsaid = Problem(
        "unavailable",
        "auth-service has not said yet who belongs to the household.",
        retryable: true,
        help: "screentime status"
    )

    package static func unknown(
        _ name: String,
        field: String = "/member",
        help: String = "screentime member list"
    ) -> Problem {
        Problem("member.unknown", "The household has no member called \(name).", field: field, help: help)
    }

    // MARK: - Following

    /// The member that an event of stream `authorization` added or changed; nil for every other event.
    package mutating func take(_ event: WireEvent, _ database: Database) throws -> Member? {
        guard event.header.type == MemberAdded.type else { return nil }
        let member = try event.decoded(MemberAdded.self)
        guard add(member) else { return nil }
        try database.run(
            """
            INSERT INTO household (name, role) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET role = excluded.role
            """,
            [.text(member.name), .text(member.role.rawValue)]
        )
        return member
    }

    package mutating func forget(_ database: Database) throws {
        self = Household()
        try database.run("DELETE FROM household")
    }

    /// Whether this says something new.
    private mutating func add(_ member: Member) -> Bool {
        if let index = members.firstIndex(where: { $0.name == member.name }) {
            defer { members[index] = member }
            return members[index] != member
        }
        guard members.count < Self.membersMax else { return false }
        members.append(member)
        return true
    }

    // MARK: - Rows

    /// `former`: the rows that a version before this one kept, as names and roles in their order; the table they stand in
    /// goes.
    package static func migration(former: String, table: String) -> Migration {
        Migration(
            name: "household",
            sql: """
                CREATE TABLE household (
                    place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL
                ) STRICT;
                INSERT INTO household (name, role) \(former);
                DROP TABLE \(table);
                """
        )
    }

    package init(_ database: Database) throws {
        try database.query("SELECT name, role FROM household ORDER BY place") { row in
            members.append(
                Member(name: try row.text(0), role: MemberRole(rawValue: try row.text(1)) ?? .unknown)
            )
        }
    }
}
