/// Which sites may be opened.
///
/// A part of a store: what is nil is not set by it.
public struct WebContentSettings: ManagedSettingsGroup, Sendable {
    /// Which sites the filter keeps out.
    public enum FilterPolicy: Equatable, Sendable {
        /// None.
        case none

        /// These.
        case specific(_: Set<WebDomain>)

        /// Those for adults and these, except for some.
        case auto(_: Set<WebDomain> = [], except: Set<WebDomain> = [])

        /// All but some.
        case all(except: Set<WebDomain> = [])
    }

    /// What holds where nobody sets `blockedByFilter`.
    public static let blockedByFilter = SettingMetadata<FilterPolicy>(defaultValue: .none)

    var fields: SettingFields

    /// Which sites the filter keeps out.
    public var blockedByFilter: FilterPolicy? {
        get { fields["webContent.blockedByFilter"] }
        set { fields["webContent.blockedByFilter"] = newValue }
    }
}

extension WebContentSettings: StoredGroup {
    static let prefix = "webContent."
}
