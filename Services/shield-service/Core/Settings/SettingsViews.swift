import STContracts
import STDomain
import STEngine
import STFollowing
import STPlatform

/// Replies about the contents of stores, from memory.
enum SettingsViews {
    static func name(_ app: String, member: String?, store: String, state: ShieldState) throws
        -> StoreName
    {
        try SettingsCheck.name(app, "/app")
        try SettingsCheck.name(store, "/store")
        return StoreName(app: app, member: try state.household.member(member), store: store)
    }

    static func get(_ request: SettingsGet.Request, _ state: ShieldState) throws -> SettingsGet.Reply {
        let name = try name(request.app, member: request.member, store: request.store, state: state)
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
                changedAt: RFC3339.text(wallMs: store.changed.ms)
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
        let all = EffectiveValue.combine(inForce.mapValues(\.values))
        var reply = SettingsEffective.Reply(member: member, policy: state.policy.number, settings: [])
        var bytes = 0
        // Short settings first, so that one long list does not displace all others.
        var fitting: Set<String> = []
        let settings = try all.map { effective in
            let setting = shortened(effective)
            return (setting, try setting.encodedBody().count)
        }
        for (setting, size) in settings.sorted(by: { $0.1 < $1.1 }) where bytes + size <= BusLimits.pageBytes
        {
            bytes += size + 1
            fitting.insert(setting.setting)
        }
        reply.settings = settings.map(\.0).filter { fitting.contains($0.setting) }
        if fitting.count < all.count { reply.more = Int64(all.count - fitting.count) }
        return reply
    }

    /// Keeps the first names of long lists, and counts the rest.
    private static func shortened(_ effective: EffectiveValue) -> EffectiveSetting {
        var left = 0
        func cut(_ json: JSONValue) -> JSONValue {
            guard case .array(let names) = json else { return json }
            left += max(0, names.count - SettingLimits.effectiveNamesMax)
            return .array(Array(names.prefix(SettingLimits.effectiveNamesMax)))
        }
        var value = SettingWire.json(effective.value)
        if case .object(let members) = value {
            value = .object(members.mapValues(cut))
        } else {
            value = cut(value)
        }
        left += max(0, effective.by.count - SettingLimits.storesPerApp)
        return EffectiveSetting(
            setting: effective.key.name,
            value: value,
            by: effective.by.prefix(SettingLimits.storesPerApp).map {
                StoreAddress(app: $0.app, member: $0.member, store: $0.store)
            },
            more: left > 0 ? Int64(left) : nil
        )
    }

    private static func problem(_ reason: String, _ name: StoreName) -> Message {
        switch reason {
        case "inactive": Message("store.switched-off-by-app", "The app has switched this store off.")
        case "not_enforced":
            Message(
                "store.settings-not-enforced",
                """
                Screen Time does not enforce the settings of \(name.app, "app") for \(name.member, "member"). \
                To change that, use `screentime app enforce`.
                """
            )
        case "void":
            Message(
                "store.permission-was-revoked",
                "The permission for these settings was revoked later, so the app has to set them again."
            )
        default:
            Message(
                "store.app-has-no-permission",
                "\(name.app, "app") has no permission from \(name.member, "member")."
            )
        }
    }
}
