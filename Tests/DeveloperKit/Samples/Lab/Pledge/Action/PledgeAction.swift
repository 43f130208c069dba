import ManagedSettings

class PledgeAction: ShieldActionDelegate {
    // The shield is that of all categories, so the category is what a person gives in to.
    override func handle(
        action: ShieldAction,
        for category: ActivityCategoryToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        guard action == .secondaryButtonPressed else { return completionHandler(.close) }
        PledgeStore.add("gave in")
        ManagedSettingsStore().clearAllSettings()
        completionHandler(.none)
    }
}
