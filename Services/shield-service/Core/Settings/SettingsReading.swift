import STContracts
import STDomain
import STEngine
import STPlatform

/// What stores hold, answered from memory.
enum SettingsReading {
    static func name(_ app: String, _ member: String?, _ store: String, _ state: ShieldState) throws
        -> StoreName
    {
        try SettingsCheck.name(app, "/app")
        try SettingsCheck.name(store, "/store")
        return StoreName(app: app, member: try state.household.member(member), store: store)
    }

    static func get(_ request: SettingsGet.Request, _ state: ShieldState) throws -> SettingsGet.Reply {
        let name = try name(request.app, request.member, request.store, state)
        return reply(name, state.stores[name])
    }

    static func reply(_ name: StoreName, _ store: NamedStore?) -> SettingsGet.Reply {
        SettingsGet.Reply(
            app: name.app,
            member: name.member,
            store: name.store,
            version: store?.version ?? 0,
            settings: store?.settings ?? [:]
        )
    }

    static func list(_ request: SettingsList.Request, _ state: ShieldState) throws -> SettingsList.Reply {
        let views = state.stores.filter { name, _ in
            (request.app == nil || name.app == request.app)
                && (request.member == nil || name.member == request.member)
        }.sorted { $0.key < $1.key }.map { name, store in
            StoreView(
                app: name.app,
                member: name.member,
                store: name.store,
                version: store.version,
                count: Int64(store.settings.count),
                isInForce: store.isInForce,
                problem: store.reason.map { problem($0, name) },
                changedAt: RFC3339.text(wallMs: store.changedWallMs)
            )
        }
        let page = try OffsetPage.slice(views, next: request.next)
        return SettingsList.Reply(stores: page.rows, next: page.next)
    }

    static func effective(_ request: SettingsEffective.Request, _ state: ShieldState) throws
        -> SettingsEffective.Reply
    {
        let member = try state.household.member(request.member)
        let inForce = state.stores.filter { $0.key.member == member && $0.value.isInForce }
        let settings = EffectiveValue.combine(inForce.mapValues(\.values)).map { effective in
            EffectiveSetting(
                setting: effective.key.name,
                value: SettingWire.json(effective.value),
                by: effective.by.prefix(SettingLimits.storesPerApp).map {
                    StoreAddress(app: $0.app, member: $0.member, store: $0.store)
                }
            )
        }
        return SettingsEffective.Reply(member: member, policy: state.policy.number, settings: settings)
    }

    private static func problem(_ reason: String, _ name: StoreName) -> String {
        switch reason {
        case "inactive": "The app has switched this store off."
        case "not_enforced": "\(name.member) has not switched on that what \(name.app) sets is in force."
        case "void": "It was set under a permission that was taken back since; the app has to set it anew."
        default: "\(name.member) does not allow \(name.app) anything at present."
        }
    }
}
