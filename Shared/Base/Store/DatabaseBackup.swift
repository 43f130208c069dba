import Glibc
import STPlatform

extension Database {
    /// Writes a complete, compact copy.
    ///
    /// It never replaces a file, and it has its name only once it is on the disk.
    package func backup(to destination: String) throws {
        let partial = destination + ".partial"
        for name in [destination, partial] where DatabaseFile.exists(name) {
            throw Problem(
                "store.backup_exists",
                "\(name) exists already and was not replaced. Give another name, or move the file away.",
                details: ["path": name]
            )
        }
        try createPrivate(partial)
        do {
            // SQLite does not sync what it vacuums into.
            try run("VACUUM INTO ?", [.text(partial)])
            try DatabaseFile.synchronize(partial)
            guard rename(partial, destination) == 0 else { throw DatabaseFile.refusal(destination, errno) }
        } catch {
            unlink(partial)
            throw error
        }
        try DatabaseFile.synchronize(DatabaseFile.directory(of: destination))
    }

    /// An empty file for SQLite to fill, because one that SQLite makes could be read by everybody.
    private func createPrivate(_ path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DatabaseFile.refusal(path, errno) }
        Glibc.close(descriptor)
    }
}
