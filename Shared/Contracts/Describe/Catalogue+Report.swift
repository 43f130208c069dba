extension Catalogue {
    static let report = Entry(
        service: .report,
        purpose: "use per day, app, site and member",
        routes: [
            RouteInfo(ReportDay.self)
        ],
        streams: [],
        events: []
    )
}
