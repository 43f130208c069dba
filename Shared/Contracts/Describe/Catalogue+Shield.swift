extension Catalogue {
    static let shield = Entry(
        service: .shield,
        purpose: "named stores of settings",
        routes: [
            RouteInfo(SettingsGet.self),
            RouteInfo(SettingsSet.self),
            RouteInfo(SettingsList.self),
        ],
        streams: [.policy],
        events: [
            EventInfo(SettingsChanged.self)
        ]
    )
}
