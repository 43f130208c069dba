import STContracts
package import STEngine
import STPlatform

/// Named stores of settings, as ManagedSettingsStore has them.
package enum ShieldService {
    package static let storesPerAppMax = 50
    /// Of all apps together: every one of them is kept in memory.
    package static let storesMax = 5_000
    private static let nameBytesMax = 128
    private static let settingsMax = 200

    package static func definition() -> ServiceDefinition<ShieldState> {
        ServiceDefinition(
            name: .shield,
            migrations: ShieldStore.migrations + [RequestStore.migration],
            streams: [.policy],
            load: {
                var state = try ShieldStore.load($0)
                state.requests = try RequestStore.load($0)
                return state
            },
            routes: [
                .read(SettingsGet.self) { state, request, _ in
                    let address = StoreAddress(app: request.app, store: request.store)
                    try check(address)
                    return reply(address, state.stores[address])
                },
                .read(SettingsList.self) { state, request, _ in try list(request, state) },
                .write(SettingsSet.self) { state, request, _, change in try set(request, &state, change) },
            ] + RequestHandlers.routes
        )
    }

    private static func set(
        _ request: SettingsSet.Request,
        _ state: inout ShieldState,
        _ change: StoreTransaction
    ) throws -> SettingsGet.Reply {
        let address = StoreAddress(app: request.app, store: request.store)
        try check(address)
        var store = state.stores[address] ?? ShieldState.Store(version: 0, settings: [:])
        if store.version == 0, state.stores.keys.filter({ $0.app == address.app }).count >= storesPerAppMax {
            throw Problem(
                "settings.too_many_stores",
                "\(address.app) has \(storesPerAppMax) stores already, which is the limit. Use one of them."
            )
        }
        guard store.version > 0 || state.stores.count < storesMax else {
            throw Problem(
                "settings.too_many_stores",
                "There are \(storesMax) stores of all apps already, which is the limit."
            )
        }
        for (name, value) in request.settings {
            guard !name.isEmpty, name.utf8.count <= nameBytesMax else {
                throw Problem(
                    "settings.bad_name",
                    "A setting's name has 1 to \(nameBytesMax) bytes.",
                    field: "/settings"
                )
            }
            store.settings[name] = value == .null ? nil : value
        }
        guard store.settings.count <= settingsMax else {
            throw Problem(
                "settings.too_many",
                "A store holds at most \(settingsMax) settings.",
                field: "/settings"
            )
        }
        store.version += 1
        try ShieldStore.save(address, store, change.database)
        let reply = reply(address, store)

        state.stores[address] = store
        return reply
    }

    private static func list(_ request: SettingsList.Request, _ state: ShieldState) throws
        -> SettingsList.Reply
    {
        let all = state.stores.keys.filter { request.app == nil || $0.app == request.app }
            .sorted { ($0.app, $0.store) < ($1.app, $1.store) }
        let page = try OffsetPage.slice(all, next: request.next)
        let views = page.rows.map { address in
            StoreView(
                app: address.app,
                member: address.member ?? "",
                store: address.store,
                version: state.stores[address]?.version ?? 0,
                count: Int64(state.stores[address]?.settings.count ?? 0),
                isInForce: false,
                changedAt: ""
            )
        }
        return SettingsList.Reply(stores: views, next: page.next)
    }

    private static func reply(_ address: StoreAddress, _ store: ShieldState.Store?) -> SettingsGet.Reply {
        SettingsGet.Reply(
            app: address.app,
            member: address.member ?? "",
            store: address.store,
            version: store?.version ?? 0,
            settings: store?.settings ?? [:]
        )
    }

    private static func check(_ address: StoreAddress) throws {
        for (name, field) in [(address.app, "/app"), (address.store, "/store")] {
            guard !name.isEmpty, name.utf8.count <= nameBytesMax else {
                throw Problem("settings.bad_name", "A name has 1 to \(nameBytesMax) bytes.", field: field)
            }
        }
    }
}
