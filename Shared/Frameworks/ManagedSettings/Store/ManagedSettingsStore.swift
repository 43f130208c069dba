public import Combine
import STClientLink
import STContracts
public import STFoundationTypes
import STPlatform
import Synchronization

/// A named store of settings of this app, which its extensions share.
///
/// Settings stay until they are changed. Reading gives back what this app has set, whatever others did. All calls wait for
/// their answer, on whichever thread they are made. Where a phone says nothing, the log says what was refused and why, and
/// `lastProblem` has it, too; `change` throws it.
public final class ManagedSettingsStore: ObservableObject, @unchecked Sendable {
    // @unchecked: the two wrappers have no state, and everything else is Sendable.

    /// What sends before an effective setting changes.
    public typealias ObjectWillChangePublisher = ObservableObjectPublisher

    /// The highest rating a film may have, by all stores of all apps together.
    @EffectiveRating(EffectiveSettings.movie) public var effectiveMaximumMovieRating: Int

    /// The highest rating a programme may have, by all stores of all apps together.
    @EffectiveRating(EffectiveSettings.show) public var effectiveMaximumTVShowRating: Int

    /// Tells before an effective setting changes.
    public var objectWillChange: ObservableObjectPublisher {
        effective.follow()
        return willChange
    }

    let name: Name
    let link: ClientLink
    private let problem = Mutex<ScreenTimeProblem?>(nil)
    private let willChange = ObservableObjectPublisher()
    private let watched = Mutex<EffectiveSettings?>(nil)

    /// The store that has no name of its own.
    public convenience init() { self.init(named: .default) }

    /// The store of that name; it is made when something is first set in it.
    public convenience init(named name: Name) { self.init(named: name, link: .current) }

    init(named name: Name, link: ClientLink) {
        self.name = name
        self.link = link
    }

    /// Whether explicit content is kept out, by all stores of all apps together.
    public var effectiveDenyExplicitContent: Bool { effective.deniesExplicitContent }

    /// Takes away all that this store sets, and leaves other stores as they are.
    public func clearAllSettings() {
        asked("clearAllSettings()") { try link.call(SettingsClear.self, to: .shield, address) }
    }

    // MARK: - Not Apple's

    /// Why the last change was refused; nil when it was done, and when there was none.
    ///
    /// Not Apple's, where a refusal is silent.
    public var lastProblem: ScreenTimeProblem? { problem.withLock { $0 } }

    /// Changes any of the settings in one step, all or none of them.
    ///
    /// Not Apple's, where a refusal is silent. Settings that the closure leaves as they are stay so, whoever changes them
    /// meanwhile.
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

    // MARK: - The way to the service

    private var address: StoreAddress {
        StoreAddress(app: link.identity.app, member: link.identity.member, store: name.rawValue)
    }

    /// One group of the settings.
    ///
    /// What is changed in place is written by itself. A whole group put in its place makes the store say what the group says;
    /// written is what that changes.
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

    var isActiveSetting: Bool {
        get { readSome()["isActive"] ?? true }
        set { asked("isActive") { try write(["isActive": .bool(newValue)]) } }
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

    /// A change, which nobody may think done when it was refused.
    func asked<Reply>(_ what: String, _ body: () throws -> Reply) {
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
    /// For a developer.
    public var description: String { "ManagedSettingsStore(\(name.rawValue))" }
}
