import Glibc
package import STContracts
package import STDomain
import STPlatform

/// All desktop entries of some folders, as far as they can be read.
package struct AppEntryReader: Sendable {
    /// In all folders together.
    package static let filesMax = 5_000
    private static let bytesMax = 64 * 1024 * 1024
    /// File names that are looked at, of programs or not.
    private static let namesMax = 50_000
    private static let foldersMax = 200
    /// A folder below one is a part of the name: `kde/foo.desktop` is `kde-foo`.
    package static let depthMax = 4
    private static let ending = ".desktop"

    package private(set) var entries: [DesktopEntry] = []
    /// For each entry, the folder that it came from.
    package private(set) var places: [Int] = []
    /// How many files are not entries, or cannot be read.
    package private(set) var broken = 0
    /// How many files were not read, because there are too many.
    package private(set) var leftOut = 0
    private let languages: [String]
    private var files = 0
    private var bytes = 0
    private var names = 0
    private var folders = 0
    /// The folders that were entered below the one that is being read.
    private var entered: Set<FolderID> = []

    /// The same folder for all paths that lead to it.
    private struct FolderID: Hashable {
        let device: UInt
        let number: UInt
    }

    package init(_ folders: [String], languages: [String] = ["ko"]) {
        self.languages = languages
        for (place, folder) in folders.enumerated() {
            entered = []
            read(folder, place, prefix: "", depth: 0)
        }
    }

    /// The entries with the paths of their pictures, from the same folders; a name is left where no picture is found, and a
    /// hidden entry is never shown with one.
    package func withPictures(_ folders: [String], environment: [String: String]) -> [DesktopEntry] {
        let isOwn = folders.map { AppEntryFolders.isOwn($0, environment: environment) }
        let icons = IconFinder(
            data: zip(folders, isOwn).map { (ProgramName.folder($0), $1) },
            home: environment["HOME"]
        )
        return zip(entries, places).map { entry, place in
            guard let icon = entry.icon else { return entry }
            var entry = entry
            let picture = entry.isHidden ? nil : icons.path(of: icon, isOwn: isOwn[place])
            entry.icon = picture ?? (icon.contains("/") ? nil : icon)
            return entry
        }
    }

    /// A link may lead back to a folder above it, and hundreds to the same: each is entered once, and their number has a
    /// limit.
    private mutating func read(_ folder: String, _ place: Int, prefix: String, depth: Int) {
        var info = stat()
        guard depth < Self.depthMax, folders < Self.foldersMax, stat(folder, &info) == 0,
            entered.insert(FolderID(device: UInt(info.st_dev), number: UInt(info.st_ino))).inserted,
            let found = try? DirectoryTree.names(in: folder)
        else { return }
        folders += 1
        for name in found {
            guard names < Self.namesMax else {
                leftOut += 1
                continue
            }
            names += 1
            let path = "\(folder)/\(name)"
            var info = stat()
            guard stat(path, &info) == 0 else { continue }
            if info.st_mode & S_IFMT == S_IFDIR {
                read(path, place, prefix: "\(prefix)\(name)-", depth: depth + 1)
            } else if name.hasSuffix(Self.ending), info.st_mode & S_IFMT == S_IFREG {
                read(path, place, id: prefix + name.dropLast(Self.ending.count))
            }
        }
    }

    private mutating func read(_ path: String, _ place: Int, id: String) {
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
        guard let entry = DesktopEntry(id: id, content, languages: languages) else {
            broken += 1
            return
        }
        entries.append(entry)
        places.append(place)
    }
}

/// Where the freedesktop rules look for programs, the folder that goes before others first.
///
/// Here folders in the home folder come last: an entry that every app can write must not give a program of the system
/// another category or name, because rules would no longer match it.
package enum AppEntryFolders {
    /// `setting`: paths with colons between them, `none`, or nothing for where programs usually are.
    package static func list(_ setting: String, isVirtual: Bool, environment: [String: String]) -> [String] {
        if setting == "none" || setting.isEmpty && isVirtual { return [] }
        if !setting.isEmpty { return setting.split(separator: ":").map(String.init) }
        let home = home(environment)
        let own = paths(environment["XDG_DATA_HOME"]).first ?? home.map { $0 + "/.local/share" }
        let system = paths(environment["XDG_DATA_DIRS"])
        var folders = system.isEmpty ? ["/usr/local/share", "/usr/share"] : system
        // Some sessions leave these out of the variable.
        folders += ["/var/lib/flatpak/exports/share", "/var/lib/snapd/desktop"]
        let isOwn = { (folder: String) in home.map { folder.hasPrefix($0 + "/") } ?? false }
        folders = folders.filter { !isOwn($0) } + [own].compactMap(\.self) + folders.filter(isOwn)
        folders += [home.map { $0 + "/.local/share/flatpak/exports/share" }].compactMap(\.self)
        var seen: Set<String> = []
        return folders.map { "\($0)/applications" }.filter { seen.insert($0).inserted }
    }

    /// Where the programs of a folder come from.
    package static func origin(of folder: String, environment: [String: String]) -> AppOrigin {
        if folder.contains("/flatpak/exports/") { return .flatpak }
        if folder.contains("/snapd/desktop/") { return .snap }
        return isOwn(folder, environment: environment) ? .user : .system
    }

    /// Whether the person who sits here can write there.
    package static func isOwn(_ folder: String, environment: [String: String]) -> Bool {
        if let home = home(environment), folder.hasPrefix(home + "/") { return true }
        return paths(environment["XDG_DATA_HOME"]).first.map { folder.hasPrefix($0 + "/") } ?? false
    }

    private static func home(_ environment: [String: String]) -> String? {
        environment["HOME"].flatMap { $0.hasPrefix("/") && $0 != "/" ? $0 : nil }
    }

    /// Without relative paths, which the specification says to ignore.
    private static func paths(_ text: String?) -> [String] {
        (text ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }.map { path in
            path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        }
    }
}
