package import STContracts
import STEngine
package import STPlatform
import STStore

/// The state of monitor-runner in memory, loaded from its database at every start.
package struct MonitorState: Sendable, Equatable {
    /// The executables of the monitors, by app. `nil` for an app without a monitor.
    var monitors: [String: String?] = [:]
    var permissions: [Permission: Bool] = [:]
    /// Apps whose monitor waits for a debugger, with its process once it has started.
    var debugged: [String: Int64?] = [:]

    /// The number of failures after which a callback is parked.
    var attempts = DeliveryVerdict.attempts

    /// Identifies the permission of a member for an app to monitor usage.
    struct Permission: Hashable {
        var app: String
        var member: String
    }

    package init() {}

    /// Returns the reason why an app may not be called for a member, or nil if it may. It uses only this service's copy of the
    /// data.
    func refusal(app: String, member: String) -> Problem? {
        guard let monitor = monitors[app] else {
            return Problem(
                "app.not_installed",
                "\(app, "app") is not installed, so its monitor cannot be called. Install it and try again.",
                key: "app.not_installed.is-not-installed",
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
            "\(app, "app") has no monitor extension to call. Add one to its manifest and install it again.",
            key: "app.no_monitor.has-no-monitor",
            help: "screentime app install FOLDER"
        )
    }

    private static func notApproved(app: String, member: String) -> Problem {
        Problem(
            "auth.not_approved",
            """
            \(member, "member") does not permit \(app, "app") to monitor usage, or no longer does, so the \
            app is not called.
            """,
            help: "screentime app access \(app) on"
        )
    }

    /// Returns the refusal after a reply of auth-service, whose data may be newer than its events. Returns nil if the call is
    /// allowed.
    package static func refusal(_ word: AuthCheck.Reply, otherwise known: Problem) -> Problem? {
        let isAllowed = word.authorization.status == .approved && word.authorization.access
        if isAllowed, word.hasMonitor { return nil }
        let app = word.authorization.app
        if isAllowed { return noMonitor(app: app) }
        // auth-service sends the same reply for an app that was never installed.
        return word.hasMonitor ? notApproved(app: app, member: word.authorization.member) : known
    }
}

/// The tables of the installed monitors and of the permissions of apps: a copy of auth-service's data.
enum PermissionTables {
    static let migration = Migration(
        name: "permissions",
        sql: """
            CREATE TABLE monitors (app TEXT PRIMARY KEY, executable TEXT) STRICT;
            CREATE TABLE permissions (
                app TEXT NOT NULL, member TEXT NOT NULL, may_watch INTEGER NOT NULL, PRIMARY KEY (app, member)
            ) STRICT;
            """
    )

    static func load(_ database: Database) throws -> MonitorState {
        var state = MonitorState()
        let monitors = try database.query("SELECT app, executable FROM monitors") {
            (try $0.text(0), try $0.optionalText(1))
        }
        for (app, executable) in monitors { state.monitors[app] = .some(executable) }
        let permissions = try database.query("SELECT app, member, may_watch FROM permissions") {
            (try $0.text(0), try $0.text(1), try $0.bool(2))
        }
        for (app, member, mayWatch) in permissions {
            state.permissions[.init(app: app, member: member)] = mayWatch
        }
        return state
    }

    static func set(app: String, executable: String?, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO monitors (app, executable) VALUES (?, ?)
            ON CONFLICT (app) DO UPDATE SET executable = excluded.executable
            """,
            [.text(app), SQLValue(executable)]
        )
    }

    static func remove(app: String, _ database: Database) throws {
        try database.run("DELETE FROM monitors WHERE app = ?", [.text(app)])
        try database.run("DELETE FROM permissions WHERE app = ?", [.text(app)])
    }

    static func set(_ permission: MonitorState.Permission, mayWatch: Bool, database: Database) throws {
        try database.run(
            """
            INSERT INTO permissions (app, member, may_watch) VALUES (?, ?, ?)
            ON CONFLICT (app, member) DO UPDATE SET may_watch = excluded.may_watch
            """,
            [.text(permission.app), .text(permission.member), SQLValue(mayWatch)]
        )
    }

    static func clear(_ database: Database) throws {
        try database.run("DELETE FROM monitors")
        try database.run("DELETE FROM permissions")
    }
}
