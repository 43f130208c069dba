import STDesktop
import STPlatform
import STTestSupport

/// Folders with programs, as a computer has them: a system's, Flatpak's, snap's and a home.
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

    /// `more`: lines, or a shorthand for `Exec` alone.
    func system(_ id: String, _ exec: String, _ more: String...) throws {
        try put("usr/share", id, exec, more)
    }

    func own(_ id: String, _ exec: String, _ more: String...) throws {
        try put("home/.local/share", id, exec, more)
    }

    func flatpak(_ id: String, _ more: String...) throws {
        let exec = "/usr/bin/flatpak run --branch=stable --command=x \(id) @@u %u @@"
        try put("var/lib/flatpak/exports/share", id, exec, more + ["X-Flatpak=\(id)"])
    }

    func snap(_ id: String, _ name: String, _ more: String...) throws {
        let exec = "env BAMF_DESKTOP_FILE_HINT=/x /snap/bin/\(name) %U"
        try put("var/lib/snapd/desktop", id, exec, more + ["X-SnapInstanceName=\(name)"])
    }

    func file(_ path: String, _ text: String = "x", mode: UInt32 = 0o644) throws {
        let full = scratch.file(path)
        if let slash = full.lastIndex(of: "/") { try Directories.prepare(String(full[..<slash])) }
        try AtomicFile.write(Array(text.utf8), to: full, mode: mode, durable: false)
    }

    private func put(_ folder: String, _ id: String, _ exec: String, _ more: [String]) throws {
        var lines = ["[Desktop Entry]", "Type=Application"]
        if !more.contains(where: { $0.hasPrefix("Name=") }) { lines.append("Name=The \(id)") }
        lines += ["Exec=\(exec)"] + more
        try file("\(folder)/applications/\(id).desktop", lines.joined(separator: "\n"))
    }
}
