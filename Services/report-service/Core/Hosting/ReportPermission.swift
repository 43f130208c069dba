package import STContracts
package import STPlatform

/// Whether an app may see somebody's use.
package enum ReportPermission {
    /// Nil when it may.
    package static func problem(_ word: Authorization) -> Problem? {
        guard word.status != .approved || !word.access else { return nil }
        return Problem(
            "auth.unauthorized",
            "\(word.member) has not allowed \(word.app) to see their use.",
            field: "/app",
            help: "screentime app access \(word.app) on --member \(word.member)"
        )
    }

    /// The same for an app whose extension is to be called.
    static func refusal(_ word: Authorization, _ apps: ReportApps) -> Problem? {
        guard let problem = problem(word) else { return nil }
        return apps.installed[word.app] == nil && apps.isWhole ? notInstalled(word.app, apps) : problem
    }

    static func notInstalled(_ app: String, _ apps: ReportApps) -> Problem {
        guard apps.isWhole else {
            return Problem(
                "unavailable",
                "auth-service has not said yet which apps there are.",
                retryable: true,
                help: "screentime status"
            )
        }
        let near = TextFormat.closest(to: app, in: apps.installed.keys.sorted())
        return Problem(
            "app.not_installed",
            "There is no app \(app.prefix(128))." + (near.map { " Did you mean \($0)?" } ?? ""),
            field: "/app",
            help: near == nil ? "screentime app install FOLDER" : "screentime app list"
        )
    }
}
