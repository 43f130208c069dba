import Glibc

/// The directories of sockets, state and configuration.
package struct Directories: Sendable, Equatable {
    /// The address of a Unix socket has 108 bytes, and the last is NUL.
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

    /// The folder with the sockets through which an account reaches the services on a protected computer. Root creates it, so no
    /// account can replace it.
    package static func run(ofAccount uid: UInt32) -> String { "\(runOfAccounts)/\(uid)" }

    package static let runOfAccounts = "/run/screentime/accounts"
    /// True if these are the directories of an account on a protected computer.
    package var isProtectedAccount: Bool { run.hasPrefix(Self.runOfAccounts) }
    package static let stateOfAgents = "/var/lib/screentime-agents"

    /// A file that exists while no agent observes the screen of a child's account. The account's door creates it, and systemd then
    /// pauses the child's shielded apps.
    package static func observationGapFile(_ uid: UInt32) -> String { "/run/screentime/unseen/\(uid)" }

    /// The programs in children's folders that a guardian of a protected computer has accepted, one path per line.
    package static let acceptedPrograms = "/etc/screentime/programs"

    /// The services' own directories on a protected computer.
    package static let protected = Directories(
        run: "/run/screentime/core",
        state: "/var/lib/screentime",
        config: "/etc/screentime/config"
    )

    /// The directories in `SCREENTIME_RUN`, `SCREENTIME_STATE` and `SCREENTIME_CONFIG`. Each defaults to an XDG base directory.
    package static func from(environment: [String: String]) throws(Problem) -> Directories {
        if ProcessEnvironment.isPrivileged {
            return Directories(
                run: run(ofAccount: getuid()),
                // The agent stores unsent observations here. In its own folder, the account could change them.
                state: "\(stateOfAgents)/\(getuid())",
                config: protected.config
            )
        }
        let isNamed = ["SCREENTIME_RUN", "SCREENTIME_STATE"].contains {
            !environment[$0, default: ""].isEmpty
        }
        // The administrator of a protected computer means the services' own directories.
        if !isNamed, getuid() == 0, access(protected.run, F_OK) == 0 { return protected }
        return Directories(
            run: try place("SCREENTIME_RUN", environment) {
                let protected = run(ofAccount: getuid())
                if access(protected, F_OK) == 0 { return protected }
                return base("XDG_RUNTIME_DIR", environment).map { $0 + "/screentime" }
                    ?? "/tmp/screentime-\(geteuid())"
            },
            state: try state(from: environment),
            config: try place("SCREENTIME_CONFIG", environment) { () throws(Problem) in
                try home("XDG_CONFIG_HOME", below: ".config", environment: environment) + "/screentime/config"
            }
        )
    }

    /// The state directory only. An extension gets no other directory, and may have no home.
    package static func state(from environment: [String: String]) throws(Problem) -> String {
        try place("SCREENTIME_STATE", environment) { () throws(Problem) in
            try home("XDG_STATE_HOME", below: ".local/state", environment: environment) + "/screentime"
        }
    }

    /// The path of a service's socket, without `ipc://`.
    package func endpoint(service: String, _ kind: Endpoint) throws(Problem) -> String {
        try Self.checkedSocket("\(run)/\(service)/\(kind.rawValue)")
    }

    /// A file that exists while a person wants a service that does not run on every machine.
    package func wantedFile(service: String) -> String { "\(state)/\(service).wanted" }

    package func log(service: String) -> String { "\(logs)/\(service).log" }

    package var logs: String { "\(state)/logs" }

    /// The anchor file of `TrustedTimeSource`.
    package var clock: String { "\(state)/clock" }

    package func database(service: String) -> String { "\(state)/\(service)/\(service).sqlite" }

    /// Returns the path if it is short enough for a Unix socket.
    package static func checkedSocket(_ path: String) throws(Problem) -> String {
        let length = path.utf8.count
        guard length <= socketPathBytesMax else {
            throw Problem(
                "path.too_long",
                """
                the socket path \(path, "path") has \(length, "length") bytes, but a Unix socket path can \
                have at most \(socketPathBytesMax, "bytes"); set SCREENTIME_RUN to a shorter directory
                """,
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
                """
                \(name, "name") is “\(value, "value")”, but must be an absolute path, because processes \
                start in different directories
                """
            )
        }
        return trimmed(value)
    }

    /// The value of an XDG variable. A relative path is ignored, as the XDG specification requires.
    private static func base(_ name: String, _ environment: [String: String]) -> String? {
        guard let value = environment[name], value.hasPrefix("/") else { return nil }
        return trimmed(value)
    }

    private static func home(
        _ name: String,
        below: String,
        environment: [String: String]
    ) throws(Problem) -> String {
        if let directory = base(name, environment) { return directory }
        if let home = base("HOME", environment) { return home == "/" ? "/\(below)" : "\(home)/\(below)" }
        throw Problem(
            "path.no_home",
            "HOME is not set; set it, or set SCREENTIME_STATE and SCREENTIME_CONFIG",
            key: "path.no_home.home-is-not-set-set"
        )
    }

    private static func trimmed(_ path: String) -> String {
        var path = Substring(path)
        while path.count > 1 && path.hasSuffix("/") { path = path.dropLast() }
        return String(path)
    }

    /// Creates a directory that only this account can enter, with its parents, and checks its kind, owner and mode.
    ///
    /// The check matters most under /tmp, where another account could have created the directory first.
    package static func prepare(_ directory: String) throws(Problem) {
        var path = directory.hasPrefix("/") ? "" : "."
        for name in directory.split(separator: "/") {
            path += "/" + name
            // EEXIST is the usual case, and an existing parent may be read-only. The check below decides.
            if mkdir(path, 0o700) != 0 && errno != EEXIST {
                let number = errno
                var about = stat()
                guard stat(path, &about) == 0 else { throw failure(directory, path: path, number: number) }
            }
        }
        try check(directory)
    }

    private static func check(_ directory: String) throws(Problem) {
        var about = stat()
        guard lstat(directory, &about) == 0 else { throw failure(directory, path: directory, number: errno) }
        let kind = about.st_mode & S_IFMT
        if kind == S_IFLNK {
            throw Problem(
                "directory.is_link",
                """
                \(directory, "directory") is a symbolic link, which could lead anywhere; remove it, or name \
                its target instead
                """
            )
        }
        guard kind == S_IFDIR else { throw failure(directory, path: directory, number: ENOTDIR) }
        // On a protected computer, root creates a directory for each account, which the account cannot change.
        let isOfAgents = ProcessEnvironment.isPrivileged && about.st_gid == getegid()
        if about.st_uid == 0, geteuid() != 0, about.st_mode & (isOfAgents ? 0o002 : 0o022) == 0 { return }
        guard about.st_uid == geteuid() else {
            throw Problem(
                "directory.not_ours",
                """
                \(directory, "directory") belongs to uid \(about.st_uid, "owner"), and this process runs as \
                uid \(geteuid(), "account"); remove it, or choose another place with SCREENTIME_RUN and \
                SCREENTIME_STATE
                """
            )
        }
        // A group may read it (a system install is 0750). An account that can write could replace a socket.
        guard about.st_mode & 0o027 == 0 else {
            throw Problem(
                "directory.too_open",
                "\(directory, "directory") can be used by others (mode \(octal(about.st_mode & 0o7777), "octal"))",
                help: "chmod 700 \(directory)"
            )
        }
    }

    private static func failure(_ directory: String, path: String, number: Int32) -> Problem {
        let details = ["errno": String(number)]
        return switch number {
        case ENOTDIR, EEXIST:
            Problem(
                "directory.in_the_way",
                """
                cannot use the directory \(directory, "directory"): a file is in the way at \(path, "path"); \
                move it away
                """,
                details: details
            )
        case EACCES, EPERM:
            Problem(
                "directory.not_permitted",
                """
                cannot use the directory \(directory, "directory"): this user is not allowed to create \
                \(path, "path"); correct the owner or mode of its parent directory
                """,
                details: details
            )
        case EROFS:
            Problem(
                "directory.read_only",
                """
                cannot use the directory \(directory, "directory"): the file system of \(path, "path") is \
                read-only; choose another place
                """,
                details: details
            )
        case ENOSPC, EDQUOT:
            Problem(
                "directory.disk_full",
                """
                cannot use the directory \(directory, "directory"): there is no space left for \
                \(path, "path"); free some space
                """,
                details: details
            )
        case ENAMETOOLONG:
            Problem(
                "path.too_long",
                """
                cannot use the directory \(directory, "directory"): the path is too long; choose a shorter one
                """,
                key: "path.too_long.cannot-use-the",
                details: details
            )
        default:
            Problem(
                "directory.failed",
                """
                cannot use the directory \(directory, "directory"): \(path, "path"): \
                \(SystemError.text(number), "reason")
                """,
                key: "directory.failed.cannot-use-the",
                details: details
            )
        }
    }

    private static func octal(_ mode: mode_t) -> String { "0" + String(mode, radix: 8) }
}

/// File systems of other machines.
package enum NetworkFolder {
    /// The names of the file systems in the kernel's mount table.
    private static let kinds: Set = [
        "9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "fuse.afpfs-ng", "fuse.cephfs", "fuse.davfs",
        "fuse.glusterfs",
        "fuse.rclone", "fuse.s3fs", "fuse.smbnetfs", "fuse.sshfs", "gfs2", "lustre", "ncpfs", "nfs", "nfs4",
        "ocfs2", "pvfs2",
        "smb3", "smbfs",
    ]

    /// Throws if a folder is on another machine. Otherwise two computers with the same user would write the same records and have
    /// the same keys.
    package static func refuse(_ folder: String) throws(Problem) {
        guard let mounts = try? AtomicFile.read("/proc/self/mountinfo", limitBytes: 1 << 22) else { return }
        var real = [CChar](repeating: 0, count: Int(PATH_MAX))
        var nearest = folder[...]
        // If the folder does not exist yet, check its nearest existing parent.
        while realpath(String(nearest), &real) == nil, let slash = nearest.lastIndex(of: "/") {
            nearest = nearest[..<slash]
        }
        let path = String(decoding: real.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard let kind = kind(of: path, in: String(decoding: mounts, as: UTF8.self)), kinds.contains(kind)
        else { return }
        throw Problem(
            "directory.on_network",
            """
            \(folder, "folder") is stored on another machine (\(kind, "kind")). Screen Time records must be \
            on this computer, because otherwise several computers would write to the same files. Choose a \
            folder on this computer, or protect the whole computer. Its records are then in \
            \(Directories.protected.state, "state").
            """,
            help: "export SCREENTIME_STATE=/var/tmp/screentime-\(geteuid())"
        )
    }

    /// The kind of file system of a path. If several mounts are equally near, the last counts.
    static func kind(of path: String, in mounts: String) -> String? {
        var nearest: (length: Int, kind: String)?
        for line in mounts.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 5, let dash = words.firstIndex(of: "-"), dash + 1 < words.count else {
                continue
            }
            let point = unescaped(words[4])
            let isAbove = point == "/" || path == point || path.hasPrefix(point + "/")
            if isAbove, point.utf8.count >= nearest?.length ?? 0 {
                nearest = (point.utf8.count, String(words[dash + 1]))
            }
        }
        return nearest?.kind
    }

    /// Decodes blanks, tabs, line ends and backslashes, which the kernel writes as three octal digits.
    private static func unescaped(_ text: Substring) -> String {
        let parts = text.split(separator: "\\", omittingEmptySubsequences: false)
        let rest = parts.dropFirst().map { part in
            UInt8(part.prefix(3), radix: 8).map { String(Unicode.Scalar($0)) + part.dropFirst(3) } ?? "\\"
                + part
        }
        return ([String(parts.first ?? "")] + rest).joined()
    }
}

/// The sockets of a service.
package enum Endpoint: String, Sendable {
    /// The socket of requests and replies.
    case rpc
    /// The socket of published events.
    case events
}
