extension Catalogue {
    static let notifier = Entry(
        service: .notifier,
        purpose: "what people are told",
        routes: [
            RouteInfo(NotifyPost.self),
            RouteInfo(NotifyList.self),
        ],
        streams: [.notification],
        events: [
            EventInfo(NotificationPosted.self)
        ]
    )
}
