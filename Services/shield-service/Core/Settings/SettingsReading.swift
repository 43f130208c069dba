import STContracts
import STDomain

/// What stores hold, answered from memory.
enum SettingsReading {
    static func get(_ request: SettingsGet.Request, _ state: ShieldState) throws -> SettingsGet.Reply {
        let member = try state.household.member(request.member)
        let name = StoreName(app: request.app, member: member, store: request.store)
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
}
