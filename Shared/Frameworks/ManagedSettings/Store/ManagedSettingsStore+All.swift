import Foundation
import STClientLink
import STContracts
import STFoundationTypes
import STPlatform

extension ManagedSettingsStore {
    /// A list of stores has more pages than this only when something is wrong.
    private static let pagesMax = 50

    /// Whether this store has a say; one that has not keeps its settings.
    public var isActive: Bool {
        get { isActiveSetting }
        set { isActiveSetting = newValue }
    }

    /// The names of all stores of this app.
    ///
    /// Empty when the system does not answer, which the log tells.
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

    /// Deletes this store with all that it sets; it is made anew when something is set in it.
    public func deleteStore() {
        asked("deleteStore()") { try Self.delete([name], link) }
    }

    /// Deletes stores of this app; those that do not exist are no error.
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

    /// Puts tokens of today in the place of older ones.
    ///
    /// On Linux older ones stay good, so this is never needed.
    ///
    /// - Throws: A `ScreenTimeProblem` when one of them is not a token of this app, and all stay as they are.
    public static func refresh(_ tokens: inout [ApplicationToken]) throws {
        tokens = try fresh(tokens, .current)
    }

    /// Puts tokens of today in the place of older ones.
    ///
    /// - Throws: A `ScreenTimeProblem` when one of them is not a token of this app, and all stay as they are.
    public static func refresh(_ tokens: inout [ActivityCategoryToken]) throws {
        tokens = try fresh(tokens, .current)
    }

    /// Puts tokens of today in the place of older ones.
    ///
    /// - Throws: A `ScreenTimeProblem` when one of them is not a token of this app, and all stay as they are.
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
                throw Problem("reply.invalid", "The answer has another number of tokens than the question.")
            }
            return fresh.map { Token(data: $0) }
        } catch {
            throw ScreenTimeProblem(error)
        }
    }
}
