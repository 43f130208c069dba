public import Foundation
import ManagedSettings

extension DeviceActivityData {
    /// The use in one stretch of time.
    public struct ActivitySegment: Hashable, Sendable {
        /// From when to when.
        public var dateInterval: DateInterval

        /// How long the screen was in use.
        public var totalActivityDuration: TimeInterval

        /// The longest use without a break.
        public var longestActivity: DateInterval?

        /// When the device was first taken up.
        public var firstPickup: Date?

        /// How often it was taken up and nothing was used.
        public var totalPickupsWithoutApplicationActivity: Int

        let rows: [ActivityRow]

        /// The use by category, the most used one first.
        public var categories: DeviceActivityResults<CategoryActivity> {
            let rows = rows
            return DeviceActivityResults { CategoryActivity.all(of: rows) }
        }
    }
}
