/// Apple's numbers, and what keeps the rest bounded.
package enum SettingLimits {
    /// Of one app for one member.
    package static let storesPerApp = 50
    /// Our own rules have a store each.
    package static let storesOfRules = 400
    /// Of all apps and members together: every one of them is kept in memory.
    package static let storesMax = 5_000
    package static let nameBytesMax = 128
    /// Of the name of an app as a desktop reports it.
    package static let idBytesMax = 256
    /// What an app set in one store, with all tokens.
    package static let storeBytesMax = 128 * 1024

    static func stores(of app: String) -> Int { app == AppBook.rules ? storesOfRules : storesPerApp }
}
