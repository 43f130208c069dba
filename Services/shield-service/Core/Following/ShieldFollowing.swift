import STContracts
import STEngine
import STStore

/// What the streams of other services do here.
enum ShieldFollowing {
    static let authorization = Subscription<ShieldState>(
        source: .auth,
        stream: .authorization,
        reset: { state, change in
            state.household = Household()
            state.apps = AppBook()
            for table in ["members", "apps", "words"] { try change.database.run("DELETE FROM \(table)") }
        },
        apply: { state, event, change in try authorization(event, &state, change) }
    )

    private static func authorization(
        _ event: WireEvent,
        _ state: inout ShieldState,
        _ change: StoreTransaction
    ) throws {
        switch event.header.type {
        case MemberAdded.type:
            let member = try event.decoded(MemberAdded.self)
            state.household.add(member.name, isIndividual: member.role == .individual)
            try AppTable.insert(member: member, change.database)
        case AppInstalled.type:
            let app = try event.decoded(AppInstalled.self)
            func executable(_ point: ExtensionPoint) -> String? {
                app.manifest.extensions.first { $0.point == point.rawValue }?.executable
            }
            let extensions = AppBook.Extensions(
                name: app.manifest.name,
                configuration: executable(.shieldConfiguration),
                action: executable(.shieldAction),
                bundle: app.bundle,
                installedAt: app.installedAt
            )
            state.apps.installed[app.manifest.id] = extensions
            try AppTable.set(app.manifest.id, extensions, change.database)
        case AppRemoved.type:
            let app = try event.decoded(AppRemoved.self).app
            state.apps.installed[app] = nil
            state.apps.words = state.apps.words.filter { $0.key.app != app }
            try AppTable.remove(app: app, change.database)
        default: return
        }
    }

    static let facts = Subscription<ShieldState>(
        source: .activity,
        stream: .activity,
        reset: { state, change in
            state.facts = FactBook()
            try FactTable.clear(change.database)
        },
        apply: { state, event, change in
            guard event.header.type == SubjectKnown.type else { return }
            let facts = try event.decoded(SubjectKnown.self)
            state.facts.known[facts.subject] = facts
            try FactTable.set(facts, change.database)
        }
    )
}
