package import STContracts

/// Where the freedesktop rules look for programs, the folder that goes before others first.
///
/// Here those in the home folder come last: an entry that anybody can write must not give a program of the system another
/// category or another name, past the rules that name that.
package enum DesktopFolders {
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

    /// Whose programs a folder has.
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

    /// Relative ones are to be ignored.
    private static func paths(_ text: String?) -> [String] {
        (text ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }.map { path in
            path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        }
    }
}
