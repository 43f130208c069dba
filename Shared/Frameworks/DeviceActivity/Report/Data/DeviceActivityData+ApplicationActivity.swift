public import Foundation
public import ManagedSettings

extension DeviceActivityData {
    /// The use of one app.
    public struct ApplicationActivity: Hashable, Sendable {
        /// Which one: with its name, its id and its token.
        public var application: Application

        /// How long it was in use.
        public var totalActivityDuration: TimeInterval

        /// How often it was the first that was used after the device was taken up.
        public var numberOfPickups: Int

        /// How many notifications it showed.
        public var numberOfNotifications: Int

        static func all(of rows: [ActivityRow]) -> [ApplicationActivity] {
            ActivityRow.grouped(rows) { $0.application }.map { application, rows in
                ApplicationActivity(
                    application: application,
                    totalActivityDuration: ActivityRow.seconds(rows),
                    numberOfPickups: Int(clamping: ActivityRow.sum(rows) { $0.pickups }),
                    numberOfNotifications: Int(clamping: ActivityRow.sum(rows) { $0.notifications })
                )
            }
        }
    }
}
