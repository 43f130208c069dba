/// One setting of a store: what it takes, how several stores combine, and what comes of it on Linux.
package struct SettingKey: Sendable {
    /// Such as `shield.applications`: Apple's names of the group and of the property.
    package let name: String
    package let kind: SettingKind
    package let reach: SettingReach
    /// What a Linux computer does about it, as a sentence.
    package let sentence: String

    init(
        _ name: String,
        _ kind: SettingKind,
        _ reach: SettingReach,
        _ sentence: String
    ) {
        self.name = name
        self.kind = kind
        self.reach = reach
        self.sentence = sentence
    }

    package var rule: CombineRule {
        switch kind {
        case .bool: .or
        case .integer, .cookies: .min
        case .apps, .domains: .union
        case .appPolicy, .domainPolicy, .filter: .mostRestrictive
        case .note: .apart
        }
    }

    package static func named(_ name: String) -> SettingKey? { byName[name] }

    /// As `named`, and what only the stores of rules hold.
    package static func kept(_ name: String) -> SettingKey? {
        named(name) ?? (name == note.name ? note : nil)
    }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The store's own switch; not a setting, but written like one.
    package static let isActive = "isActive"
    /// Things in one set, and in the categories or exceptions of one policy.
    package static let thingsMax = 50

    package static let applications = SettingKey(
        "shield.applications",
        .apps,
        .enforced,
        "These apps are shielded: a shield covers their windows where the desktop allows it."
    )
    package static let applicationCategories = SettingKey(
        "shield.applicationCategories",
        .appPolicy,
        .enforced,
        "The apps of these categories are shielded: a shield covers their windows where the desktop allows it."
    )
    package static let webDomains = SettingKey(
        "shield.webDomains",
        .domains,
        .enforced,
        "These sites are shielded in browsers that report their sites. `screentime browser list` lists these browsers."
    )
    package static let webDomainCategories = SettingKey(
        "shield.webDomainCategories",
        .domainPolicy,
        .enforced,
        "Sites of these categories are shielded in browsers that report their sites. `screentime browser list` lists these browsers."
    )
    package static let blockedApplications = SettingKey(
        "application.blockedApplications",
        .apps,
        .enforced,
        "These apps are shielded like others; they are not hidden from the menu."
    )
    package static let blockedByFilter = SettingKey(
        "webContent.blockedByFilter",
        .filter,
        .enforced,
        "These sites are shielded in browsers that report their sites. With `auto` only the named sites count, because there is no list "
            + "of adult sites here."
    )

    /// Not a setting of Apple's: only the code that draws shields reads it.
    package static let note = SettingKey(
        "shield.note",
        .note,
        .enforced,
        "What a rule says on its shields: its name, the person's words and when it opens again."
    )

    /// Every setting that Apple's stores have up to iOS 18, by name.
    package static let all: [SettingKey] =
        [
            applications, applicationCategories, webDomains, webDomainCategories, blockedApplications,
            blockedByFilter,
        ].joined(with: later + impossible)

    private static let later: [SettingKey] = [
        flag(
            "application.denyAppInstallation",
            .later,
            "The package manager installs apps; nothing stops it yet."
        ),
        flag(
            "application.denyAppRemoval",
            .later,
            "The package manager removes apps; nothing stops it yet. Removing one from Screen Time always asks."
        ),
        flag(
            "dateAndTime.requireAutomaticDateAndTime",
            .later,
            "The machine's owner can set the clock, but Screen Time counts by one that cannot be set."
        ),
        flag(
            "passcode.lockPasscode",
            .later,
            "A login password is changed with the system's tools; nothing stops it yet."
        ),
        flag(
            "account.lockAccounts",
            .later,
            "Accounts are added with the system's tools; nothing stops it yet."
        ),
        SettingKey(
            "safari.cookiePolicy",
            .cookies,
            .later,
            "Browsers have policies for cookies, but nothing here writes them yet."
        ),
        flag(
            "safari.denyAutoFill",
            .later,
            "Browsers have a policy for this, but nothing here writes it yet."
        ),
    ]

    private static let impossible: [SettingKey] = [
        flag(
            "appStore.denyInAppPurchases",
            .notPossible,
            "No app store on Linux sells anything inside apps."
        ),
        rating("appStore.maximumRating", "Screen Time does not read the age ratings of Linux apps (OARS)."),
        flag(
            "appStore.requirePasswordForPurchases",
            .notPossible,
            "No app store on Linux sells anything inside apps."
        ),
        flag(
            "cellular.lockAppCellularData",
            .notPossible,
            "A Linux computer does not control mobile data app by app."
        ),
        flag("cellular.lockCellularPlan", .notPossible, "A Linux computer has no mobile plan to change."),
        flag("cellular.lockESIM", .notPossible, "A Linux computer has no eSIM to change."),
        flag("gameCenter.denyAddingFriends", .notPossible, "There is no Game Center on Linux."),
        flag("gameCenter.denyMultiplayerGaming", .notPossible, "There is no Game Center on Linux."),
        flag("media.denyBookstoreErotica", .notPossible, "There is no Apple Books on Linux."),
        flag("media.denyExplicitContent", .notPossible, "Players on Linux do not know what is explicit."),
        flag(
            "media.denyMusicService",
            .notPossible,
            "There is no Apple Music on Linux; shield the app instead."
        ),
        rating("media.maximumMovieRating", "Players on Linux do not know how a film is rated."),
        rating("media.maximumTVShowRating", "Players on Linux do not know how a programme is rated."),
        flag("siri.denySiri", .notPossible, "There is no Siri on Linux."),
    ]

    private static func flag(_ name: String, _ reach: SettingReach, _ sentence: String) -> SettingKey {
        SettingKey(name, .bool, reach, sentence)
    }

    private static func rating(_ name: String, _ sentence: String) -> SettingKey {
        SettingKey(name, .integer(0...1000), .notPossible, sentence)
    }
}

extension SettingKey: Hashable {
    package static func == (left: SettingKey, right: SettingKey) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension [SettingKey] {
    fileprivate func joined(with others: [SettingKey]) -> [SettingKey] {
        (self + others).sorted { $0.name < $1.name }
    }
}

/// What a setting takes.
package enum SettingKind: Sendable, Hashable {
    case bool
    case integer(ClosedRange<Int64>)
    case cookies
    case apps
    case domains
    case appPolicy
    case domainPolicy
    case filter
    /// Words of a rule; no app may set it.
    case note
}

/// What a Linux computer can do about a setting.
package enum SettingReach: String, Sendable {
    case enforced
    /// Kept and combined; what would act on it is not part of this system yet.
    case later
    /// Kept and combined; there is nothing on a Linux computer that it could act on.
    case notPossible = "not_possible"
}

/// What a setting is set to, by canonical names.
package enum SettingValue: Sendable, Hashable {
    case bool(Bool)
    case integer(Int64)
    case cookies(CookiePolicy)
    /// Apps, or sites.
    case names(Set<String>)
    case policy(CategoryPolicy)
    case filter(WebFilter)
    case note(ShieldNote)
}

/// How the words of several stores become one: always the stricter one.
package enum CombineRule: String, Sendable {
    /// True wins.
    case or
    /// The lowest wins.
    case min
    /// All the things that a store names.
    case union
    /// The policy that reaches furthest, with the exceptions that all of them make.
    case mostRestrictive = "most_restrictive"
    /// Each store says it for itself, and nothing comes of several.
    case apart
}
