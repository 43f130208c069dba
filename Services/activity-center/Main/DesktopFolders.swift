/// Where the freedesktop rules look for programs, the folder that goes before others first.
enum DesktopFolders {
    /// `setting`: paths with colons between them, `none`, or nothing for where programs usually are.
    static func list(_ setting: String, isVirtual: Bool, environment: [String: String]) -> [String] {
        if setting == "none" || setting.isEmpty && isVirtual { return [] }
        if !setting.isEmpty { return setting.split(separator: ":").map(String.init) }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let own = paths(environment["XDG_DATA_HOME"]).first ?? home.map { $0 + "/.local/share" }
        let system = paths(environment["XDG_DATA_DIRS"])
        var folders = [own].compactMap(\.self)
        folders += system.isEmpty ? ["/usr/local/share", "/usr/share"] : system
        // Some sessions leave these out of the variable.
        folders += [home.map { $0 + "/.local/share/flatpak/exports/share" }].compactMap(\.self)
        folders += ["/var/lib/flatpak/exports/share", "/var/lib/snapd/desktop"]
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
