package import STContracts

/// The reports that come with this command, by the names of their contexts.
package enum BuiltInScene: String, Sendable, CaseIterable {
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

    package func page(_ input: SceneInput) -> Page {
        switch self {
        case .total: TotalScene.page(input)
        case .categories, .apps: PieScene.page(self, input)
        case .hours, .days, .weeks: BarScene.page(self, input)
        case .timeline: TimelineScene.page(input)
        case .pickups: PickupScene.page(input)
        case .compare: CompareScene.page(input)
        case .household: HouseholdScene.page(input)
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

    /// What its rows stand for unless --by says something else.
    package var key: ReportKey {
        switch self {
        case .total, .apps: .app
        default: .category
        }
    }

    /// Whether the rows may stand for something else.
    var takesKey: Bool { [.total, .hours, .days, .weeks].contains(self) }

    /// How many things get a row of their own.
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
