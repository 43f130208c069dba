import STPlatform

extension MonitorState {
    /// Why a callback of an app may not be made for a member, as far as is known here; nil when it may.
    func refusal(app: String, member: String) -> Problem? {
        if app == Self.builtInApp { return nil }
        guard let monitor = monitors[app] else {
            return Problem(
                "app.not_installed",
                "\(app) is not installed, so nobody can be called. Install it and try again.",
                help: "screentime app install FOLDER"
            )
        }
        guard monitor != nil else {
            return Problem(
                "app.no_monitor",
                "\(app) has no monitor extension, so nobody can be called. Add one to its manifest and install it again.",
                help: "screentime app install FOLDER"
            )
        }
        guard permissions[Permission(app: app, member: member)] == true else {
            return Problem(
                "auth.not_approved",
                "\(member) does not let \(app) watch (any more), so it is not called.",
                help: "screentime app access \(app) on"
            )
        }
        return nil
    }
}
