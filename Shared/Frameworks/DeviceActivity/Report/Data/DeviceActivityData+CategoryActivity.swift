public import Foundation
public import ManagedSettings

extension DeviceActivityData {
    /// The use of one category.
    public struct CategoryActivity: Hashable, Sendable {
        /// Which one.
        public var category: ActivityCategory

        /// How long its apps and sites were in use.
        public var totalActivityDuration: TimeInterval

        let rows: [ActivityRow]

        /// The apps of it, the most used one first.
        public var applications: DeviceActivityResults<ApplicationActivity> {
            let rows = rows
            return DeviceActivityResults { ApplicationActivity.all(of: rows) }
        }

        /// The sites of it, the most used one first.
        public var webDomains: DeviceActivityResults<WebDomainActivity> {
            let rows = rows
            return DeviceActivityResults { WebDomainActivity.all(of: rows) }
        }

        static func all(of rows: [ActivityRow]) -> [CategoryActivity] {
            ActivityRow.grouped(rows) { $0.category }.map { category, rows in
                CategoryActivity(
                    category: category,
                    totalActivityDuration: ActivityRow.seconds(rows),
                    rows: rows
                )
            }
        }
    }
}
