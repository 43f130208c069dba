extension Catalogue {
    static let notifier = Entry(
        service: .notifier,
        purpose: "notifications",
        routes: [],
        streams: [],
        events: []
    )
}
