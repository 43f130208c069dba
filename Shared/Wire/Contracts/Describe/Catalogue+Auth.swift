extension Catalogue {
    static let auth = Entry(
        service: .auth,
        purpose: "members of the household, apps, and what members let apps do",
        routes: [
            RouteInfo(MemberList.self),
            RouteInfo(MemberAdd.self),
            RouteInfo(MemberShow.self),
            RouteInfo(MemberPasscode.self),
            RouteInfo(AuthStatus.self),
            RouteInfo(AuthRequest.self),
            RouteInfo(AuthQuestionShow.self),
            RouteInfo(AuthAnswer.self),
            RouteInfo(AuthRevoke.self),
            RouteInfo(AuthSwitch.self),
            RouteInfo(AuthCheck.self),
            RouteInfo(AuthProve.self),
            RouteInfo(AuthorizationList.self),
            RouteInfo(AuthNotices.self),
            RouteInfo(AppInstall.self),
            RouteInfo(AppList.self),
            RouteInfo(AppRemove.self),
            RouteInfo(TokenIssue.self),
            RouteInfo(TokenResolve.self),
            RouteInfo(TokenRekey.self),
        ],
        streams: [.authorization],
        events: [
            EventInfo(MemberAdded.self),
            EventInfo(DeviceRegistered.self),
            EventInfo(AuthorizationChanged.self),
            EventInfo(AuthQuestionChanged.self),
            EventInfo(AuthorizationNoticed.self),
            EventInfo(TokensRekeyed.self),
            EventInfo(AppInstalled.self),
            EventInfo(AppRemoved.self),
        ]
    )
}
