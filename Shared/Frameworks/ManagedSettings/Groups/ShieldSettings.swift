/// What is covered by a shield.
///
/// A part of a store: what is nil is not set by it.
public struct ShieldSettings: ManagedSettingsGroup, Sendable {
    /// Which categories are shielded, and what of them is not.
    public enum ActivityCategoryPolicy<Activity>: Equatable, Sendable {
        /// None of them.
        case none

        /// These, except for some apps or sites.
        case specific(Set<ActivityCategoryToken>, except: Set<Token<Activity>> = [])

        /// All of them, except for some apps or sites.
        case all(except: Set<Token<Activity>> = [])
    }

    /// What holds where nobody sets `applications`.
    public static let applications = SettingMetadata<Set<ApplicationToken>>(defaultValue: [])

    /// What holds where nobody sets `applicationCategories`.
    public static let applicationCategories = SettingMetadata<ActivityCategoryPolicy<Application>>(
        defaultValue: .none
    )

    /// What holds where nobody sets `webDomains`.
    public static let webDomains = SettingMetadata<Set<WebDomainToken>>(defaultValue: [])

    /// What holds where nobody sets `webDomainCategories`.
    public static let webDomainCategories = SettingMetadata<ActivityCategoryPolicy<WebDomain>>(
        defaultValue: .none
    )

    var fields: SettingFields

    /// Apps that are shielded; at most fifty.
    public var applications: Set<ApplicationToken>? {
        get { fields["shield.applications"] }
        set { fields["shield.applications"] = newValue }
    }

    /// Categories whose apps are shielded, in addition to `applications`.
    public var applicationCategories: ActivityCategoryPolicy<Application>? {
        get { fields["shield.applicationCategories"] }
        set { fields["shield.applicationCategories"] = newValue }
    }

    /// Sites that are shielded; at most fifty.
    public var webDomains: Set<WebDomainToken>? {
        get { fields["shield.webDomains"] }
        set { fields["shield.webDomains"] = newValue }
    }

    /// Categories whose sites are shielded, in addition to `webDomains`.
    public var webDomainCategories: ActivityCategoryPolicy<WebDomain>? {
        get { fields["shield.webDomainCategories"] }
        set { fields["shield.webDomainCategories"] = newValue }
    }
}

extension ShieldSettings: StoredGroup {
    static let prefix = "shield."
}
