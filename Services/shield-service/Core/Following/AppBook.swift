import STContracts

/// The apps, their shield extensions, and what members let them do: a copy of what auth-service says.
package struct AppBook: Sendable, Equatable {
    package struct Extensions: Sendable, Equatable {
        /// As the app calls itself.
        package var name: String
        package var configuration: String?
        package var action: String?
        /// Its folder, for the pictures in it.
        package var bundle: String
        /// Tells one installation from the next.
        package var installedAt: String
        /// What the app shares with its extensions.
        package var groups: [String] = []
    }

    package struct Permission: Sendable, Hashable {
        package var app: String
        package var member: String
    }

    /// What one member has said about one app.
    package struct Standing: Sendable, Equatable {
        package var isApproved: Bool
        /// Whether what the app sets is in force.
        package var isEnforced: Bool
        /// Raised by each revocation; what was set under an earlier one is void.
        package var generation: Int64
    }

    package internal(set) var installed: [String: Extensions] = [:]
    package internal(set) var words: [Permission: Standing] = [:]

    /// Our own rules are the person's, made with our own command: nobody needs to be asked.
    package static let rules = "screentime.rules"

    /// Nil when nobody has said anything yet.
    package func standing(_ app: String, _ member: String) -> Standing? {
        words[Permission(app: app, member: member)]
    }
}

extension AppBook.Standing {
    init(_ word: Authorization) {
        isApproved = word.status == .approved && word.access
        isEnforced = word.enforce
        generation = word.generation
    }
}
