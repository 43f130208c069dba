import Glibc

/// Where things are: sockets, state, configuration.
package struct Directories: Sendable, Equatable {
    /// A unix socket's address holds 108 bytes, and the last is NUL.
    package static let socketPathBytesMax = 107

    package var run: String
    package var state: String
    /// The configuration file.
    package var config: String

    package init(run: String, state: String, config: String) {
        self.run = run
        self.state = state
        self.config = config
    }

    /// `SCREENTIME_RUN`, `SCREENTIME_STATE` and `SCREENTIME_CONFIG`, else the XDG base directories.
    package static func from(environment: [String: String]) throws(Problem) -> Directories {
        Directories(
            run: try place("SCREENTIME_RUN", environment) {
                base("XDG_RUNTIME_DIR", environment).map { $0 + "/screentime" }
                    ?? "/tmp/screentime-\(geteuid())"
            },
            state: try state(from: environment),
            config: try place("SCREENTIME_CONFIG", environment) { () throws(Problem) in
                try home("XDG_CONFIG_HOME", ".config", environment) + "/screentime/config"
            }
        )
    }

    /// The state alone: an extension is told of no other place, and may have no home.
    package static func state(from environment: [String: String]) throws(Problem) -> String {
        try place("SCREENTIME_STATE", environment) { () throws(Problem) in
            try home("XDG_STATE_HOME", ".local/state", environment) + "/screentime"
        }
    }

    /// The path of a service's socket, without `ipc://`.
    package func endpoint(service: String, _ kind: Endpoint) throws(Problem) -> String {
        try Self.checkedSocket("\(run)/\(service)/\(kind.rawValue)")
    }

    package func log(service: String) -> String { "\(logs)/\(service).log" }

    package var logs: String { "\(state)/logs" }

    package func database(service: String) -> String { "\(state)/\(service)/\(service).sqlite" }

    /// The path itself, when a unix socket can have it.
    package static func checkedSocket(_ path: String) throws(Problem) -> String {
        let length = path.utf8.count
        guard length <= socketPathBytesMax else {
            throw Problem(
                "path.too_long",
                "the socket path \(path) has \(length) bytes and a unix socket takes \(socketPathBytesMax); "
                    + "set SCREENTIME_RUN to a shorter directory",
                help: "export SCREENTIME_RUN=/tmp/screentime-\(geteuid())"
            )
        }
        return path
    }

    private static func place(
        _ name: String,
        _ environment: [String: String],
        otherwise: () throws(Problem) -> String
    ) throws(Problem) -> String {
        guard let value = environment[name], !value.isEmpty else { return try otherwise() }
        guard value.hasPrefix("/") else {
            throw Problem(
                "path.not_absolute",
                "\(name) is “\(value)”, and must be an absolute path: processes start in different directories"
            )
        }
        return trimmed(value)
    }

    /// A relative base directory is ignored, as the XDG specification demands.
    private static func base(_ name: String, _ environment: [String: String]) -> String? {
        guard let value = environment[name], value.hasPrefix("/") else { return nil }
        return trimmed(value)
    }

    private static func home(
        _ name: String,
        _ below: String,
        _ environment: [String: String]
    ) throws(Problem) -> String {
        if let directory = base(name, environment) { return directory }
        if let home = base("HOME", environment) { return home == "/" ? "/\(below)" : "\(home)/\(below)" }
        throw Problem(
            "path.no_home",
            "HOME is not set; set it, or set SCREENTIME_STATE and SCREENTIME_CONFIG"
        )
    }

    private static func trimmed(_ path: String) -> String {
        var path = Substring(path)
        while path.count > 1 && path.hasSuffix("/") { path = path.dropLast() }
        return String(path)
    }
}
