import Foundation
import STClientLink
import STContracts
import STFoundationTypes
import STPlatform
import Synchronization

/// The stores of one app without a service. Records the requests and replies like the service.
final class StoresInMemory: LinkChannel {
    private struct State {
        var stores: [String: [String: JSONValue]] = [:]
        var written: [[String: JSONValue]] = []
        var routes: [String] = []
        var effective: [EffectiveSetting] = []
        var refusal: Problem?
        var watchers: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    var link: ClientLink {
        ClientLink(
            identity: AppIdentity(environment: ["SCREENTIME_APP": "promise"], executable: "promise"),
            channel: self
        )
    }

    /// The settings of each write, in order.
    var written: [[String: JSONValue]] { state.withLock { $0.written } }
    var routes: [String] { state.withLock { $0.routes } }

    subscript(store: String) -> [String: JSONValue] {
        get { state.withLock { $0.stores[store] ?? [:] } }
        set { state.withLock { $0.stores[store] = newValue } }
    }

    /// Rejects all later writes with `problem`. Nil accepts them again.
    func refuse(_ problem: Problem?) { state.withLock { $0.refusal = problem } }

    /// Sets the effective settings and announces them to subscribers.
    func makeEffective(_ settings: [String: JSONValue]) {
        let watchers = state.withLock { state in
            state.effective = settings.map { EffectiveSetting(setting: $0.key, value: $0.value, by: []) }
            return state.watchers
        }
        for watcher in watchers { watcher() }
    }

    func start(_ request: LinkRequest, _ completion: @escaping Completion) {
        completion(
            Result { try state.withLock { try Self.answer(request, &$0) } }
                .mapError { $0 as? Problem ?? Problem("internal", verbatim: "\($0)") }
        )
    }

    func watch(_ service: ServiceName, topics: [String], _ heard: @escaping @Sendable () -> Void) {
        state.withLock { $0.watchers.append(heard) }
    }

    func after(milliseconds: Int64, _ work: @escaping @Sendable () -> Void) { work() }

    private static func answer(_ request: LinkRequest, _ state: inout State) throws -> [UInt8] {
        state.routes.append(request.route)
        if request.isWrite, let refusal = state.refusal { throw refusal }
        switch request.route {
        case SettingsGet.name:
            let store = try SettingsGet.Request.decodedBody(request.body).store
            return try reply(store, state)
        case SettingsSet.name:
            let body = try SettingsSet.Request.decodedBody(request.body)
            state.written.append(body.settings)
            var settings = state.stores[body.store] ?? [:]
            for (name, value) in body.settings { settings[name] = value == .null ? nil : value }
            state.stores[body.store] = settings
            return try reply(body.store, state)
        case SettingsClear.name:
            let store = try StoreAddress.decodedBody(request.body).store
            state.stores[store] = [:]
            return try reply(store, state)
        case SettingsDelete.name:
            let names = try SettingsDelete.Request.decodedBody(request.body).stores
            for name in names { state.stores[name] = nil }
            return try SettingsDelete.Reply(deleted: names).encodedBody()
        case SettingsList.name: return try list(request, state)
        case SettingsEffective.name:
            return try SettingsEffective.Reply(member: "owner", policy: 1, settings: state.effective)
                .encodedBody()
        default: throw Problem("route.unknown", verbatim: request.route)
        }
    }

    private static func reply(_ store: String, _ state: State) throws -> [UInt8] {
        SettingsGet.Reply(
            app: "promise",
            member: "owner",
            store: store,
            version: 1,
            settings: state.stores[store] ?? [:]
        ).encodedBody()
    }

    /// Each page of the list contains two stores.
    private static func list(_ request: LinkRequest, _ state: State) throws -> [UInt8] {
        let first = try SettingsList.Request.decodedBody(request.body).next.flatMap { Int($0) } ?? 0
        let names = state.stores.keys.sorted()
        let views = names.dropFirst(first).prefix(2).map {
            StoreView(
                app: "promise",
                member: "owner",
                store: $0,
                version: 1,
                count: 0,
                isInForce: true,
                changedAt: ""
            )
        }
        let next = first + 2 < names.count ? "\(first + 2)" : nil
        return try SettingsList.Reply(stores: views, next: next).encodedBody()
    }
}
