/// Where the freedesktop rules look for programs, the folder that goes before others first.
///
/// Here those in the home folder come last: an entry that anybody can write must not give a program of the system another
/// category, past the rules that name that.
enum DesktopFolders {
    /// `setting`: paths with colons between them, `none`, or nothing for where programs usually are.
    static func list(_ setting: String, isVirtual: Bool, environment: [String: String]) -> [String] {
        if setting == "none" || setting.isEmpty && isVirtual { return [] }
        if !setting.isEmpty { return setting.split(separator: ":").map(String.init) }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
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

    /// Relative ones are to be ignored.
    private static func paths(_ text: String?) -> [String] {
        (text ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }.map { path in
            path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        }
    }
}
