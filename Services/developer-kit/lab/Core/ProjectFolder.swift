import Glibc
import STCommandCore
import STPlatform

/// The folder of a project. Only files in it are read. The limits exceed the size of any project.
struct ProjectFolder: Sendable {
    static let filesMax = 100_000
    private static let depthMax = 24
    /// The maximum depth of copied folders, so that they can be removed again.
    private static let copiedDepthMax = 10
    /// The maximum size of a file, which exceeds any source or property list.
    private static let bytesMax = PropertyList.bytesMax
    /// The folders that other programs add to a project.
    private static let ignoredFolders: Set<String> = [
        "Pods", "Carthage", "DerivedData", "node_modules", "build",
    ]
    /// The extensions of folders that are treated as one file.
    private static let whole: Set<String> = [
        "xcassets", "xcodeproj", "xcworkspace", "xcdatamodeld", "bundle", "framework", "xcframework",
        "playground", "docc",
    ]

    /// The path of the folder, with links resolved.
    let root: String

    init(_ path: String) throws(Problem) {
        var about = stat()
        guard let real = DirectoryTree.real(path), stat(real, &about) == 0, about.st_mode & S_IFMT == S_IFDIR
        else {
            throw Problem(
                "lab.no_folder",
                "\(path, "path") is not a folder, or this account cannot open it.",
                help: "screentime app new --from FOLDER"
            )
        }
        root = real
    }

    /// Returns the absolute path without dots. It throws if the path leads outside the project.
    func path(_ path: String) throws(Problem) -> String {
        var parts: [Substring] = []
        for part in (path.hasPrefix("/") ? path : "\(root)/\(path)").split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        let plain = "/" + parts.joined(separator: "/")
        // A link may also lead outside the project.
        let real = DirectoryTree.real(plain) ?? plain
        guard [plain, real].allSatisfy({ $0 == root || $0.hasPrefix(root + "/") }) else {
            throw Problem(
                "lab.outside",
                "\(path, "path") is outside \(root, "root"). With --from, name the folder that contains both."
            )
        }
        return plain
    }

    func has(_ path: String) -> Bool { (try? self.path(path)).map { access($0, R_OK) == 0 } ?? false }

    func bytes(_ path: String) throws(Problem) -> [UInt8] {
        try AtomicFile.read(try self.path(path), limitBytes: Self.bytesMax)
    }

    /// Returns true if a path, or the target of a link, is a regular file of the project.
    private func isOwnFile(_ path: String) -> Bool {
        var about = stat()
        guard let real = DirectoryTree.real(path), real.hasPrefix(root + "/") else { return false }
        return stat(real, &about) == 0 && about.st_mode & S_IFMT == S_IFREG
    }

    /// Copies a file, or a catalogue with its content. The copy contains no links.
    func copy(_ path: String, into place: String) throws(Problem) {
        let isWhole = isFolder(path)
        for file in isWhole ? try files(below: path) : [path] {
            let name = isWhole ? "\(path.file)/\(file.dropFirst(path.count + 1))" : path.file
            try FileTree.makeFolder("\(place)/\(name)".folder)
            try AtomicFile.write(try bytes(file), to: "\(place)/\(name)", mode: 0o644, durable: false)
        }
    }

    private func isFolder(_ path: String) -> Bool {
        var about = stat()
        return stat(path, &about) == 0 && about.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the file, or the files in the folder. A catalogue counts as one file.
    func files(at path: String) throws(Problem) -> [String] {
        let path = try self.path(path)
        guard isFolder(path), !Self.whole.contains(path.ending) else { return [path] }
        var files: [String] = []
        try collect(path, depth: 0, files: &files)
        return files
    }

    /// Returns a hash of all files outside `other`. It changes if one of these files changes.
    func fingerprint(without other: String) throws(Problem) -> Int {
        var hasher = Hasher()
        for path in try files(at: root) where !path.hasPrefix(other + "/") {
            for file in isFolder(path) ? try files(below: path) : [path] {
                var about = stat()
                guard stat(file, &about) == 0 else { continue }
                hasher.combine(file)
                hasher.combine(about.st_size)
                hasher.combine(about.st_mtim.tv_sec)
                hasher.combine(about.st_mtim.tv_nsec)
            }
        }
        return hasher.finalize()
    }

    /// Returns the files in a folder that is treated as one file, for example a catalogue.
    func files(below path: String) throws(Problem) -> [String] {
        var files: [String] = []
        try collect(
            try self.path(path),
            depth: Self.depthMax - Self.copiedDepthMax,
            files: &files,
            isOpen: true
        )
        return files
    }

    private func collect(_ folder: String, depth: Int, files: inout [String], isOpen: Bool = false)
        throws(Problem)
    {
        guard depth < Self.depthMax else {
            throw Problem(
                "lab.too_large",
                "\(folder, "folder") is nested too deeply for a project.",
                key: "lab.too_large.is-nested-too"
            )
        }
        // Files that this account cannot read are not part of the project.
        for name in (try? DirectoryTree.names(in: folder)) ?? [] where !name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            var about = stat()
            guard lstat(path, &about) == 0 else { continue }
            // Only follow links to files, because a link to a folder may create a cycle or lead outside the project.
            let kind = about.st_mode & S_IFMT
            if kind == S_IFLNK, !isOwnFile(path) { continue }
            guard kind == S_IFLNK || kind == S_IFREG || kind == S_IFDIR else { continue }
            if kind == S_IFDIR, isOpen || !Self.whole.contains(name.ending) {
                if isOpen || !Self.ignoredFolders.contains(name) {
                    try collect(path, depth: depth + 1, files: &files, isOpen: isOpen)
                }
                continue
            }
            files.append(path)
            guard files.count <= Self.filesMax else {
                throw Problem(
                    "lab.too_large",
                    """
                    \(root, "root") has more than \(Self.filesMax, "most") files. Name the folder of the \
                    project itself, with --from.
                    """,
                    key: "lab.too_large.has-more-than-files"
                )
            }
        }
    }
}
