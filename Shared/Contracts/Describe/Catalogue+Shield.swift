extension Catalogue {
    static let shield = Entry(
        service: .shield,
        purpose: "named stores of settings, shields, and requests for more time",
        routes: [
            RouteInfo(SettingsGet.self),
            RouteInfo(SettingsSet.self),
            RouteInfo(SettingsClear.self),
            RouteInfo(SettingsDelete.self),
            RouteInfo(SettingsList.self),
            RouteInfo(SettingsEffective.self),
            RouteInfo(ShieldDecide.self),
            RouteInfo(ShieldConfigurationAsk.self),
            RouteInfo(ShieldShow.self),
            RouteInfo(ShieldPress.self),
            RouteInfo(ShieldList.self),
            RouteInfo(ShieldExplain.self),
            RouteInfo(ShieldAllowed.self),
            RouteInfo(ShieldAllowedSet.self),
            RouteInfo(ShieldLog.self),
            RouteInfo(RequestAdd.self),
            RouteInfo(RequestList.self),
            RouteInfo(RequestApprove.self),
            RouteInfo(RequestDeny.self),
            RouteInfo(RequestRevoke.self),
            RouteInfo(RequestCode.self),
            RouteInfo(RequestCodeSetup.self),
            RouteInfo(RequestRuleShow.self),
            RouteInfo(RequestRuleSet.self),
        ],
        streams: [.policy, .shield],
        events: [
            EventInfo(PolicyStoreChanged.self),
            EventInfo(PolicyAllowedChanged.self),
            EventInfo(PolicyGrantChanged.self),
            EventInfo(ShieldShown.self),
        ]
    )
}
