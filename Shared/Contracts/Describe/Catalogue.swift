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
    ]

    package static let entries: [Entry] = [
        Entry(
            service: .auth,
            purpose: "members of the household and this computer",
            routes: [RouteInfo(MemberList.self), RouteInfo(MemberAdd.self)],
            streams: [.authorization],
            events: [EventInfo(MemberAdded.self), EventInfo(DeviceRegistered.self)]
        ),
        Entry(
            service: .activity,
            purpose: "the ledger of use",
            routes: [RouteInfo(UsageObserve.self), RouteInfo(UsageList.self), RouteInfo(UsageNow.self)],
            streams: [.usage],
            events: [EventInfo(SegmentOpened.self), EventInfo(SegmentClosed.self)]
        ),
        Entry(service: .monitor, purpose: "callbacks to extensions", routes: [], streams: [], events: []),
        Entry(
            service: .shield,
            purpose: "named stores of settings",
            routes: [RouteInfo(SettingsGet.self), RouteInfo(SettingsSet.self), RouteInfo(SettingsList.self)],
            streams: [.policy],
            events: [EventInfo(SettingsChanged.self)]
        ),
        Entry(
            service: .report,
            purpose: "use per day, app, site and member",
            routes: [RouteInfo(ReportDay.self)],
            streams: [],
            events: []
        ),
        Entry(
            service: .notifier,
            purpose: "what people are told",
            routes: [RouteInfo(NotifyPost.self), RouteInfo(NotifyList.self)],
            streams: [.notification],
            events: [EventInfo(NotificationPosted.self)]
        ),
        Entry(
            service: .desktop,
            purpose: "what is in front on this desktop",
            routes: [RouteInfo(DesktopStatus.self), RouteInfo(DesktopPlay.self)],
            streams: [],
            events: []
        ),
    ]

    package static func entry(_ service: ServiceName) -> Entry? { entries.first { $0.service == service } }

    /// The service that answers a route, when only one does.
    package static func owner(ofRoute name: String) -> ServiceName? {
        entries.first { $0.routes.contains { $0.name == name } }?.service
    }

    package static func owner(ofStream stream: StreamName) -> ServiceName? {
        entries.first { $0.streams.contains(stream) }?.service
    }
}
