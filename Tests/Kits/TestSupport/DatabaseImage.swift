import Glibc

/// The files of a database as a process that is killed now would leave them.
package enum DatabaseImage {
    package static func copy(of database: String, to copy: String) {
        for suffix in ["", "-wal"] {
            unlink(copy + suffix)
            copyFile(database + suffix, to: copy + suffix)
        }
    }

    package static func remove(_ database: String) {
        for suffix in ["", "-wal", "-shm"] { unlink(database + suffix) }
    }

    /// Nothing when there is no source: a database need not have a log.
    private static func copyFile(_ source: String, to copy: String) {
        let from = open(source, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { return }
        defer { close(from) }
        let to = open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard to >= 0 else { return }
        defer { close(to) }
        var status = stat()
        guard fstat(from, &status) == 0 else { return }
        var rest = Int(status.st_size)
        while rest > 0 {
            let moved = sendfile(to, from, nil, rest)
            guard moved > 0 else { return }
            rest -= moved
        }
    }
}
