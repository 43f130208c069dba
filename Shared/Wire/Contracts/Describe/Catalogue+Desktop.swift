extension Catalogue {
    static let desktop = Entry(
        service: .desktop,
        purpose: "what is in front on this desktop, and the shields over it",
        routes: [
            RouteInfo(DesktopStatus.self),
            RouteInfo(DesktopPlay.self),
            RouteInfo(DesktopDoctor.self),
            RouteInfo(DesktopWindows.self),
            RouteInfo(DesktopCatalogue.self),
            RouteInfo(DesktopShields.self),
        ],
        streams: [],
        events: []
    )
}
