/// What the browser may do.
///
/// A part of a store: what is nil is not set by it.
public struct SafariSettings: ManagedSettingsGroup, Sendable {
    /// Whose cookies are kept; the earlier one is the stricter one.
    public enum CookiePolicy: String, Comparable, Sendable {
        /// Nobody's.
        case never

        /// Those of the site that is open.
        case currentWebsite

        /// Those of sites that were visited.
        case visitedWebsites

        /// Everybody's.
        case always

        private var leniency: Int {
            switch self {
            case .never: 0
            case .currentWebsite: 1
            case .visitedWebsites: 2
            case .always: 3
            }
        }

        /// Whether one is stricter than the other.
        public static func < (one: CookiePolicy, other: CookiePolicy) -> Bool {
            one.leniency < other.leniency
        }
    }

    /// What holds where nobody sets `cookiePolicy`.
    public static let cookiePolicy = SettingMetadata<CookiePolicy>(defaultValue: .always)

    /// What holds where nobody sets `denyAutoFill`.
    public static let denyAutoFill = SettingMetadata<Bool>(defaultValue: false)

    var fields: SettingFields

    /// Whose cookies are kept.
    public var cookiePolicy: CookiePolicy? {
        get { fields["safari.cookiePolicy"] }
        set { fields["safari.cookiePolicy"] = newValue }
    }

    /// Whether forms may not be filled in by the browser.
    public var denyAutoFill: Bool? {
        get { fields["safari.denyAutoFill"] }
        set { fields["safari.denyAutoFill"] = newValue }
    }
}

extension SafariSettings: StoredGroup {
    static let prefix = "safari."
}
