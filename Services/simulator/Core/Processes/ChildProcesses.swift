import Glibc
import STPlatform

/// The children of a process.
enum ChildProcesses {
    static func pids(of parent: Int32) -> [Int32] {
        let path = "/proc/\(parent)/task/\(parent)/children"
        let tasks = names(in: "/proc/\(parent)/task")
        let texts = tasks.isEmpty ? [text(path)] : tasks.map { text("/proc/\(parent)/task/\($0)/children") }
        return texts.flatMap { $0.split(separator: " ") }.compactMap { Int32($0) }
    }

    private static func text(_ path: String) -> String {
        (try? AtomicFile.read(path, limitBytes: 64 * 1024)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
