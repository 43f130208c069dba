import STContracts

/// What is part of the system and needs nobody's permission: rules that people make themselves.
enum BuiltIn {
    static let prefix = "screentime."
    static let rules = "screentime.rules"

    static func isBuiltIn(_ app: String) -> Bool { app == rules }

    static func authorization(_ app: String, _ member: String) -> Authorization {
        Authorization(
            app: app,
            member: member,
            status: .approved,
            scope: .individual,
            access: true,
            enforce: true,
            generation: 0
        )
    }
}
