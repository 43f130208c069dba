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
    }

    package struct Permission: Sendable, Hashable {
        package var app: String
        package var member: String
    }

    /// What one member has said about one app.
    package enum Word: String, Sendable {
        case inForce = "in_force"
        case notEnforced = "not_enforced"
        case revoked
    }

    package internal(set) var installed: [String: Extensions] = [:]
    package internal(set) var words: [Permission: Word] = [:]

    /// Our own rules are the person's, made with our own command: nobody needs to be asked.
    package static let rules = "screentime.rules"

    /// Why nothing that the app says counts for this member; nil when it does.
    package func problem(app: String, member: String) -> Word? {
        if app == Self.rules { return nil }
        let word = words[Permission(app: app, member: member)] ?? .revoked
        return word == .inForce ? nil : word
    }
}
