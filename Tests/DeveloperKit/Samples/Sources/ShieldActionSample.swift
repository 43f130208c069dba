import ManagedSettings

// Imports one module, like most of these extensions.
package class ShieldActionSample: ShieldActionDelegate {
    let store = ManagedSettingsStore()

    package override func handle(
        action: ShieldAction,
        for application: ApplicationToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        switch action {
        case .primaryButtonPressed:
            completionHandler(.close)
        case .secondaryButtonPressed:
            store.shield.applications?.remove(application)
            completionHandler(.defer)
        @unknown default:
            completionHandler(.none)
        }
    }

    package override func handle(
        action: ShieldAction,
        for webDomain: WebDomainToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        completionHandler(.close)
    }

    package override func handle(
        action: ShieldAction,
        for category: ActivityCategoryToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        let key = "extensions"
        let defaults = UserDefaults(suiteName: "group.sample")
        defaults?.set((defaults?.integer(forKey: key) ?? 0) + 1, forKey: key)
        completionHandler(.defer)
    }
}
