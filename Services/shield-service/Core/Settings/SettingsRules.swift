import STContracts
import STDomain
import STEngine
import STFollowing
import STPlatform

/// Changes stores, and decides if they are in force.
enum SettingsRules {
    static func set(
        _ wanted: SettingsChange,
        checked: AuthCheck.Reply?,
        state: inout ShieldState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> SettingsGet.Reply {
        let request = wanted.request
        try SettingsCheck.name(request.app, "/app")
        try SettingsCheck.name(request.store, "/store")
        try SettingsCheck.isOfApp(request.app)
        let member = try member(of: request, checked, state)
        let name = StoreName(app: request.app, member: member, store: request.store)
        try SettingsCheck.room(for: name, in: state)
        var store = state.stores[name] ?? NamedStore()
        let generation = checked?.authorization.generation ?? 0
        // The tokens of an earlier permission are void, so its store is emptied first.
        if store.generation != generation { store.empty(generation) }
        try wanted.apply(to: &store, checked?.items ?? [])
        let word =
            state.apps.permission(name.app, member)
            ?? checked.map { ShieldApps.PermissionState($0.authorization) }
        try save(
            store,
            name: name,
            word: word,
            route: SettingsSet.name,
            cause: context.header.cause,
            state: &state,
            change: change
        )
        return SettingsViews.reply(name, state.stores[name])
    }

    static func clear(
        _ request: SettingsClear.Request,
        state: inout ShieldState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> SettingsGet.Reply {
        try SettingsCheck.isOfApp(request.app)
        let name = try SettingsViews.name(
            request.app,
            member: request.member,
            store: request.store,
            state: state
        )
        guard var store = state.stores[name] else { return SettingsViews.reply(name, nil) }
        let word = state.apps.permission(name.app, name.member)
        store.empty(word?.generation ?? store.generation)
        try save(
            store,
            name: name,
            word: word,
            route: SettingsClear.name,
            cause: context.header.cause,
            state: &state,
            change: change
        )
        return SettingsViews.reply(name, state.stores[name])
    }

    static func delete(
        _ request: SettingsDelete.Request,
        state: inout ShieldState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> SettingsDelete.Reply {
        try SettingsCheck.isOfApp(request.app)
        let member = try state.household.member(request.member)
        let wanted = Set(request.stores)
        let found = state.stores.keys.filter {
            $0.app == request.app && $0.member == member && (wanted.isEmpty || wanted.contains($0.store))
        }.sorted()
        for name in found {
            try remove(
                name,
                route: SettingsDelete.name,
                cause: context.header.cause,
                state: &state,
                change: change
            )
        }
        return SettingsDelete.Reply(deleted: found.map(\.store))
    }

    /// Applies a decision of activity-center to the store of its rule.
    static func apply(_ decision: RuleDecision, state: inout ShieldState, change: StoreTransaction) throws {
        let name = StoreName(app: BuiltInRules.app, member: decision.member, store: decision.rule)
        state.unconfirmed.remove(name)
        let known = state.stores[name]
        if decision.isRemoved == true {
            if known != nil {
                try remove(
                    name,
                    route: RuleDecided.type,
                    cause: decision.cause,
                    state: &state,
                    change: change
                )
            }
            return
        }
        let settings = decision.settings ?? [:]
        guard known?.settings ?? [:] != settings else { return }
        var store = known ?? NamedStore()
        store.empty(0)
        let request = SettingsSet.Request(
            app: name.app,
            member: name.member,
            store: name.store,
            settings: settings
        )
        // A later version may publish settings that this version does not have. The store then stays as it is.
        guard let wanted = try? SettingsChange(request), (try? wanted.apply(to: &store, [])) != nil else {
            return
        }
        try save(
            store,
            name: name,
            word: nil,
            route: RuleDecided.type,
            cause: decision.cause,
            state: &state,
            change: change
        )
    }

    /// Decides again about an app's stores after the member has changed the app's permission.
    static func applyPermission(
        _ permission: ShieldApps.Permission,
        state: inout ShieldState,
        change: StoreTransaction
    )
        throws
    {
        let word = state.apps.permission(permission.app, permission.member)
        let names = state.stores.keys.filter {
            $0.app == permission.app && $0.member == permission.member
        }.sorted()
        for name in names {
            guard let store = state.stores[name] else { continue }
            let reason = reason(store, name: name, word: word)
            guard store.isInForce != (reason == nil) || store.reason != reason else { continue }
            try save(
                store,
                name: name,
                word: word,
                route: AuthorizationChanged.type,
                cause: change.cause,
                counts: false,
                state: &state,
                change: change
            )
        }
    }

    static func remove(
        _ name: StoreName,
        route: String,
        cause: String?,
        state: inout ShieldState,
        change: StoreTransaction
    ) throws {
        state.storeBytes -= state.stores[name]?.size.all ?? 0
        state.stores[name] = nil
        try StoreTable.delete(name, change.database)
        try ChangeLog.recordStore(name, store: nil, route: route, cause: cause, state: &state, change: change)
    }

    private static func save(
        _ changed: NamedStore,
        name: StoreName,
        word: ShieldApps.PermissionState?,
        route: String,
        cause: String?,
        counts: Bool = true,
        state: inout ShieldState,
        change: StoreTransaction
    ) throws {
        var store = changed
        let before = state.stores[name]?.size.all ?? 0
        if counts {
            store.version += 1
            store.changed = change.now.wall
            store.measure()
            // A change that makes a store smaller is never refused. activity-center limits the stores of rules.
            if store.size.all > before, name.app != BuiltInRules.app {
                try SettingsCheck.size(of: store, besides: state.storeBytes - before)
            }
        }
        store.reason = reason(store, name: name, word: word)
        store.isInForce = store.reason == nil
        try StoreTable.save(name, store: store, database: change.database)
        state.stores[name] = store
        state.storeBytes += store.size.all - before
        try ChangeLog.recordStore(
            name,
            store: store,
            route: route,
            cause: cause,
            state: &state,
            change: change
        )
    }

    /// Returns the code of the reason why the store is not in force. Returns `nil` if it is.
    private static func reason(_ store: NamedStore, name: StoreName, word: ShieldApps.PermissionState?)
        -> String?
    {
        if name.app != BuiltInRules.app {
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
                """
                \(word.member, "member") has not allowed \(request.app, "app") to change settings. Request \
                this permission first.
                """,
                field: "/app",
                help: "screentime app access \(request.app) on"
            )
        }
        return word.member
    }
}

/// Checks names and sizes of stores.
enum SettingsCheck {
    /// Throws if the store belongs to a rule. Only decisions of activity-center change these stores.
    static func isOfApp(_ app: String) throws(Problem) {
        guard app == BuiltInRules.app else { return }
        throw Problem(
            "settings.of_rules",
            "The stores of \(BuiltInRules.app, "app") belong to rules. Pause or remove the rule instead.",
            field: "/app",
            help: "screentime rule pause NAME --for 1h"
        )
    }

    static func name(_ text: String, _ field: String, max: Int = SettingLimits.nameBytesMax) throws {
        guard !text.isEmpty, text.utf8.count <= max, text.isPlain else {
            throw Problem(
                "settings.bad_name",
                "A name must have 1 to \(max, "most") bytes and no control characters.",
                field: field
            )
        }
    }

    static func room(for name: StoreName, in state: ShieldState) throws {
        guard state.stores[name] == nil else { return }
        let max = SettingLimits.storesPerApp
        let count = state.stores.keys.count { $0.app == name.app && $0.member == name.member }
        guard count < max else {
            throw Problem(
                "settings.too_many_stores",
                """
                \(name.app, "app") has \(max, "most") stores for \(name.member, "member") already, which is \
                the limit. Use one of them, or delete one.
                """,
                field: "/store",
                details: ["limit": String(max)]
            )
        }
        guard state.stores.count < SettingLimits.storesMax else {
            throw Problem(
                "settings.too_many_stores",
                """
                All apps together already have \(SettingLimits.storesMax, "most") stores, which is the \
                limit. Delete stores that are not needed.
                """,
                key: "settings.too_many_stores.there-are-stores",
                field: "/store"
            )
        }
    }

    /// Checks the size of a store, as the app set it and as events carry it, and the size of all stores together.
    static func size(of store: NamedStore, besides others: Int) throws {
        let size = store.size
        guard size.settings <= SettingLimits.storeBytesMax, size.event <= SettingLimits.eventBytesMax else {
            throw Problem(
                "settings.too_large",
                """
                This store would be larger than \
                \(TextFormat.bytes(Int64(SettingLimits.eventBytesMax)), "bytes"). Remove some of its \
                settings, or use a second store.
                """,
                field: "/settings"
            )
        }
        guard others + size.all <= SettingLimits.allBytesMax else {
            throw Problem(
                "settings.full",
                """
                All stores of all apps hold \(TextFormat.bytes(Int64(SettingLimits.allBytesMax)), "bytes") \
                already, which is the limit. Delete stores that are not needed.
                """,
                field: "/settings",
                help: "screentime store list"
            )
        }
    }
}
