import STContracts
import STEngine

/// What auth-service says, followed.
enum HostingFollowing {
    static let authorization = Subscription<ReportState>(
        source: .auth,
        stream: .authorization,
        reset: { state, change in
            state.apps = ReportApps()
            try ReportAppTable.clear(change.database)
        },
        apply: { state, event, change in try apply(event, &state.apps, change) },
        reached: { $0.apps.isWhole = true }
    )

    private static func apply(_ event: WireEvent, _ apps: inout ReportApps, _ change: StoreTransaction) throws
    {
        switch event.header.type {
        case MemberAdded.type:
            let member = try event.decoded(MemberAdded.self)
            apps.children[member.name] = member.role == .child
            try ReportAppTable.set(member, change.database)
        case AppInstalled.type:
            let app = try event.decoded(AppInstalled.self)
            apps.installed[app.manifest.id] = ReportApps.App(app)
            try ReportAppTable.set(app, change.database)
        case AppRemoved.type:
            let app = try event.decoded(AppRemoved.self).app
            apps.installed[app] = nil
            apps.approved = apps.approved.filter { $0.app != app }
            try ReportAppTable.remove(app: app, change.database)
        case AuthorizationChanged.type:
            let word = try event.decoded(AuthorizationChanged.self)
            let permission = ReportApps.Permission(app: word.app, member: word.member)
            let isApproved = word.status == .approved && word.access
            if isApproved { apps.approved.insert(permission) } else { apps.approved.remove(permission) }
            try ReportAppTable.set(permission, isApproved: isApproved, change.database)
        default: return
        }
    }
}
