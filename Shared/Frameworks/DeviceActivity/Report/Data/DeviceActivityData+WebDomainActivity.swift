public import Foundation
public import ManagedSettings

extension DeviceActivityData {
    /// The use of one site.
    public struct WebDomainActivity: Hashable, Sendable {
        /// Which one: with its name and its token.
        public var webDomain: WebDomain

        /// How long it was in use.
        public var totalActivityDuration: TimeInterval

        static func all(of rows: [ActivityRow]) -> [WebDomainActivity] {
            ActivityRow.grouped(rows) { $0.webDomain }.map { webDomain, rows in
                WebDomainActivity(
                    webDomain: webDomain,
                    totalActivityDuration: ActivityRow.seconds(rows)
                )
            }
        }
    }
}
