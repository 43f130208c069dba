extension SettingKey {
    /// The store's own switch; no setting, but written like one.
    package static let isActive = "isActive"
    /// Things in one set, and in the categories or exceptions of one policy.
    package static let thingsMax = 50

    package static let applications = SettingKey(
        "shield.applications",
        .apps,
        .names([]),
        .enforced,
        "These apps are shielded. Nothing covers their windows yet."
    )
    package static let applicationCategories = SettingKey(
        "shield.applicationCategories",
        .appPolicy,
        .policy(.none),
        .enforced,
        "The apps of these categories are shielded. Nothing covers their windows yet."
    )
    package static let webDomains = SettingKey(
        "shield.webDomains",
        .domains,
        .names([]),
        .enforced,
        "These sites are shielded. Nothing sees yet which site a browser shows."
    )
    package static let webDomainCategories = SettingKey(
        "shield.webDomainCategories",
        .domainPolicy,
        .policy(.none),
        .enforced,
        "Sites of these categories are shielded. Nothing sees yet which site a browser shows."
    )
    package static let blockedApplications = SettingKey(
        "application.blockedApplications",
        .apps,
        .names([]),
        .enforced,
        "These apps are shielded like others; they are not hidden from the menu. Nothing covers their windows yet."
    )
    package static let blockedByFilter = SettingKey(
        "webContent.blockedByFilter",
        .filter,
        .filter(.none),
        .enforced,
        "These sites are shielded; of `auto` only the sites named count, as there is no list of sites for adults "
            + "here. Nothing sees yet which site a browser shows."
    )

    /// No setting of Apple's: nothing asks for it but what draws shields.
    package static let note = SettingKey(
        "shield.note",
        .note,
        .note(ShieldNote(rule: "")),
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
            "Installing apps is the package manager's; nothing stops it yet."
        ),
        flag(
            "application.denyAppRemoval",
            .later,
            "Removing apps is the package manager's; nothing stops it yet. Removing one from Screen Time always asks."
        ),
        flag(
            "dateAndTime.requireAutomaticDateAndTime",
            .later,
            "Setting the clock is the machine owner's; what is counted goes by a clock that cannot be set."
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
            .cookies(.always),
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
            "No shop for apps on Linux sells anything inside of apps."
        ),
        rating("appStore.maximumRating", "Apps of Linux have no ages that could be compared with it."),
        flag(
            "appStore.requirePasswordForPurchases",
            .notPossible,
            "No shop for apps on Linux sells anything inside of apps."
        ),
        flag(
            "cellular.lockAppCellularData",
            .notPossible,
            "A Linux computer has no mobile data of each app."
        ),
        flag("cellular.lockCellularPlan", .notPossible, "A Linux computer has no mobile plan to change."),
        flag("cellular.lockESIM", .notPossible, "A Linux computer has no eSIM to change."),
        flag("gameCenter.denyAddingFriends", .notPossible, "There is no Game Center on Linux."),
        flag("gameCenter.denyMultiplayerGaming", .notPossible, "There is no Game Center on Linux."),
        flag("media.denyBookstoreErotica", .notPossible, "There is no Apple Books on Linux."),
        flag("media.denyExplicitContent", .notPossible, "Players on Linux are not told what is explicit."),
        flag(
            "media.denyMusicService",
            .notPossible,
            "There is no Apple Music on Linux; shield the app instead."
        ),
        rating("media.maximumMovieRating", "Players on Linux are not told how a film is rated."),
        rating("media.maximumTVShowRating", "Players on Linux are not told how a programme is rated."),
        flag("siri.denySiri", .notPossible, "There is no Siri on Linux."),
    ]

    private static func flag(_ name: String, _ reach: SettingReach, _ sentence: String) -> SettingKey {
        SettingKey(name, .bool, .bool(false), reach, sentence)
    }

    private static func rating(_ name: String, _ sentence: String) -> SettingKey {
        SettingKey(name, .integer(0...1000), .integer(1000), .notPossible, sentence)
    }
}

extension [SettingKey] {
    fileprivate func joined(with others: [SettingKey]) -> [SettingKey] {
        (self + others).sorted { $0.name < $1.name }
    }
}
