import STDesktop
import STPlatform
import STTestSupport

/// Folders with programs as on a computer: the system's, Flatpak's, snap's and a home.
final class AppShelf {
    let scratch: ScratchDirectory
    let home: String

    init() throws {
        scratch = try ScratchDirectory()
        home = scratch.file("home")
        for folder in ["usr/share", "home/.local/share"] {
            try Directories.prepare(scratch.file("\(folder)/applications"))
        }
    }

    var environment: [String: String] {
        ["HOME": home, "XDG_DATA_DIRS": scratch.file("usr/share"), "PATH": scratch.file("usr/bin")]
    }

    var folders: [String] {
        [
            scratch.file("usr/share/applications"),
            scratch.file("var/lib/flatpak/exports/share/applications"),
            scratch.file("var/lib/snapd/desktop/applications"),
            scratch.file("home/.local/share/applications"),
        ]
    }

    func read(_ languages: [String] = ["ko"]) -> AppCatalogue {
        AppCatalogue.read(folders, languages: languages, environment: environment)
    }

    /// `more` are further lines, or a shorthand for only `Exec`.
    func system(id: String, exec: String, more: String...) throws {
        try put("usr/share", id: id, exec: exec, more: more)
    }

    func own(id: String, exec: String, more: String...) throws {
        try put("home/.local/share", id: id, exec: exec, more: more)
    }

    func flatpak(_ id: String, _ more: String...) throws {
        let exec = "/usr/bin/flatpak run --branch=stable --command=x \(id) @@u %u @@"
        try put("var/lib/flatpak/exports/share", id: id, exec: exec, more: more + ["X-Flatpak=\(id)"])
    }

    func snap(id: String, name: String, more: String...) throws {
        let exec = "env BAMF_DESKTOP_FILE_HINT=/x /snap/bin/\(name) %U"
        try put("var/lib/snapd/desktop", id: id, exec: exec, more: more + ["X-SnapInstanceName=\(name)"])
    }

    func file(_ path: String, _ text: String = "x", mode: UInt32 = 0o644) throws {
        let full = scratch.file(path)
        if let slash = full.lastIndex(of: "/") { try Directories.prepare(String(full[..<slash])) }
        try AtomicFile.write(Array(text.utf8), to: full, mode: mode, durable: false)
    }

    private func put(_ folder: String, id: String, exec: String, more: [String]) throws {
        var lines = ["[Desktop Entry]", "Type=Application"]
        if !more.contains(where: { $0.hasPrefix("Name=") }) { lines.append("Name=The \(id)") }
        lines += ["Exec=\(exec)"] + more
        try file("\(folder)/applications/\(id).desktop", lines.joined(separator: "\n"))
    }
}
