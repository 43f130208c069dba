import Glibc

/// The file in which a rebuild makes its figures, beside the service's own.
package enum ModelFile {
    package static func path(beside database: String) -> String { database + ".rebuild" }

    /// Also what a run has left that was killed in the middle.
    package static func remove(_ path: String) {
        for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) }
    }
}
