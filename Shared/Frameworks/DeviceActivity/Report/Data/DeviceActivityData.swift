public import Foundation

/// The use of one person on one device.
public struct DeviceActivityData: Hashable, Sendable {
    /// Whose use.
    public var user: User

    /// On which device.
    public var device: Device

    /// What was asked for.
    public var segmentInterval: DeviceActivityFilter.SegmentInterval

    /// Up to when use is known.
    public var lastUpdatedDate: Date

    let segments: SegmentReader

    /// The use, stretch by stretch.
    public var activitySegments: DeviceActivityResults<ActivitySegment> { segments.results }

    /// Whether both are about the same, as far as it was known at one time.
    public static func == (one: Self, other: Self) -> Bool {
        one.user == other.user && one.device == other.device
            && one.segmentInterval == other.segmentInterval && one.lastUpdatedDate == other.lastUpdatedDate
    }

    /// Of what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(user)
        hasher.combine(device)
        hasher.combine(segmentInterval)
        hasher.combine(lastUpdatedDate)
    }
}
