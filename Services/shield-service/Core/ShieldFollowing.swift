import STContracts
import STDomain
import STEngine
import STFollowing

/// The streams that shield-service follows: members, apps and permissions of auth-service, and facts and decisions of
/// activity-center.
enum ShieldFollowing {
    static let authorization = Subscription<ShieldState>(
        source: .auth,
        stream: .authorization,
        reset: { state, change in
            // Settings in force stay in force until auth-service publishes a change.
            try state.household.removeAll(change.database)
            state.apps = ShieldApps()
            try AppTable.clear(change.database)
        },
        apply: { state, event, change in try authorization(event, state: &state, change: change) },
        reached: { $0.household.isComplete = true }
    )

    static let facts = Subscription<ShieldState>(
        source: .activity,
        stream: .activity,
        reset: { state, change in
            try SubjectFactStore.removeAll(&state.facts, change.database)
        },
        apply: { state, event, change in
            if try SubjectFactStore.apply(event, into: &state.facts, change.database) { return }
            if event.header.type == EvidenceForgotten.type {
                try ForgottenShields.strip(try event.decoded(EvidenceForgotten.self), change)
            }
        }
    )

    static let decisions = Subscription<ShieldState>(
        source: .activity,
        stream: .decision,
        reset: { state, _ in
            state.unconfirmed = Set(state.stores.keys.filter { $0.app == BuiltInRules.app })
            for (member, items) in state.allowed where !items.isEmpty {
                state.unconfirmed.insert(StoreName(app: BuiltInRules.app, member: member, store: ""))
            }
        },
        apply: { state, event, change in
            switch event.header.type {
            case RuleDecided.type:
                try SettingsRules.apply(try event.decoded(RuleDecided.self), state: &state, change: change)
            case RuleAllowed.type:
                try allow(try event.decoded(RuleAllowed.self), state: &state, change: change)
            default: return
            }
        },
        rebuilt: { state, change in
            for name in state.unconfirmed.sorted() {
                if name.store.isEmpty {
                    try allow(RuleAllowance(member: name.member, items: []), state: &state, change: change)
                } else {
                    let decision = RuleDecision(member: name.member, rule: name.store, isRemoved: true)
                    try SettingsRules.apply(decision, state: &state, change: change)
                }
            }
        }
    )

    private static func allow(
        _ allowance: RuleAllowance,
        state: inout ShieldState,
        change: StoreTransaction
    ) throws {
        let member = allowance.member
        state.unconfirmed.remove(StoreName(app: BuiltInRules.app, member: member, store: ""))
        guard allowance.items != state.allowed[member] ?? [] else { return }
        try ChangeLog.recordAllowance(
            allowance.items,
            member: member,
            route: RuleAllowed.type,
            cause: allowance.cause,
            state: &state,
            change: change
        )
    }

    private static func authorization(
        _ event: WireEvent,
        state: inout ShieldState,
        change: StoreTransaction
    ) throws {
        switch event.header.type {
        case MemberAdded.type: try state.household.apply(event, change.database)
        case MemberRemoved.type:
            try state.household.apply(event, change.database)
            let name = try event.decoded(MemberRemoved.self).name
            // Keep the stores and lists of rules: only decisions of activity-center remove them, and they may be newer
            // than this event.
            for store in state.stores.keys.sorted()
            where store.member == name && store.app != BuiltInRules.app {
                try SettingsRules.remove(
                    store,
                    route: MemberRemoved.type,
                    cause: change.cause,
                    state: &state,
                    change: change
                )
            }
            try RequestHandlers.removeMember(name, state: &state, change: change)
        case AppInstalled.type:
            let app = try event.decoded(AppInstalled.self)
            func executable(_ point: ExtensionPoint) -> String? {
                app.manifest.extensions.first { $0.point == point.rawValue }?.executable
            }
            let extensions = ShieldApps.Extensions(
                name: app.manifest.name,
                configuration: executable(.shieldConfiguration),
                action: executable(.shieldAction),
                bundle: app.bundle,
                installedAt: app.installedAt,
                groups: app.manifest.groups
            )
            state.apps.installed[app.manifest.id] = extensions
            try AppTable.set(app.manifest.id, extensions: extensions, database: change.database)
        case AppRemoved.type:
            let app = try event.decoded(AppRemoved.self).app
            state.apps.installed[app] = nil
            state.apps.permissions = state.apps.permissions.filter { $0.key.app != app }
            try AppTable.remove(app: app, change.database)
            for name in state.stores.keys.filter({ $0.app == app }).sorted() {
                try SettingsRules.remove(
                    name,
                    route: AppRemoved.type,
                    cause: change.cause,
                    state: &state,
                    change: change
                )
            }
        case AuthorizationChanged.type:
            let word = try event.decoded(AuthorizationChanged.self)
            let permission = ShieldApps.Permission(app: word.app, member: word.member)
            let standing = ShieldApps.PermissionState(word)
            state.apps.permissions[permission] = standing
            try AppTable.set(permission, word: standing, database: change.database)
            try SettingsRules.applyPermission(permission, state: &state, change: change)
        case TokensRekeyed.type:
            state.apps.tokenKey = try event.decoded(TokensRekeyed.self).keyVersion
        default: return
        }
    }
}

/// The apps, their shield extensions and their permissions: a copy of what auth-service publishes.
package struct ShieldApps: Sendable, Equatable {
    package struct Extensions: Sendable, Equatable {
        /// The app's name from its manifest.
        package var name: String
        package var configuration: String?
        package var action: String?
        /// The app's folder, which contains its pictures.
        package var bundle: String
        /// Distinguishes one installation from the next.
        package var installedAt: String
        /// The groups whose data the app shares with its extensions.
        package var groups: [String] = []
    }

    package struct Permission: Sendable, Hashable {
        package var app: String
        package var member: String
    }

    /// A member's permission for an app.
    package struct PermissionState: Sendable, Equatable {
        package var isApproved: Bool
        /// True if the app's settings are in force.
        package var isEnforced: Bool
        /// Incremented by each revocation. Settings of an earlier generation are void.
        package var generation: Int64
    }

    package internal(set) var installed: [String: Extensions] = [:]
    package internal(set) var permissions: [Permission: PermissionState] = [:]
    /// Version of the latest token key that auth-service published. Like the looks made with earlier keys, it is not stored.
    package internal(set) var tokenKey: Int64 = 0

    /// Returns the member's permission for an app. Returns `nil` before the member has answered.
    package func permission(_ app: String, _ member: String) -> PermissionState? {
        permissions[Permission(app: app, member: member)]
    }
}

extension ShieldApps.PermissionState {
    init(_ word: Authorization) {
        isApproved = word.status == .approved && word.access
        isEnforced = word.enforce
        generation = word.generation
    }
}
