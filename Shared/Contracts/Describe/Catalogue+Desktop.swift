extension Catalogue {
    static let desktop = Entry(
        service: .desktop,
        purpose: "what is in front on this desktop",
        routes: [
            RouteInfo(DesktopStatus.self),
            RouteInfo(DesktopPlay.self),
        ],
        streams: [],
        events: []
    )
}
