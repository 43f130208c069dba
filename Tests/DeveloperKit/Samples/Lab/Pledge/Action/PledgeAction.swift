import ManagedSettings

class PledgeAction: ShieldActionDelegate {
    // The shield covers all categories, so the button refers to the category.
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
