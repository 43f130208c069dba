extension Catalogue {
    static let notifier = Entry(
        service: .notifier,
        purpose: "what people are told",
        routes: [
            RouteInfo(NotifyPost.self),
            RouteInfo(NotifyList.self),
            RouteInfo(NotifyWithdraw.self),
            RouteInfo(NotifyAnswer.self),
            RouteInfo(NotifyShown.self),
        ],
        streams: [.notification],
        events: [
            EventInfo(NotificationPosted.self),
            EventInfo(NotificationChanged.self),
        ]
    )
}
