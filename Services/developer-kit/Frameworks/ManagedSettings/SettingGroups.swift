/// A group of the settings of a store. A property is `nil` if the store does not set it.
public protocol ManagedSettingsGroup {}

/// A group that contains its settings as the frameworks send them.
protocol StoredGroup: ManagedSettingsGroup {
    /// The prefix of the names of the group's settings.
    static var prefix: String { get }
    var fields: SettingFields { get set }
    init(fields: SettingFields)
}

/// The default value of a setting.
public struct SettingMetadata<Value> {
    /// The value if no store sets it.
    public let defaultValue: Value
}

/// The default value and limits of a setting.
public struct BoundedSettingMetadata<Value: Comparable> {
    /// The value if no store sets it.
    public let defaultValue: Value
    public let bounds: ClosedRange<Value>
}

extension SettingMetadata: Sendable where Value: Sendable {}
extension BoundedSettingMetadata: Sendable where Value: Sendable {}

public struct AccountSettings: ManagedSettingsGroup, Sendable {
    public static let lockAccounts = SettingMetadata<Bool>(defaultValue: false)

    var fields: SettingFields

    public var lockAccounts: Bool? {
        get { fields["account.lockAccounts"] }
        set { fields["account.lockAccounts"] = newValue }
    }
}

extension AccountSettings: StoredGroup { static let prefix = "account." }

public struct ApplicationSettings: ManagedSettingsGroup, Sendable {
    public static let blockedApplications = SettingMetadata<Set<Application>>(defaultValue: [])
    public static let denyAppInstallation = SettingMetadata<Bool>(defaultValue: false)
    public static let denyAppRemoval = SettingMetadata<Bool>(defaultValue: false)

    var fields: SettingFields

    /// The apps that are hidden and cannot be started. The limit is 50.
    public var blockedApplications: Set<Application>? {
        get { fields["application.blockedApplications"] }
        set { fields["application.blockedApplications"] = newValue }
    }

    public var denyAppInstallation: Bool? {
        get { fields["application.denyAppInstallation"] }
        set { fields["application.denyAppInstallation"] = newValue }
    }

    public var denyAppRemoval: Bool? {
        get { fields["application.denyAppRemoval"] }
        set { fields["application.denyAppRemoval"] = newValue }
    }
}

extension ApplicationSettings: StoredGroup { static let prefix = "application." }

public struct AppStoreSettings: ManagedSettingsGroup, Sendable {
    public static let denyInAppPurchases = SettingMetadata<Bool>(defaultValue: false)
    public static let maximumRating = BoundedSettingMetadata<Int>(defaultValue: 1000, bounds: 0...1000)
    public static let requirePasswordForPurchases = SettingMetadata<Bool>(defaultValue: false)

    var fields: SettingFields

    public var denyInAppPurchases: Bool? {
        get { fields["appStore.denyInAppPurchases"] }
        set { fields["appStore.denyInAppPurchases"] = newValue }
    }

    /// The highest allowed rating of an app. 1000 allows all, 600 17+, 300 12+, 200 9+, 100 4+, and 0 none.
    public var maximumRating: Int? {
        get { fields["appStore.maximumRating"] }
        set { fields["appStore.maximumRating"] = newValue }
    }

    public var requirePasswordForPurchases: Bool? {
        get { fields["appStore.requirePasswordForPurchases"] }
        set { fields["appStore.requirePasswordForPurchases"] = newValue }
    }
}

extension AppStoreSettings: StoredGroup { static let prefix = "appStore." }

/// A group without a property in `ManagedSettingsStore`. Apple's module also has only the type.
public struct CalculatorSettings: ManagedSettingsGroup, Sendable {
    public static let denyMathPaperSolving = SettingMetadata<Bool>(defaultValue: false)

    public var denyMathPaperSolving: Bool?
}

public struct CellularSettings: ManagedSettingsGroup, Sendable {
    public static let lockAppCellularData = SettingMetadata<Bool>(defaultValue: false)
    public static let lockCellularPlan = SettingMetadata<Bool>(defaultValue: false)
    public static let lockESIM = SettingMetadata<Bool>(defaultValue: false)

    var fields: SettingFields

    public var lockAppCellularData: Bool? {
        get { fields["cellular.lockAppCellularData"] }
        set { fields["cellular.lockAppCellularData"] = newValue }
    }

    public var lockCellularPlan: Bool? {
        get { fields["cellular.lockCellularPlan"] }
        set { fields["cellular.lockCellularPlan"] = newValue }
    }

    public var lockESIM: Bool? {
        get { fields["cellular.lockESIM"] }
        set { fields["cellular.lockESIM"] = newValue }
    }
}

extension CellularSettings: StoredGroup { static let prefix = "cellular." }

public struct DateAndTimeSettings: ManagedSettingsGroup, Sendable {
    public static let requireAutomaticDateAndTime = SettingMetadata<Bool>(defaultValue: false)

    var fields: SettingFields

    public var requireAutomaticDateAndTime: Bool? {
        get { fields["dateAndTime.requireAutomaticDateAndTime"] }
        set { fields["dateAndTime.requireAutomaticDateAndTime"] = newValue }
    }
}

extension DateAndTimeSettings: StoredGroup { static let prefix = "dateAndTime." }

public struct GameCenterSettings: ManagedSettingsGroup, Sendable {
    public static let denyAddingFriends = SettingMetadata<Bool>(defaultValue: false)
    public static let denyMultiplayerGaming = SettingMetadata<Bool>(defaultValue: false)

    var fields: SettingFields

    public var denyAddingFriends: Bool? {
        get { fields["gameCenter.denyAddingFriends"] }
        set { fields["gameCenter.denyAddingFriends"] = newValue }
    }

    public var denyMultiplayerGaming: Bool? {
        get { fields["gameCenter.denyMultiplayerGaming"] }
        set { fields["gameCenter.denyMultiplayerGaming"] = newValue }
    }
}

extension GameCenterSettings: StoredGroup { static let prefix = "gameCenter." }

public struct MediaSettings: ManagedSettingsGroup, Sendable {
    public static let denyBookstoreErotica = SettingMetadata<Bool>(defaultValue: false)
    public static let denyExplicitContent = SettingMetadata<Bool>(defaultValue: false)
    public static let denyMusicService = SettingMetadata<Bool>(defaultValue: false)
    public static let maximumMovieRating = BoundedSettingMetadata<Int>(defaultValue: 1000, bounds: 0...1000)
    public static let maximumTVShowRating = BoundedSettingMetadata<Int>(defaultValue: 1000, bounds: 0...1000)

    var fields: SettingFields

    public var denyBookstoreErotica: Bool? {
        get { fields["media.denyBookstoreErotica"] }
        set { fields["media.denyBookstoreErotica"] = newValue }
    }

    public var denyExplicitContent: Bool? {
        get { fields["media.denyExplicitContent"] }
        set { fields["media.denyExplicitContent"] = newValue }
    }

    public var denyMusicService: Bool? {
        get { fields["media.denyMusicService"] }
        set { fields["media.denyMusicService"] = newValue }
    }

    /// The highest allowed rating of a film. 1000 allows all, 500 NC-17, 400 R, 300 PG-13, 200 PG, 100 G, and 0 none.
    public var maximumMovieRating: Int? {
        get { fields["media.maximumMovieRating"] }
        set { fields["media.maximumMovieRating"] = newValue }
    }

    /// The highest allowed rating of a TV programme.
    ///
    /// 1000 allows all, 600 MA, 500 14, 400 PG, 300 G, 200 Y7, 100 Y, and 0 none.
    public var maximumTVShowRating: Int? {
        get { fields["media.maximumTVShowRating"] }
        set { fields["media.maximumTVShowRating"] = newValue }
    }
}

extension MediaSettings: StoredGroup { static let prefix = "media." }

public struct PasscodeSettings: ManagedSettingsGroup, Sendable {
    public static let lockPasscode = SettingMetadata<Bool>(defaultValue: false)

    var fields: SettingFields

    public var lockPasscode: Bool? {
        get { fields["passcode.lockPasscode"] }
        set { fields["passcode.lockPasscode"] = newValue }
    }
}

extension PasscodeSettings: StoredGroup { static let prefix = "passcode." }

public struct SafariSettings: ManagedSettingsGroup, Sendable {
    /// The policies, ordered from strict to lenient.
    public enum CookiePolicy: String, Comparable, Sendable {
        case never, currentWebsite, visitedWebsites, always

        private var leniency: Int {
            switch self {
            case .never: 0
            case .currentWebsite: 1
            case .visitedWebsites: 2
            case .always: 3
            }
        }

        public static func < (one: CookiePolicy, other: CookiePolicy) -> Bool {
            one.leniency < other.leniency
        }
    }

    public static let cookiePolicy = SettingMetadata<CookiePolicy>(defaultValue: .always)
    public static let denyAutoFill = SettingMetadata<Bool>(defaultValue: false)

    var fields: SettingFields

    public var cookiePolicy: CookiePolicy? {
        get { fields["safari.cookiePolicy"] }
        set { fields["safari.cookiePolicy"] = newValue }
    }

    public var denyAutoFill: Bool? {
        get { fields["safari.denyAutoFill"] }
        set { fields["safari.denyAutoFill"] = newValue }
    }
}

extension SafariSettings: StoredGroup { static let prefix = "safari." }

public struct ShieldSettings: ManagedSettingsGroup, Sendable {
    /// The shielded categories, and the apps or sites that are exempt.
    public enum ActivityCategoryPolicy<Activity>: Equatable, Sendable {
        case none

        /// Shields these categories, except for some apps or sites.
        case specific(Set<ActivityCategoryToken>, except: Set<Token<Activity>> = [])

        /// Shields all categories, except for some apps or sites.
        case all(except: Set<Token<Activity>> = [])
    }

    public static let applications = SettingMetadata<Set<ApplicationToken>>(defaultValue: [])

    public static let applicationCategories = SettingMetadata<ActivityCategoryPolicy<Application>>(
        defaultValue: .none
    )

    public static let webDomains = SettingMetadata<Set<WebDomainToken>>(defaultValue: [])

    public static let webDomainCategories = SettingMetadata<ActivityCategoryPolicy<WebDomain>>(
        defaultValue: .none
    )

    var fields: SettingFields

    /// The shielded apps. The limit is 50.
    public var applications: Set<ApplicationToken>? {
        get { fields["shield.applications"] }
        set { fields["shield.applications"] = newValue }
    }

    /// The categories whose apps are shielded, in addition to `applications`.
    public var applicationCategories: ActivityCategoryPolicy<Application>? {
        get { fields["shield.applicationCategories"] }
        set { fields["shield.applicationCategories"] = newValue }
    }

    /// The shielded sites. The limit is 50.
    public var webDomains: Set<WebDomainToken>? {
        get { fields["shield.webDomains"] }
        set { fields["shield.webDomains"] = newValue }
    }

    /// The categories whose sites are shielded, in addition to `webDomains`.
    public var webDomainCategories: ActivityCategoryPolicy<WebDomain>? {
        get { fields["shield.webDomainCategories"] }
        set { fields["shield.webDomainCategories"] = newValue }
    }
}

extension ShieldSettings: StoredGroup { static let prefix = "shield." }

public struct SiriSettings: ManagedSettingsGroup, Sendable {
    public static let denySiri = SettingMetadata<Bool>(defaultValue: false)

    var fields: SettingFields

    public var denySiri: Bool? {
        get { fields["siri.denySiri"] }
        set { fields["siri.denySiri"] = newValue }
    }
}

extension SiriSettings: StoredGroup { static let prefix = "siri." }

public struct WebContentSettings: ManagedSettingsGroup, Sendable {
    public enum FilterPolicy: Equatable, Sendable {
        case none

        case specific(_: Set<WebDomain>)

        /// Blocks sites for adults and the given sites, with exceptions.
        case auto(_: Set<WebDomain> = [], except: Set<WebDomain> = [])

        /// Blocks all sites, with exceptions.
        case all(except: Set<WebDomain> = [])
    }

    public static let blockedByFilter = SettingMetadata<FilterPolicy>(defaultValue: .none)

    var fields: SettingFields

    public var blockedByFilter: FilterPolicy? {
        get { fields["webContent.blockedByFilter"] }
        set { fields["webContent.blockedByFilter"] = newValue }
    }
}

extension WebContentSettings: StoredGroup { static let prefix = "webContent." }
