import STContracts

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
