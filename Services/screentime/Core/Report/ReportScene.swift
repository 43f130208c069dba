package import STContracts

/// The reports that come with this command, by the names of their contexts.
package enum ReportScene: String, Sendable, CaseIterable {
    case total
    case categories
    case apps
    case hours
    case days
    case weeks
    case timeline
    case pickups
    case compare
    case household

    /// What it is in a line of help.
    var summary: String {
        switch self {
        case .total: "the sum, and a bar for each app"
        case .categories: "a pie of the categories"
        case .apps: "a pie of the apps"
        case .hours: "a bar for each hour"
        case .days: "a bar for each day"
        case .weeks: "a bar for each week"
        case .timeline: "what was in front from morning to night"
        case .pickups: "how often somebody came back, and who called them"
        case .compare: "this week beside the one before"
        case .household: "everybody side by side"
        }
    }

    /// The segments that it shows.
    package func segment(_ period: ReportPeriod) -> ReportSegmentation {
        switch self {
        case .hours: .hour
        case .days: .day
        case .weeks: .week
        case .pickups, .compare: period.days <= 1 ? .hour : .day
        case .total, .categories, .apps, .timeline, .household: .whole
        }
    }

    /// What its rows tell apart where that is not asked for.
    package var key: ReportKey {
        switch self {
        case .total, .apps: .app
        default: .category
        }
    }

    /// Whether the rows may stand for something else.
    var takesKey: Bool { [.total, .hours, .days, .weeks].contains(self) }

    /// How many things it tells of one by one.
    package var top: Int {
        switch self {
        case .total, .pickups: 12
        case .apps, .timeline: 8
        case .hours, .days, .weeks: 6
        case .categories, .compare: 12
        case .household: 3
        }
    }
}

/// The segments that can be asked for by name.
package enum ReportSegment: String, WireEnum {
    case hour, day, week, unknown

    var segmentation: ReportSegmentation {
        switch self {
        case .hour: .hour
        case .day: .day
        case .week: .week
        case .unknown: .unknown
        }
    }
}

/// The page of each built-in report.
package enum BuiltInScenes {
    package static func page(_ scene: ReportScene, _ input: SceneInput) -> Page {
        switch scene {
        case .total: TotalScene.page(input)
        case .categories, .apps: PieScene.page(scene, input)
        case .hours, .days, .weeks: BarScene.page(scene, input)
        case .timeline: TimelineScene.page(input)
        case .pickups: PickupScene.page(input)
        case .compare: CompareScene.page(input)
        case .household: HouseholdScene.page(input)
        }
    }
}
