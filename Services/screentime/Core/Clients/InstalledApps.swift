import STContracts
import STPlatform

/// The ids that an app can have on the command line.
enum InstalledApps {
    private static let pagesMax = 50

    /// A mistyped id would otherwise look like an app that never did anything.
    ///
    /// `line` is the command that was typed, without the id.
    static func check(_ app: String?, _ line: String, _ clients: ServiceClients) async throws {
        guard let app, app != BuiltInRules.app else { return }
        var ids: [String] = []
        var next: String?
        for _ in 0..<pagesMax {
            guard let page = try? await clients.call(AppList.self, .init(next: next), timeoutMs: 1_500) else {
                return
            }
            ids += page.apps.map(\.manifest.id)
            next = page.next
            if next == nil { break }
        }
        guard !ids.contains(app) else { return }
        let near = TextFormat.closest(to: app, in: ids)
        throw Problem(
            "app.not_found",
            "No app “\(app)” is installed" + (near.map { "; did you mean \($0)?" } ?? "."),
            help: near.map { "screentime \(line) \($0)" } ?? "screentime app list"
        )
    }
}
