extension Catalogue {
    static let monitor = Entry(
        service: .monitor,
        purpose: "callbacks to extensions",
        routes: [
            RouteInfo(MonitorDeliveries.self),
            RouteInfo(MonitorRetry.self),
            RouteInfo(MonitorLog.self),
            RouteInfo(MonitorDebug.self),
        ],
        streams: [.delivery],
        events: [
            EventInfo(DeliveryChanged.self)
        ]
    )
}
