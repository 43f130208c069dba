extension StoreShields {
    /// Of all settings those that shield.
    package init(_ values: [SettingKey: SettingValue]) {
        self.init()
        for (key, value) in values {
            switch (key, value) {
            case (.applications, .names(let names)): apps = names
            case (.blockedApplications, .names(let names)): blockedApps = names
            case (.webDomains, .names(let names)): domains = names
            case (.applicationCategories, .policy(let policy)): categories = policy
            case (.webDomainCategories, .policy(let policy)): domainCategories = policy
            case (.blockedByFilter, .filter(let filter)): self.filter = filter
            default: break
            }
        }
    }

    /// Settings that are told as shields and not by their names.
    package static let keys: Set<SettingKey> = [
        .applications, .blockedApplications, .webDomains, .applicationCategories, .webDomainCategories,
        .blockedByFilter,
    ]
}
