import Glibc
import STPlatform

/// Removes files and directories, never what a symbolic link leads to.
enum FileTree {
    /// Nothing of ours lies deeper.
    private static let depthMax = 8

    /// The names in a directory; none when there is no such directory.
    static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var result: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { result.append(name) }
        }
        return result.sorted()
    }

    static func exists(_ path: String) -> Bool {
        var about = stat()
        return lstat(path, &about) == 0
    }

    /// Whether it was there and is gone.
    @discardableResult
    static func remove(_ path: String, depth: Int = 0) throws(Problem) -> Bool {
        var about = stat()
        guard lstat(path, &about) == 0 else { return false }
        guard about.st_mode & S_IFMT == S_IFDIR else {
            guard unlink(path) == 0 || errno == ENOENT else { throw failed(path, errno) }
            return true
        }
        guard depth < depthMax else {
            throw Problem("file.too_deep", "\(path) lies deeper than anything of ours; remove it yourself")
        }
        for name in names(in: path) { try remove(path + "/" + name, depth: depth + 1) }
        guard rmdir(path) == 0 || errno == ENOENT else { throw failed(path, errno) }
        return true
    }

    private static func failed(_ path: String, _ number: Int32) -> Problem {
        Problem(
            "file.not_removed",
            "cannot remove \(path): \(SystemError.text(number)); correct that, or remove it yourself"
        )
    }
}

extension FileTree {
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
