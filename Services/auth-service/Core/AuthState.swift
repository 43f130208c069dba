package import STContracts
import STCrypto

/// The household, its apps and its permissions as this service knows them.
package struct AuthState: Sendable, Equatable {
    package var device: Device?
    package var members: [Member] = []
    var passcodes: [String: StoredPasscode] = [:]
    var apps: [String: InstalledApp] = [:]
    var authorizations: [PermissionKey: Authorization] = [:]
    /// The highest generation that any member's permission for an app has had, so that none is given twice.
    var generations: [String: Int64] = [:]
    /// The latest, the newest last.
    var questions: [StoredQuestion] = []
    /// The latest, the newest last.
    var notices: [AuthorizationNotice] = []
    /// Tokens given out now are sealed with keys made of this one.
    var master: MasterKey?
}

/// One app and one member.
struct PermissionKey: Sendable, Hashable {
    var app: String
    var member: String
}

/// The key that all keys of one version are made of.
struct MasterKey: Sendable, Equatable {
    var version: Int64
    var key: Secret
}

/// A question as it was asked and, unless it is open, answered.
struct StoredQuestion: Sendable, Equatable {
    var question: AuthQuestion
    var askedBootMs: Int64
}

/// What is kept of a passcode.
struct StoredPasscode: Sendable, Equatable {
    var hash: String
    var changedWallMs: Int64
    /// Wrong ones since the last right one, and when the last of them came.
    var wrong: Int64
    var wrongBootMs: Int64
}
