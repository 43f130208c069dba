import Glibc
package import STContracts
package import STDomain
import STPlatform

/// Reads all desktop entries of some folders.
package struct AppEntryReader: Sendable {
    /// Upper bound on entry files, for all folders together.
    package static let filesMax = 5_000
    private static let bytesMax = 64 * 1024 * 1024
    /// Upper bound on file names that are examined, of entries or not.
    private static let namesMax = 50_000
    private static let foldersMax = 200
    /// Upper bound on nested folders. A subfolder becomes a part of the ID: `kde/foo.desktop` is `kde-foo`.
    package static let depthMax = 4
    private static let ending = ".desktop"

    package private(set) var entries: [DesktopEntry] = []
    /// The index of each entry's folder.
    package private(set) var folderIndexes: [Int] = []
    /// The number of files that are not desktop entries or cannot be read.
    package private(set) var unreadableCount = 0
    /// The number of files that were not read because of the limits.
    package private(set) var omittedCount = 0
    private let languages: [String]
    private var files = 0
    private var bytes = 0
    private var names = 0
    private var folders = 0
    /// The subfolders that were entered in the current folder.
    private var entered: Set<FolderID> = []

    /// Identifies a folder regardless of the path that leads to it.
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

    /// Returns the entries with the paths of their pictures, from the same folders. If no picture is found, an icon name stays.
    /// Hidden entries get no picture, because they are never shown.
    package func withPictures(_ folders: [String], environment: [String: String]) -> [DesktopEntry] {
        let isOwn = folders.map { AppEntryFolders.isOwn($0, environment: environment) }
        let icons = IconFinder(
            data: zip(folders, isOwn).map { (ProgramName.folder($0), $1) },
            home: environment["HOME"]
        )
        return zip(entries, folderIndexes).map { entry, place in
            guard let icon = entry.icon else { return entry }
            var entry = entry
            let picture = entry.isHidden ? nil : icons.path(of: icon, isOwn: isOwn[place])
            entry.icon = picture ?? (icon.contains("/") ? nil : icon)
            return entry
        }
    }

    /// Reads a folder and its subfolders. Links can form cycles or lead to the same folder many times. So each folder is entered
    /// once, up to `foldersMax`.
    private mutating func read(_ folder: String, _ place: Int, prefix: String, depth: Int) {
        var info = stat()
        guard depth < Self.depthMax, folders < Self.foldersMax, stat(folder, &info) == 0,
            entered.insert(FolderID(device: UInt(info.st_dev), number: UInt(info.st_ino))).inserted,
            let found = try? DirectoryTree.names(in: folder)
        else { return }
        folders += 1
        for name in found {
            guard names < Self.namesMax else {
                omittedCount += 1
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
            omittedCount += 1
            return
        }
        files += 1
        guard let content = try? AtomicFile.read(path, limitBytes: DesktopEntry.bytesMax) else {
            unreadableCount += 1
            return
        }
        bytes += content.count
        guard let entry = DesktopEntry(id: id, content, languages: languages) else {
            unreadableCount += 1
            return
        }
        entries.append(entry)
        folderIndexes.append(place)
    }
}

/// The folders of desktop entries, in order of precedence.
///
/// Unlike in the freedesktop.org specification, folders in the home folder come last. Every app can write entries there. Such an
/// entry must not change the category or name of a system program, because rules would no longer match it.
package enum AppEntryFolders {
    /// Returns the folders. `setting` contains paths separated by colons, or `none`. If it is empty, the standard folders are used.
    package static func list(_ setting: String, isVirtual: Bool, environment: [String: String]) -> [String] {
        if setting == "none" || setting.isEmpty && isVirtual { return [] }
        if !setting.isEmpty { return setting.split(separator: ":").map(String.init) }
        let home = home(environment)
        let own = paths(environment["XDG_DATA_HOME"]).first ?? home.map { $0 + "/.local/share" }
        let system = paths(environment["XDG_DATA_DIRS"])
        var folders = system.isEmpty ? ["/usr/local/share", "/usr/share"] : system
        // Some sessions omit these folders from XDG_DATA_DIRS.
        folders += ["/var/lib/flatpak/exports/share", "/var/lib/snapd/desktop"]
        let isOwn = { (folder: String) in home.map { folder.hasPrefix($0 + "/") } ?? false }
        folders = folders.filter { !isOwn($0) } + [own].compactMap(\.self) + folders.filter(isOwn)
        folders += [home.map { $0 + "/.local/share/flatpak/exports/share" }].compactMap(\.self)
        var seen: Set<String> = []
        return folders.map { "\($0)/applications" }.filter { seen.insert($0).inserted }
    }

    /// Returns the origin of the apps in a folder.
    package static func origin(of folder: String, environment: [String: String]) -> AppOrigin {
        if folder.contains("/flatpak/exports/") { return .flatpak }
        if folder.contains("/snapd/desktop/") { return .snap }
        return isOwn(folder, environment: environment) ? .user : .system
    }

    /// Returns true if the folder is in the home folder or the user's data folder.
    package static func isOwn(_ folder: String, environment: [String: String]) -> Bool {
        if let home = home(environment), folder.hasPrefix(home + "/") { return true }
        return paths(environment["XDG_DATA_HOME"]).first.map { folder.hasPrefix($0 + "/") } ?? false
    }

    private static func home(_ environment: [String: String]) -> String? {
        environment["HOME"].flatMap { $0.hasPrefix("/") && $0 != "/" ? $0 : nil }
    }

    /// Splits a list of paths. Relative paths are ignored, as the specification requires.
    private static func paths(_ text: String?) -> [String] {
        (text ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }.map { path in
            path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        }
    }
}
