package import STContracts
package import STEngine
package import STPlatform
package import STStore

/// The members of the household, from auth-service.
package struct Household: Sendable, Equatable {
    /// Upper bound on the members. No household has that many.
    private static let membersMax = 1_000

    /// The members in the order in which they joined.
    package private(set) var members: [Member] = []
    /// True once auth-service's stream has been read completely. Until then, a member may be missing.
    package var isComplete = false

    package init(_ members: [Member] = []) { self.members = members }

    // MARK: - Lookups

    /// The member to whom this account belongs.
    package var owner: String? { members.ofThisAccount?.name }

    package func contains(_ name: String) -> Bool {
        // Called for every observation. Without a closure, no member is copied.
        for index in members.indices where members[index].name == name { return true }
        return false
    }

    package func role(of name: String) -> MemberRole? { members.first { $0.name == name }?.role }

    package func hasGuardian(besides name: String) -> Bool {
        members.contains { $0.role == .guardian && $0.name != name }
    }

    /// Returns the member that a request names, or the owner if it names none.
    package func member(_ asked: String?) throws(Problem) -> String {
        guard let name = asked ?? owner else { throw Self.memberRequiredProblem }
        if contains(name) { return name }
        throw isComplete ? Self.unknownMemberProblem(name) : Self.memberRequiredProblem
    }

    /// Returns the same from a list that auth-service has just sent. A nil list means that auth-service was not called.
    package static func member(_ asked: String?, in list: MemberList.Reply?) throws(Problem) -> Member {
        guard let members = list?.members, let owner = members.ofThisAccount else {
            throw memberRequiredProblem
        }
        guard let asked else { return owner }
        if let found = members.first(where: { $0.name == asked }) { return found }
        throw unknownMemberProblem(asked, TextFormat.closest(to: asked, in: members.map(\.name)))
    }

    package static let memberRequiredProblem = Problem(
        "unavailable",
        "auth-service has not yet sent the list of household members. Try again in a moment.",
        key: "unavailable.auth-service-has-not-said-yet",
        retryable: true,
        help: "screentime status"
    )

    package static func unknownMemberProblem(
        _ name: String,
        _ near: String? = nil,
        field: String = "/member",
        help: String = "screentime member list"
    ) -> Problem {
        let text =
            near.map {
                Message(
                    "member.unknown.did-you-mean",
                    "The household has no member called \(name, "name"). Did you mean \($0, "near")?"
                )
            }
            ?? Message(
                "member.unknown.the-household-has",
                "The household has no member called \(name, "name")."
            )
        return Problem(
            "member.unknown",
            text: text,
            field: field,
            help: help
        )
    }

    // MARK: - Following

    /// Applies an event of stream `authorization` about a member. Ignores other events.
    package mutating func apply(_ event: WireEvent, _ database: Database) throws {
        switch event.header.type {
        case MemberAdded.type:
            let member = try event.decoded(MemberAdded.self)
            guard add(member) else { return }
            try database.run(
                """
                INSERT INTO household (name, role, account) VALUES (?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET role = excluded.role, account = excluded.account
                """,
                [.text(member.name), .text(member.role.rawValue), SQLValue(member.account)]
            )
        case MemberRemoved.type:
            let name = try event.decoded(MemberRemoved.self).name
            members.removeAll { $0.name == name }
            try database.run("DELETE FROM household WHERE name = ?", [.text(name)])
        default: return
        }
    }

    package mutating func removeAll(_ database: Database) throws {
        self = Household()
        try database.run("DELETE FROM household")
    }

    /// Returns true if the member is new or has changed.
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

    /// `former`: a query for the rows of an earlier version, as names and roles in their order. `table`: the former table, which is
    /// dropped.
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

    /// For a service that stored no members before.
    package static let initialMigration = Migration(
        name: "household",
        sql: """
            CREATE TABLE household (
                place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL, account TEXT
            ) STRICT;
            """
    )

    /// Names the account of the first member, for whose account Screen Time was installed.
    package static let accountsMigration = Migration(
        name: "accounts",
        sql: """
            ALTER TABLE household ADD COLUMN account TEXT;
            UPDATE household SET account = name WHERE place = (SELECT min(place) FROM household);
            """
    )

    package init(_ database: Database) throws {
        try database.query("SELECT name, role, account FROM household ORDER BY place") { row in
            members.append(
                Member(
                    name: try row.text(0),
                    role: MemberRole(rawValue: try row.text(1)) ?? .unknown,
                    account: try row.optionalText(2)
                )
            )
        }
    }
}

extension Subscription {
    /// Follows the members of the household, for a service that follows auth-service only for them.
    package static func members(_ place: any WritableKeyPath<State, Household> & Sendable) -> Subscription {
        Subscription(
            source: .auth,
            stream: .authorization,
            reset: { state, change in try state[keyPath: place].removeAll(change.database) },
            apply: { state, event, change in try state[keyPath: place].apply(event, change.database) },
            reached: { $0[keyPath: place].isComplete = true }
        )
    }
}
