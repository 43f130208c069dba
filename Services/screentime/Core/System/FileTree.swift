import Glibc
import STPlatform

/// What the command asks of the file system beyond `DirectoryTree`.
enum FileTree {
    static func exists(_ path: String) -> Bool {
        var about = stat()
        return lstat(path, &about) == 0
    }

    /// Makes a directory with its parents, as others make them: it is not ours alone.
    static func makeFolder(_ path: String) throws(Problem) {
        var made = ""
        for name in path.split(separator: "/") {
            made += "/" + name
            guard mkdir(made, 0o755) == 0 || errno == EEXIST || errno == EROFS else {
                throw Problem(
                    "directory.failed",
                    "cannot make the directory \(made): \(SystemError.text(errno)); correct that"
                )
            }
        }
    }
}
