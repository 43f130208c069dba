import Foundation
import ManagedSettings
import STContracts
import Synchronization

/// The things that a report has told of: each is kept once, however many rows name it, and found by its token.
package final class ReportThings: Sendable {
    /// What this process was told; a report extension shows names from here.
    package static let shared = ReportThings()

    /// Things beyond it are still shown, but every row has its own copy, and no label finds their name.
    private static let most = 20_000

    private struct State {
        var applications: [String: Application] = [:]
        var categories: [String: ActivityCategory] = [:]
        var webDomains: [String: WebDomain] = [:]
        var names: [Data: String] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// What people call the thing that the token stands for, if a report has told of it.
    package func name(of token: Data) -> String? { state.withLock { $0.names[token] } }

    func row(_ row: ReportDataRow) -> ActivityRow {
        ActivityRow(
            category: category(row.category),
            application: row.application.map(application),
            webDomain: row.webDomain.map(webDomain),
            usedMs: row.usedMs,
            pickups: row.pickups,
            notifications: row.notifications
        )
    }

    private func application(_ thing: ReportThing) -> Application {
        kept(\.applications, thing) { thing, data in
            Application(
                bundleIdentifier: thing.id,
                token: ApplicationToken(data: data),
                localizedDisplayName: thing.shownName
            )
        }
    }

    private func category(_ thing: ReportThing) -> ActivityCategory {
        kept(\.categories, thing) { thing, data in
            ActivityCategory(token: ActivityCategoryToken(data: data), localizedDisplayName: thing.shownName)
        }
    }

    private func webDomain(_ thing: ReportThing) -> WebDomain {
        kept(\.webDomains, thing) { thing, data in
            WebDomain(domain: thing.id, token: WebDomainToken(data: data))
        }
    }

    private func kept<Thing: Sendable>(
        _ list: WritableKeyPath<State, [String: Thing]>,
        _ thing: ReportThing,
        _ make: (ReportThing, Data) -> Thing
    ) -> Thing {
        // The name too, because it changes with the language.
        let key = "\(thing.id)\u{0}\(thing.token)\u{0}\(thing.name)"
        return state.withLock { state in
            if let known = state[keyPath: list][key] { return known }
            // Without a token that can be read there still is one that differs from the others.
            let data =
                Data(base64Encoded: thing.token).flatMap { $0.isEmpty ? nil : $0 } ?? Data(thing.id.utf8)
            let made = make(thing, data)
            guard state[keyPath: list].count < Self.most else { return made }
            state[keyPath: list][key] = made
            state.names[data] = thing.shownName
            return made
        }
    }
}

extension ReportThing {
    /// Never empty.
    fileprivate var shownName: String { name.isEmpty ? id : name }
}
