package import STPlatform

/// One setting of a store: its kind of value, the rule to combine several stores, and its effect on Linux.
package struct SettingKey: Sendable {
    /// Apple's names of the group and of the property, such as `shield.applications`.
    package let name: String
    package let kind: SettingKind
    package let reach: SettingReach
    /// A sentence about the effect on a Linux computer.
    package let message: Message

    init(
        _ name: String,
        kind: SettingKind,
        reach: SettingReach,
        sentence: Message
    ) {
        self.name = name
        self.kind = kind
        self.reach = reach
        self.message = sentence
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

    /// The setting with a name. Also finds `note`, which only the stores of rules contain.
    package static func stored(_ name: String) -> SettingKey? {
        named(name) ?? (name == note.name ? note : nil)
    }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The store's own switch. Not a setting, but written like one.
    package static let isActive = "isActive"
    /// Upper bound on the entries of one set, and of the categories or exceptions of one policy.
    package static let itemsMax = 50

    package static let applications = SettingKey(
        "shield.applications",
        kind: .apps,
        reach: .enforced,
        sentence: Message(
            "setting.apps-are-shielded",
            "These apps are shielded. A shield covers their windows where the desktop allows it."
        )
    )
    package static let applicationCategories = SettingKey(
        "shield.applicationCategories",
        kind: .appPolicy,
        reach: .enforced,
        sentence: Message(
            "setting.categories-of-apps-are-shielded",
            """
            The apps of these categories are shielded. A shield covers their windows where the desktop \
            allows it.
            """
        )
    )
    package static let webDomains = SettingKey(
        "shield.webDomains",
        kind: .domains,
        reach: .enforced,
        sentence: Message(
            "setting.sites-are-shielded",
            """
            These sites are shielded in browsers that report their sites. `screentime browser list` lists \
            these browsers.
            """
        )
    )
    package static let webDomainCategories = SettingKey(
        "shield.webDomainCategories",
        kind: .domainPolicy,
        reach: .enforced,
        sentence: Message(
            "setting.categories-of-sites-are-shielded",
            """
            Sites of these categories are shielded in browsers that report their sites. `screentime browser \
            list` lists these browsers.
            """
        )
    )
    package static let blockedApplications = SettingKey(
        "application.blockedApplications",
        kind: .apps,
        reach: .enforced,
        sentence: Message(
            "setting.blocked-apps-are-shielded",
            "These apps are shielded. They are not hidden from the menu."
        )
    )
    package static let blockedByFilter = SettingKey(
        "webContent.blockedByFilter",
        kind: .filter,
        reach: .enforced,
        sentence: Message(
            "setting.filtered-sites-are-shielded",
            """
            These sites are shielded in browsers that report their sites. With `auto`, only the named sites \
            are shielded, because Screen Time has no list of adult sites.
            """
        )
    )

    /// The note of a rule. Not an Apple setting: only the code that draws shields reads it.
    package static let note = SettingKey(
        "shield.note",
        kind: .note,
        reach: .enforced,
        sentence: Message(
            "setting.text-of-a-rule",
            """
            The text that a rule adds to its shields: its name, the person's own words, and when the app \
            opens again.
            """
        )
    )

    /// Every setting of Apple's stores up to iOS 18, by name.
    package static let all: [SettingKey] =
        [
            applications, applicationCategories, webDomains, webDomainCategories, blockedApplications,
            blockedByFilter,
        ].joined(with: later + impossible)

    private static let later: [SettingKey] = [
        flag(
            "application.denyAppInstallation",
            reach: .later,
            sentence: Message(
                "setting.package-manager-installs",
                "The package manager installs apps. Screen Time cannot prevent that yet."
            )
        ),
        flag(
            "application.denyAppRemoval",
            reach: .later,
            sentence: Message(
                "setting.package-manager-removes",
                """
                The package manager removes apps. Screen Time cannot prevent that yet. If a guardian allowed \
                an app for a child, its removal from Screen Time requires a guardian's passcode.
                """
            )
        ),
        flag(
            "dateAndTime.requireAutomaticDateAndTime",
            reach: .later,
            sentence: Message(
                "setting.owner-sets-the-clock",
                """
                The owner of the computer can set the clock. Screen Time measures time with a clock that \
                cannot be set.
                """
            )
        ),
        flag(
            "passcode.lockPasscode",
            reach: .later,
            sentence: Message(
                "setting.system-changes-passwords",
                "The system's tools change login passwords. Screen Time cannot prevent that yet."
            )
        ),
        flag(
            "account.lockAccounts",
            reach: .later,
            sentence: Message(
                "setting.system-adds-accounts",
                "The system's tools add accounts. Screen Time cannot prevent that yet."
            )
        ),
        SettingKey(
            "safari.cookiePolicy",
            kind: .cookies,
            reach: .later,
            sentence: Message(
                "setting.cookie-policy-not-written",
                "Browsers have policies for cookies, but Screen Time does not write them yet."
            )
        ),
        flag(
            "safari.denyAutoFill",
            reach: .later,
            sentence: Message(
                "setting.browser-policy-not-written",
                "Browsers have a policy for this, but Screen Time does not write it yet."
            )
        ),
    ]

    private static let noStoreMessage = Message(
        "setting.no-app-store-sells",
        "No app store on Linux sells anything inside apps."
    )
    private static let noGameCenterMessage = Message(
        "setting.no-game-center",
        "There is no Game Center on Linux."
    )

    private static let impossible: [SettingKey] = [
        flag("appStore.denyInAppPurchases", reach: .notPossible, sentence: noStoreMessage),
        rating(
            "appStore.maximumRating",
            Message(
                "setting.age-ratings-not-read",
                "Screen Time does not read the age ratings of Linux apps (OARS)."
            )
        ),
        flag("appStore.requirePasswordForPurchases", reach: .notPossible, sentence: noStoreMessage),
        flag(
            "cellular.lockAppCellularData",
            reach: .notPossible,
            sentence: Message("setting.no-mobile-data", "Linux does not control mobile data for each app.")
        ),
        flag(
            "cellular.lockCellularPlan",
            reach: .notPossible,
            sentence: Message("setting.no-mobile-plan", "A Linux computer has no mobile plan to change.")
        ),
        flag(
            "cellular.lockESIM",
            reach: .notPossible,
            sentence: Message("setting.no-esim", "A Linux computer has no eSIM to change.")
        ),
        flag("gameCenter.denyAddingFriends", reach: .notPossible, sentence: noGameCenterMessage),
        flag("gameCenter.denyMultiplayerGaming", reach: .notPossible, sentence: noGameCenterMessage),
        flag(
            "media.denyBookstoreErotica",
            reach: .notPossible,
            sentence: Message("setting.no-apple-books", "There is no Apple Books on Linux.")
        ),
        flag(
            "media.denyExplicitContent",
            reach: .notPossible,
            sentence: Message(
                "setting.players-do-not-mark-explicit",
                "Media players on Linux have no information about explicit content."
            )
        ),
        flag(
            "media.denyMusicService",
            reach: .notPossible,
            sentence: Message(
                "setting.no-apple-music",
                "There is no Apple Music on Linux. Shield the music app instead."
            )
        ),
        rating(
            "media.maximumMovieRating",
            Message(
                "setting.players-do-not-rate-films",
                "Media players on Linux have no information about the age ratings of films."
            )
        ),
        rating(
            "media.maximumTVShowRating",
            Message(
                "setting.players-do-not-rate-programmes",
                """
                Media players on Linux have no information about the age ratings of television programmes.
                """
            )
        ),
        flag(
            "siri.denySiri",
            reach: .notPossible,
            sentence: Message("setting.no-siri", "There is no Siri on Linux.")
        ),
    ]

    private static func flag(_ name: String, reach: SettingReach, sentence: Message) -> SettingKey {
        SettingKey(name, kind: .bool, reach: reach, sentence: sentence)
    }

    private static func rating(_ name: String, _ sentence: Message) -> SettingKey {
        SettingKey(name, kind: .integer(0...1000), reach: .notPossible, sentence: sentence)
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

/// The kind of value of a setting.
package enum SettingKind: Sendable, Hashable {
    case bool
    case integer(ClosedRange<Int64>)
    case cookies
    case apps
    case domains
    case appPolicy
    case domainPolicy
    case filter
    /// A rule's note. No app may set it.
    case note
}

/// The effect that a setting has on a Linux computer.
package enum SettingReach: String, Sendable {
    case enforced
    /// Stored and combined. Screen Time does not enforce it yet.
    case later
    /// Stored and combined. A Linux computer has nothing that it could affect.
    case notPossible = "not_possible"
}

/// The value of a setting, with canonical names.
package enum SettingValue: Sendable, Hashable {
    case bool(Bool)
    case integer(Int64)
    case cookies(CookiePolicy)
    /// Apps or sites.
    case names(Set<String>)
    case policy(CategoryPolicy)
    case filter(WebFilter)
    case note(ShieldNote)
}

/// The rule that combines the values of several stores. The stricter value always wins.
package enum CombineRule: String, Sendable {
    /// True wins.
    case or
    /// The lowest value wins.
    case min
    /// All entries of all stores.
    case union
    /// The policy with the widest reach, with the exceptions that all stores share.
    case mostRestrictive = "most_restrictive"
    /// Not combined: each store's value applies separately.
    case apart
}
