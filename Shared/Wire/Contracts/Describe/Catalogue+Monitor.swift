extension Catalogue {
    static let monitor = Entry(
        service: .monitor,
        purpose: "callbacks to extensions, and built-in rules",
        routes: [
            RouteInfo(MonitorDeliveries.self),
            RouteInfo(MonitorDelivery.self),
            RouteInfo(MonitorRetry.self),
            RouteInfo(MonitorLog.self),
            RouteInfo(MonitorDebug.self),
            RouteInfo(RuleAdd.self),
            RouteInfo(RuleEdit.self),
            RouteInfo(RuleList.self),
            RouteInfo(RuleRemove.self),
            RouteInfo(RulePause.self),
            RouteInfo(RuleDelay.self),
        ],
        streams: [.delivery],
        events: [
            EventInfo(DeliveryChanged.self)
        ]
    )
}
