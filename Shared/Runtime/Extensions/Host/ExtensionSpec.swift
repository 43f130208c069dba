package import STContracts

/// Which program to start, for whom.
package struct ExtensionSpec: Sendable, Hashable {
    package var app: String
    package var member: String
    package var point: ExtensionPoint
    /// An absolute path.
    package var executable: String
    /// Beyond what every extension of this host is told.
    package var environment: [String: String]

    package init(
        app: String,
        member: String,
        point: ExtensionPoint,
        executable: String,
        environment: [String: String] = [:]
    ) {
        self.app = app
        self.member = member
        self.point = point
        self.executable = executable
        self.environment = environment
    }

    /// What has a process of its own.
    struct Key: Hashable {
        var app: String
        var member: String
        var point: ExtensionPoint
    }

    var key: Key { Key(app: app, member: member, point: point) }
}
