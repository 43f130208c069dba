package import STContracts
import STCrypto
import STPlatform

/// The household, its apps and its permissions in the memory of auth-service.
package struct AuthState: Sendable, Equatable {
    package var device: Device?
    package var members: [Member] = []
    var passcodes: [String: StoredPasscode] = [:]
    var apps: [String: InstalledApp] = [:]
    var authorizations: [PermissionKey: Authorization] = [:]
    /// The highest generation of any member's permission for an app. It ensures that no generation is used twice.
    var generations: [String: Int64] = [:]
    /// The latest questions, newest last.
    var questions: [StoredQuestion] = []
    /// The latest notices, newest last.
    var notices: [AuthorizationNotice] = []
    /// The key from which the keys of new tokens are derived.
    var master: MasterKey?
}

/// The key of a permission: an app and a member.
struct PermissionKey: Sendable, Hashable {
    var app: String
    var member: String
}

/// The key from which all keys of one version are derived.
struct MasterKey: Sendable, Equatable {
    var version: Int64
    var key: Secret
}

/// A question, and its answer unless it is open.
struct StoredQuestion: Sendable, Equatable {
    var question: AuthQuestion
    var asked: BootTime
}

/// The stored data of a passcode.
struct StoredPasscode: Sendable, Equatable {
    var hash: String
    var changed: WallTime
    /// The number of wrong attempts since the last right one, and the boot time of the last.
    var wrong: Int64
    var wrongBoot: BootTime
}
