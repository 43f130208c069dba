public import Combine
import Foundation
import STClientLink
import STContracts
public import STFoundationTypes
import STPlatform
import Synchronization

/// A named store of settings, which an app shares with its extensions.
///
/// Reading returns what this app has set, not what other apps have set. All calls wait for their answer, on
/// any thread. A phone is silent about refusals; here the log and `lastProblem` have the reason, and `change`
/// throws it.
public final class ManagedSettingsStore: ObservableObject, @unchecked Sendable {
    // @unchecked: the two wrappers have no state, and everything else is Sendable.

    public struct Name: RawRepresentable, Equatable, Hashable, Sendable {
        public static let `default` = Name("default")

        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public typealias ObjectWillChangePublisher = ObservableObjectPublisher

    /// The highest rating a film may have, by all stores of all apps together.
    @EffectiveRating(EffectiveSettings.movie) public var effectiveMaximumMovieRating: Int

    /// The highest rating a programme may have, by all stores of all apps together.
    @EffectiveRating(EffectiveSettings.show) public var effectiveMaximumTVShowRating: Int

    public var objectWillChange: ObservableObjectPublisher {
        effective.follow()
        return willChange
    }

    /// A list of stores has more pages than this only when something is wrong.
    private static let pagesMax = 50

    let name: Name
    let link: ClientLink
    private let problem = Mutex<ScreenTimeProblem?>(nil)
    private let willChange = ObservableObjectPublisher()
    private let watched = Mutex<EffectiveSettings?>(nil)

    public convenience init() { self.init(named: .default) }

    /// The first change makes the store.
    public convenience init(named name: Name) { self.init(named: name, link: .current) }

    init(named name: Name, link: ClientLink) {
        self.name = name
        self.link = link
    }

    /// Whether explicit content is kept out, by all stores of all apps together.
    public var effectiveDenyExplicitContent: Bool { effective.deniesExplicitContent }

    public func clearAllSettings() {
        asked("clearAllSettings()") { try link.call(SettingsClear.self, to: .shield, address) }
    }

    /// An inactive store keeps its settings, without effect.
    public var isActive: Bool {
        get { readSome()["isActive"] ?? true }
        set { asked("isActive") { try write(["isActive": .bool(newValue)]) } }
    }

    /// Empty, with a line in the log, when the service does not answer.
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

    /// A later change makes the store again.
    public func deleteStore() {
        asked("deleteStore()") { try Self.delete([name], link) }
    }

    /// Stores that do not exist are ignored.
    public static func deleteStores(_ storeNames: Set<Name>) {
        do { try delete(storeNames, .current) } catch {
            FrameworkLog.settings.fault("ManagedSettingsStore.deleteStores: nothing was deleted: \(error)")
        }
    }

    static func delete(_ names: Set<Name>, _ link: ClientLink) throws {
        // To the service an empty list means all of them.
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

    /// Never needed here, because tokens do not expire.
    ///
    /// - Throws: A `ScreenTimeProblem` when one of them is not a token of this app; all stay as they are.
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

    // MARK: - Not Apple's

    /// Why the last change was refused; nil when it was done. Not Apple's.
    public var lastProblem: ScreenTimeProblem? { problem.withLock { $0 } }

    /// Changes all settings in one step or none. Not Apple's.
    ///
    /// Only the settings that the closure changes are written, so changes by other processes stay.
    ///
    /// - Throws: A `ScreenTimeProblem` that says why nothing was changed, and what the closure throws.
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

    /// One group of the settings.
    ///
    /// A change in place writes only the changed settings. Assigning a whole group writes its differences
    /// from the store.
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

    /// Makes a change; a refusal is a fault in the log and in `lastProblem`.
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
