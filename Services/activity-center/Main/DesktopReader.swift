import Glibc
import STDomain
import STPlatform

/// All desktop entries of some folders, as far as they can be read.
struct DesktopReader: Sendable {
    /// Of all folders together.
    private static let filesMax = 5_000
    private static let bytesMax = 64 * 1024 * 1024
    /// A folder below one is a part of the name: `kde/foo.desktop` is `kde-foo`.
    private static let depthMax = 4
    private static let ending = ".desktop"

    private(set) var entries: [DesktopEntry] = []
    /// Files that are none, or cannot be read.
    private(set) var broken = 0
    /// Files beyond what is read.
    private(set) var leftOut = 0
    private var files = 0
    private var bytes = 0

    init(_ folders: [String]) {
        for folder in folders { read(folder, prefix: "", depth: 0) }
    }

    private mutating func read(_ folder: String, prefix: String, depth: Int) {
        guard depth < Self.depthMax, let names = try? DirectoryTree.names(in: folder) else { return }
        for name in names {
            let path = "\(folder)/\(name)"
            var info = stat()
            guard stat(path, &info) == 0 else { continue }
            if info.st_mode & S_IFMT == S_IFDIR {
                read(path, prefix: "\(prefix)\(name)-", depth: depth + 1)
            } else if name.hasSuffix(Self.ending), info.st_mode & S_IFMT == S_IFREG {
                read(path, id: prefix + name.dropLast(Self.ending.count))
            }
        }
    }

    private mutating func read(_ path: String, id: String) {
        guard files < Self.filesMax, bytes < Self.bytesMax else {
            leftOut += 1
            return
        }
        files += 1
        guard let content = try? AtomicFile.read(path, limitBytes: DesktopEntry.bytesMax) else {
            broken += 1
            return
        }
        bytes += content.count
        if let entry = DesktopEntry(id: id, content) { entries.append(entry) } else { broken += 1 }
    }
}
