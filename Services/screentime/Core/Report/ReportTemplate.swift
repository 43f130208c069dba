package import STContracts

/// The reports of this command, with the names of their contexts.
package enum ReportTemplate: String, Sendable, CaseIterable {
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

    package func page(_ input: ReportInput) -> Page {
        switch self {
        case .total: TotalTemplate.page(input)
        case .categories, .apps: PieTemplate.page(self, input)
        case .hours, .days, .weeks: BarTemplate.page(self, input)
        case .timeline: TimelineTemplate.page(input)
        case .pickups: PickupTemplate.page(input)
        case .compare: ComparisonTemplate.page(input)
        case .household: HouseholdTemplate.page(input)
        }
    }

    /// Returns the segments that the report shows.
    package func segment(_ period: ReportPeriod) -> ReportSegmentation {
        switch self {
        case .hours: .hour
        case .days: .day
        case .weeks: .week
        case .pickups, .compare: period.days <= 1 ? .hour : .day
        case .total, .categories, .apps, .timeline, .household: .whole
        }
    }

    /// The key of the report's rows, unless `--by` sets another.
    package var key: ReportKey {
        switch self {
        case .total, .apps: .app
        default: .category
        }
    }

    /// True if `--by` can set another key.
    var acceptsKey: Bool { [.total, .hours, .days, .weeks].contains(self) }

    /// The number of items with their own row.
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

/// The segments that `--segment` accepts.
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
