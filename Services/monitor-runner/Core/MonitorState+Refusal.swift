package import STContracts
package import STPlatform

extension MonitorState {
    /// Why a callback of an app may not be made for a member, as far as is known here; nil when it may.
    func refusal(app: String, member: String) -> Problem? {
        if app == BuiltInRules.app { return nil }
        guard let monitor = monitors[app] else {
            return Problem(
                "app.not_installed",
                "\(app) is not installed, so nobody can be called. Install it and try again.",
                help: "screentime app install FOLDER"
            )
        }
        guard monitor != nil else {
            return Self.noMonitor(app: app)
        }
        guard permissions[Permission(app: app, member: member)] == true else {
            return Self.notApproved(app: app, member: member)
        }
        return nil
    }

    private static func noMonitor(app: String) -> Problem {
        Problem(
            "app.no_monitor",
            "\(app) has no monitor extension, so nobody can be called. Add one to its manifest and install it again.",
            help: "screentime app install FOLDER"
        )
    }

    private static func notApproved(app: String, member: String) -> Problem {
        Problem(
            "auth.not_approved",
            "\(member) does not let \(app) watch (any more), so it is not called.",
            help: "screentime app access \(app) on"
        )
    }

    /// What auth-service itself answers, which knows better when its word has not come here yet; nil when it allows it.
    package static func refusal(_ word: AuthCheck.Reply, otherwise known: Problem) -> Problem? {
        let isAllowed = word.authorization.status == .approved && word.authorization.access
        if isAllowed, word.hasMonitor { return nil }
        let app = word.authorization.app
        if isAllowed { return noMonitor(app: app) }
        // It says the same of an app that was never installed.
        return word.hasMonitor ? notApproved(app: app, member: word.authorization.member) : known
    }
}
