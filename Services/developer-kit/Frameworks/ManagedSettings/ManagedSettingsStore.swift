public import Combine
import Foundation
import STClientLink
import STContracts
public import STFoundationTypes
import STPlatform
import Synchronization

/// A named store of settings, shared by an app and its extensions.
///
/// Reading a setting returns the value that this app has set, not the values of other apps. All calls block the calling thread
/// until the service replies, and can be made on any thread. A phone does not report rejected changes. This class stores the
/// reason in the log and in `lastProblem`, and `change` throws it.
public final class ManagedSettingsStore: ObservableObject, @unchecked Sendable {
    // @unchecked: the two wrappers have no state, and everything else is Sendable.

    public struct Name: RawRepresentable, Equatable, Hashable, Sendable {
        public static let `default` = Name("default")

        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public typealias ObjectWillChangePublisher = ObservableObjectPublisher

    /// The highest allowed rating of a film, as it results from all stores of all apps.
    @EffectiveRating(EffectiveSettings.movie) public var effectiveMaximumMovieRating: Int

    /// The highest allowed rating of a TV programme, as it results from all stores of all apps.
    @EffectiveRating(EffectiveSettings.show) public var effectiveMaximumTVShowRating: Int

    public var objectWillChange: ObservableObjectPublisher {
        effective.follow()
        return willChange
    }

    /// The maximum number of pages that are read. A correct list of stores is shorter.
    private static let pagesMax = 50

    let name: Name
    let link: ClientLink
    private let problem = Mutex<ScreenTimeProblem?>(nil)
    private let willChange = ObservableObjectPublisher()
    private let watched = Mutex<EffectiveSettings?>(nil)

    public convenience init() { self.init(named: .default) }

    /// Opens a store. The first change creates it.
    public convenience init(named name: Name) { self.init(named: name, link: .current) }

    init(named name: Name, link: ClientLink) {
        self.name = name
        self.link = link
    }

    /// True if any store of any app blocks explicit content.
    public var effectiveDenyExplicitContent: Bool { effective.deniesExplicitContent }

    public func clearAllSettings() {
        asked("clearAllSettings()") { try link.call(SettingsClear.self, to: .shield, address) }
    }

    /// False for a store that keeps its settings but does not apply them.
    public var isActive: Bool {
        get { readSome()["isActive"] ?? true }
        set { asked("isActive") { try write(["isActive": .bool(newValue)]) } }
    }

    /// The names of the app's stores. Empty, with an entry in the log, if the service does not reply.
    public static var stores: Set<Name> { stores(.current) }

    static func stores(_ link: ClientLink) -> Set<Name> {
        var names: Set<Name> = []
        var next: String?
        do {
            for _ in 0..<pagesMax {
                let reply = try link.call(
                    SettingsList.self,
                    to: .shield,
                    .init(app: link.identity.app, member: link.identity.member, next: next)
                )
                names.formUnion(reply.stores.map { Name($0.store) })
                next = reply.next
                if next == nil { break }
            }
        } catch {
            FrameworkLog.settings.error("ManagedSettingsStore.stores: \(error.description)")
        }
        return names
    }

    /// Deletes the store. A later change creates it again.
    public func deleteStore() {
        asked("deleteStore()") { try Self.delete([name], link) }
    }

    /// Deletes stores. Names of stores that do not exist are ignored.
    public static func deleteStores(_ storeNames: Set<Name>) {
        do { try delete(storeNames, .current) } catch {
            FrameworkLog.settings.fault("ManagedSettingsStore.deleteStores: nothing was deleted: \(error)")
        }
    }

    static func delete(_ names: Set<Name>, _ link: ClientLink) throws {
        // The service interprets an empty list as all stores.
        guard !names.isEmpty else { return }
        _ = try link.call(
            SettingsDelete.self,
            to: .shield,
            .init(
                app: link.identity.app,
                member: link.identity.member,
                stores: names.map(\.rawValue).sorted()
            )
        )
    }

    // MARK: - Tokens

    /// Requests the tokens again. This is never necessary, because tokens do not expire.
    ///
    /// - Throws: A `ScreenTimeProblem` if one of them is not a token of this app. In that case all tokens stay unchanged.
    public static func refresh(_ tokens: inout [ApplicationToken]) throws {
        tokens = try fresh(tokens, .current)
    }

    public static func refresh(_ tokens: inout [ActivityCategoryToken]) throws {
        tokens = try fresh(tokens, .current)
    }

    public static func refresh(_ tokens: inout [WebDomainToken]) throws {
        tokens = try fresh(tokens, .current)
    }

    static func fresh<T>(_ tokens: [Token<T>], _ link: ClientLink) throws -> [Token<T>] {
        guard !tokens.isEmpty else { return [] }
        let identity = link.identity
        do throws(Problem) {
            let texts = tokens.map { $0.data.base64EncodedString() }
            let items = try link.call(
                TokenResolve.self,
                to: .auth,
                .init(app: identity.app, member: identity.member, tokens: texts)
            ).items
            let fresh = try link.call(
                TokenIssue.self,
                to: .auth,
                .init(app: identity.app, member: identity.member, items: items)
            ).tokens.compactMap { Data(base64Encoded: $0) }
            guard fresh.count == tokens.count else {
                throw Problem(
                    "reply.invalid",
                    "The reply does not contain as many tokens as were requested.",
                    key: "reply.invalid.the-answer-does"
                )
            }
            return fresh.map { Token(data: $0) }
        } catch {
            throw ScreenTimeProblem(error)
        }
    }

    // MARK: - Additions to Apple's API

    /// The reason why the last change was rejected. `nil` if it succeeded. Apple has no such property.
    public var lastProblem: ScreenTimeProblem? { problem.withLock { $0 } }

    /// Changes all settings or none of them, in one step. Apple has no such method.
    ///
    /// Only the settings that the closure changes are written, so that changes by other processes are preserved.
    ///
    /// - Throws: A `ScreenTimeProblem` with the reason why nothing was changed, or the error of the closure.
    public func change(_ changes: (inout Settings) throws -> Void) throws {
        do {
            let before = try readAll()
            var settings = Settings(fields: before)
            try changes(&settings)
            try write(settings.fields.changes(from: before))
        } catch let error as Problem {
            let problem = ScreenTimeProblem(error)
            self.problem.withLock { $0 = problem }
            throw problem
        }
    }

    // MARK: - Calls to the service

    private var address: StoreAddress {
        StoreAddress(app: link.identity.app, member: link.identity.member, store: name.rawValue)
    }

    /// The settings of one group.
    ///
    /// A change in place writes only the changed settings. Assigning a whole group writes the settings that differ from the
    /// store.
    subscript<Group: StoredGroup>(_ group: Group.Type) -> Group {
        get { readSome().group() }
        set {
            guard let before = try? reading({ try readAll() }) else { return }
            let held: Group = before.group()
            write(newValue, over: held)
        }
        _modify {
            let held: Group = readSome().group()
            var group = held
            defer { write(group, over: held) }
            yield &group
        }
    }

    var effective: EffectiveSettings {
        watched.withLock { watched in
            if let watched { return watched }
            let made = EffectiveSettings(link: link) { [willChange] in willChange.send() }
            watched = made
            return made
        }
    }

    private func readAll() throws -> SettingFields {
        let request = SettingsGet.Request(app: address.app, member: address.member, store: address.store)
        return SettingFields(values: try link.call(SettingsGet.self, to: .shield, request).settings)
    }

    private func readSome() -> SettingFields { (try? reading { try readAll() }) ?? SettingFields() }

    private func write<Group: StoredGroup>(_ group: Group, over held: Group) {
        let changes = group.fields.changes(from: held.fields)
        asked(changes.keys.sorted().joined(separator: ", ")) { try write(changes) }
    }

    private func write(_ changes: [String: JSONValue]) throws {
        guard !changes.isEmpty else { return problem.withLock { $0 = nil } }
        let request = SettingsSet.Request(
            app: address.app,
            member: address.member,
            store: address.store,
            settings: changes
        )
        _ = try link.call(SettingsSet.self, to: .shield, request)
        problem.withLock { $0 = nil }
    }

    /// Makes a change. If it is rejected, the reason is stored in the log and in `lastProblem`.
    private func asked<Reply>(_ what: String, _ body: () throws -> Reply) {
        do {
            _ = try body()
            problem.withLock { $0 = nil }
        } catch {
            keep(error)
            FrameworkLog.settings.fault("\(self): \(what) was not changed: \(error)")
        }
    }

    private func reading<Reply>(_ body: () throws -> Reply) throws -> Reply {
        do {
            return try body()
        } catch {
            keep(error)
            FrameworkLog.settings.error("\(self) could not be read: \(error)")
            throw error
        }
    }

    private func keep(_ error: any Error) {
        guard let refusal = error as? Problem else { return }
        problem.withLock { $0 = ScreenTimeProblem(refusal) }
    }
}

extension ManagedSettingsStore: CustomStringConvertible {
    public var description: String { "ManagedSettingsStore(\(name.rawValue))" }
}
