import STContracts

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
    /// Of what others are told of one store; the rest of an event is for names, a cause and whatever a later change of
    /// the permission adds.
    package static let toldBytesMax = BusLimits.eventBodyBytes - 2 * 1024
    /// Of all stores together, as they were set and as they are told: every one of them is kept in memory.
    package static let allBytesMax = 32 * 1024 * 1024
    /// Apps and sites that one list of `settings.effective` names.
    package static let effectiveNamesMax = 500

    static func stores(of app: String) -> Int { app == AppBook.rules ? storesOfRules : storesPerApp }
}
