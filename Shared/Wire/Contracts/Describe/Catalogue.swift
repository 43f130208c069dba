/// Who answers and publishes what: the one list that describe, AsyncAPI, the command and the tests read.
package enum Catalogue {
    package struct Entry: Sendable {
        package var service: ServiceName
        package var purpose: String
        package var routes: [RouteInfo]
        package var streams: [StreamName]
        package var events: [EventInfo]
    }

    /// Answered by every service.
    package static let common: [RouteInfo] = [
        RouteInfo(HealthPing.self), RouteInfo(HealthReport.self), RouteInfo(BusDescribe.self),
        RouteInfo(EventsSince.self), RouteInfo(EventsSnapshot.self), RouteInfo(DataBackup.self),
        RouteInfo(ClockStatus.self), RouteInfo(ClockTurn.self),
    ]

    package static let entries: [Entry] = [auth, activity, monitor, shield, report, notifier, desktop]

    package static func entry(_ service: ServiceName) -> Entry? { entries.first { $0.service == service } }

    /// The service that answers a route, when only one does.
    package static func owner(ofRoute name: String) -> ServiceName? {
        entries.first { $0.routes.contains { $0.name == name } }?.service
    }

    package static func owner(ofStream stream: StreamName) -> ServiceName? {
        entries.first { $0.streams.contains(stream) }?.service
    }
}
