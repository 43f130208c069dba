package import STPlatform

/// The effect of a condition on Screen Time.
package enum ConditionSeverity: String, WireEnum, Comparable {
    /// Usage is not recorded, rules are not enforced, or records are missing.
    case high
    /// A part does not work.
    case medium
    case unknown

    private var rank: Int { self == .high ? 0 : self == .medium ? 1 : 2 }

    package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }
}

/// The unhealthy states of Screen Time, each declared once. `status`, `doctor`, reports, the page, the tray and notifications show
/// conditions from this list.
package enum ConditionCode: String, WireEnum {
    case notRunning = "not_running"
    case recordsMissing = "records_missing"
    case recordsDamaged = "records_damaged"
    case desktopUnobserved = "desktop_unobserved"
    case serviceFailed = "service_failed"
    case serviceSilent = "service_silent"
    case clockIgnored = "clock_ignored"
    case desktopLimited = "desktop_limited"
    case sitesUnreported = "sites_unreported"
    case programUnknown = "program_unknown"
    case notificationsHidden = "notifications_hidden"
    case notificationsUncertain = "notifications_uncertain"
    case householdUnreachable = "household_unreachable"
    case rulesAvoidable = "rules_avoidable"
    case ruleWithoutApp = "rule_without_app"
    case extensionsUnconfined = "extensions_unconfined"
    case fontMissing = "font_missing"
    case translationsUnusable = "translations_unusable"
    case unknown

    package var severity: ConditionSeverity {
        switch self {
        case .notRunning, .recordsMissing, .recordsDamaged, .desktopUnobserved, .serviceFailed: .high
        case .unknown: .unknown
        default: .medium
        }
    }

    /// The minimum duration of the state before a notification, the tray or `status` shows it. A desktop, a browser or a system
    /// needs a while to start, and a machine sometimes loses its connection.
    package var shownAfterMs: Int64 {
        switch self {
        case .desktopLimited, .sitesUnreported, .programUnknown: 30_000
        case .serviceSilent: 10_000
        case .householdUnreachable: 60_000
        default: 0
        }
    }

    package var title: Message {
        switch self {
        case .notRunning: Message("condition.not-running", "Screen Time is not running")
        case .recordsMissing: Message("condition.records-missing", "Records are missing")
        case .recordsDamaged: Message("condition.records-damaged", "Records were damaged or changed")
        case .desktopUnobserved: Message("condition.desktop-unobserved", "This desktop is not observed")
        case .serviceFailed: Message("condition.service-failed", "A service reports a problem")
        case .serviceSilent: Message("condition.service-silent", "A service does not answer")
        case .clockIgnored: Message("condition.clock-ignored", "The clock of this computer was changed")
        case .desktopLimited:
            Message("condition.desktop-limited", "Parts of Screen Time do not work on this desktop")
        case .sitesUnreported: Message("condition.sites-unreported", "A browser does not report its sites")
        case .programUnknown: Message("condition.program-unknown", "A child uses an unknown program")
        case .notificationsHidden: Message("condition.notifications-hidden", "Notifications are not shown")
        case .notificationsUncertain:
            Message("condition.notifications-uncertain", "Notifications may not have been seen")
        case .householdUnreachable:
            Message("condition.household-unreachable", "The household is not connected")
        case .rulesAvoidable: Message("condition.rules-avoidable", "A child can undo rules")
        case .ruleWithoutApp:
            Message("condition.rule-without-app", "A rule names an app that is not installed")
        case .extensionsUnconfined:
            Message("condition.extensions-unconfined", "Extensions of apps can open your files")
        case .fontMissing: Message("condition.font-missing", "A font is missing")
        case .translationsUnusable:
            Message("condition.translations-unusable", "Some translations are missing")
        case .unknown: Message("condition.unknown", "Another problem")
        }
    }
}
