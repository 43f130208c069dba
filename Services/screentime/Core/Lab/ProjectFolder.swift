import Glibc
import STPlatform

/// The folder of a project: the only place that is read, within limits that no project reaches.
struct ProjectFolder: Sendable {
    static let filesMax = 100_000
    private static let depthMax = 24
    /// Larger than any source or list.
    private static let bytesMax = PropertyList.bytesMax
    /// What other programs put into a project.
    private static let foreign: Set<String> = ["Pods", "Carthage", "DerivedData", "node_modules", "build"]
    /// Folders that are one thing.
    private static let whole: Set<String> = [
        "xcassets", "xcodeproj", "xcworkspace", "xcdatamodeld", "bundle", "framework", "xcframework",
        "playground", "docc",
    ]

    /// Its real path.
    let root: String

    init(_ path: String) throws(Problem) {
        var about = stat()
        guard let real = Self.real(path), stat(real, &about) == 0, about.st_mode & S_IFMT == S_IFDIR else {
            throw Problem(
                "lab.no_folder",
                "\(path) is not a folder that can be entered.",
                help: "screentime app new --from FOLDER"
            )
        }
        root = real
    }

    static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// A path of the project without its dots, or a problem where it leads outside.
    func path(_ path: String) throws(Problem) -> String {
        var parts: [Substring] = []
        for part in (path.hasPrefix("/") ? path : "\(root)/\(path)").split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        let plain = "/" + parts.joined(separator: "/")
        // A link may lead outside as well.
        let real = Self.real(plain) ?? plain
        guard [plain, real].allSatisfy({ $0 == root || $0.hasPrefix(root + "/") }) else {
            throw Problem(
                "lab.outside",
                "\(path) leads outside of \(root). Name the folder that holds both, with --from."
            )
        }
        return plain
    }

    func has(_ path: String) -> Bool { (try? self.path(path)).map { access($0, R_OK) == 0 } ?? false }

    func bytes(_ path: String) throws(Problem) -> [UInt8] {
        try AtomicFile.read(try self.path(path), limitBytes: Self.bytesMax)
    }

    private func isFolder(_ path: String) -> Bool {
        var about = stat()
        return stat(path, &about) == 0 && about.st_mode & S_IFMT == S_IFDIR
    }

    /// The file, or the files below the folder; a catalogue is one file.
    func files(at path: String) throws(Problem) -> [String] {
        let path = try self.path(path)
        guard isFolder(path), !Self.whole.contains(path.ending) else { return [path] }
        var files: [String] = []
        try collect(path, 0, &files)
        return files
    }

    /// Those below a folder that is one thing, such as a catalogue.
    func files(below path: String) throws(Problem) -> [String] {
        var files: [String] = []
        try collect(try self.path(path), 0, &files, isOpen: true)
        return files
    }

    private func collect(_ folder: String, _ depth: Int, _ files: inout [String], isOpen: Bool = false)
        throws(Problem)
    {
        guard depth < Self.depthMax else {
            throw Problem("lab.too_large", "\(folder) is nested too deeply for a project.")
        }
        for name in try DirectoryTree.names(in: folder) where !name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            var about = stat()
            // A folder behind a link may be one above it.
            guard lstat(path, &about) == 0 else { continue }
            if about.st_mode & S_IFMT == S_IFDIR, isOpen || !Self.whole.contains(name.ending) {
                if isOpen || !Self.foreign.contains(name) {
                    try collect(path, depth + 1, &files, isOpen: isOpen)
                }
                continue
            }
            files.append(path)
            guard files.count <= Self.filesMax else {
                throw Problem(
                    "lab.too_large",
                    "\(root) has more than \(Self.filesMax) files. Name the folder of the project itself, with --from."
                )
            }
        }
    }
}
