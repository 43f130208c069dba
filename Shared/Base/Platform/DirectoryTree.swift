import Glibc

/// Removing folders whole.
package enum DirectoryTree {
    /// Deeper than anything this system makes; whoever nests deeper did not get the folder from us.
    private static let depthMax = 16

    /// Removes a folder and what is in it; never follows a link.
    ///
    /// What is not there is gone already.
    package static func remove(_ path: String) throws(Problem) { try remove(path, depth: 0) }

    private static func remove(_ path: String, depth: Int) throws(Problem) {
        guard depth <= depthMax else {
            throw Problem(
                "directory.too_deep",
                "\(path) is nested too deep to be removed; look at it yourself."
            )
        }
        var info = stat()
        guard lstat(path, &info) == 0 else {
            if errno == ENOENT { return }
            throw FileProblem.make("remove", path, errno)
        }
        if info.st_mode & S_IFMT == S_IFDIR {
            for name in try names(in: path) { try remove("\(path)/\(name)", depth: depth + 1) }
            guard rmdir(path) == 0 || errno == ENOENT else { throw FileProblem.make("remove", path, errno) }
        } else {
            guard unlink(path) == 0 || errno == ENOENT else { throw FileProblem.make("remove", path, errno) }
        }
    }

    /// What is in a folder, without `.` and `..`.
    package static func names(in path: String) throws(Problem) -> [String] {
        guard let stream = opendir(path) else { throw FileProblem.make("read", path, errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
