import STContracts
import STDomain
import STEngine
import STFollowing
import STPlatform

/// Changes stores, and says whether they count.
enum SettingsRules {
    static func set(
        _ request: SettingsSet.Request,
        _ checked: AuthCheck.Reply?,
        _ state: inout ShieldState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> SettingsGet.Reply {
        try SettingsCheck.name(request.app, "/app")
        try SettingsCheck.name(request.store, "/store")
        try RulesOwn.checkStores(of: request.app, context)
        let member = try member(of: request, checked, state)
        let name = StoreName(app: request.app, member: member, store: request.store)
        try SettingsCheck.room(for: name, in: state)
        let asked = try SettingsReader.read(request.settings, of: request.app)
        var store = state.stores[name] ?? NamedStore()
        let generation = checked?.authorization.generation ?? 0
        if store.generation != generation {
            // Whatever was set under an earlier permission names tokens that are void: it begins anew.
            store.settings = [:]
            store.values = [:]
            store.isActive = true
            store.generation = generation
        }
        var lookup = ThingLookup(checked?.items ?? [])
        for setting in asked.settings {
            store.values[setting.key] = try lookup.value(of: setting)
        }
        for (setting, json) in request.settings { store.settings[setting] = json == .null ? nil : json }
        if let isActive = asked.isActive { store.isActive = isActive }
        let word = state.apps.standing(name.app, member) ?? checked.map { AppBook.Standing($0.authorization) }
        try put(store, name, word, SettingsSet.name, cause: context.cause, &state, change)
        return SettingsReading.reply(name, state.stores[name])
    }

    static func clear(
        _ request: SettingsClear.Request,
        _ state: inout ShieldState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> SettingsGet.Reply {
        try RulesOwn.checkStores(of: request.app, context)
        let name = try SettingsReading.name(request.app, request.member, request.store, state)
        guard var store = state.stores[name] else { return SettingsReading.reply(name, nil) }
        store.settings = [:]
        store.values = [:]
        store.isActive = true
        let word = state.apps.standing(name.app, name.member)
        store.generation = word?.generation ?? store.generation
        try put(store, name, word, SettingsClear.name, cause: context.cause, &state, change)
        return SettingsReading.reply(name, state.stores[name])
    }

    static func delete(
        _ request: SettingsDelete.Request,
        _ state: inout ShieldState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> SettingsDelete.Reply {
        try RulesOwn.checkStores(of: request.app, context)
        let member = try state.household.member(request.member)
        let wanted = Set(request.stores)
        let found = state.stores.keys.filter {
            $0.app == request.app && $0.member == member && (wanted.isEmpty || wanted.contains($0.store))
        }.sorted()
        for name in found { try remove(name, SettingsDelete.name, cause: context.cause, &state, change) }
        return SettingsDelete.Reply(deleted: found.map(\.store))
    }

    /// What a member has said about an app is something else from now on.
    static func judge(
        _ permission: AppBook.Permission,
        _ state: inout ShieldState,
        _ change: StoreTransaction
    )
        throws
    {
        let word = state.apps.standing(permission.app, permission.member)
        let names = state.stores.keys.filter {
            $0.app == permission.app && $0.member == permission.member
        }.sorted()
        for name in names {
            guard let store = state.stores[name] else { continue }
            let reason = reason(store, name, word)
            guard store.isInForce != (reason == nil) || store.reason != reason else { continue }
            try put(
                store,
                name,
                word,
                AuthorizationChanged.type,
                cause: change.cause,
                counts: false,
                &state,
                change
            )
        }
    }

    static func remove(
        _ name: StoreName,
        _ route: String,
        cause: String?,
        _ state: inout ShieldState,
        _ change: StoreTransaction
    ) throws {
        state.storeBytes -= state.stores[name]?.size.all ?? 0
        state.stores[name] = nil
        try StoreTable.delete(name, change.database)
        try ChangeLog.tell(name, nil, route, cause: cause, &state, change)
    }

    // MARK: -

    private static func put(
        _ changed: NamedStore,
        _ name: StoreName,
        _ word: AppBook.Standing?,
        _ route: String,
        cause: String?,
        counts: Bool = true,
        _ state: inout ShieldState,
        _ change: StoreTransaction
    ) throws {
        var store = changed
        let before = state.stores[name]?.size.all ?? 0
        if counts {
            store.version += 1
            store.changedWallMs = change.now.wallMs
            store.measure()
            // What takes something away is never refused.
            if store.size.all > before {
                try SettingsCheck.size(of: store, besides: state.storeBytes - before)
            }
        }
        store.reason = reason(store, name, word)
        store.isInForce = store.reason == nil
        try StoreTable.save(name, store, change.database)
        state.stores[name] = store
        state.storeBytes += store.size.all - before
        try ChangeLog.tell(name, store, route, cause: cause, &state, change)
    }

    /// Why the store has no say, in a code; nil when it has.
    private static func reason(_ store: NamedStore, _ name: StoreName, _ word: AppBook.Standing?) -> String? {
        if name.app != AppBook.rules {
            guard let word, word.isApproved else { return "revoked" }
            if word.generation != store.generation { return "void" }
            if !word.isEnforced { return "not_enforced" }
        }
        return store.isActive ? nil : "inactive"
    }

    private static func member(
        of request: SettingsSet.Request,
        _ checked: AuthCheck.Reply?,
        _ state: ShieldState
    ) throws -> String {
        guard let checked else { return try state.household.member(request.member) }
        let word = checked.authorization
        guard word.status == .approved, word.access else {
            throw Problem(
                "settings.unauthorized",
                "\(word.member) has not allowed \(request.app) to change settings. Ask first.",
                field: "/app",
                help: "screentime app access \(request.app) on"
            )
        }
        return word.member
    }
}
