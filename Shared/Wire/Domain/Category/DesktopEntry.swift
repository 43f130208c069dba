/// What a file of the freedesktop menu says of one program.
package struct DesktopEntry: Sendable, Equatable {
    /// The name of its file without the ending, which is what most desktops call the program.
    package var id: String
    package var name: String
    /// In other languages, by the language that was asked for.
    package var names: [String: String]
    /// The name of an icon, or the path of a picture.
    package var icon: String?
    package var categories: [String]
    /// What its windows are called, where that is something else.
    package var windowClass: String?
    /// Menus leave it out; it may be in front all the same.
    package var isHidden: Bool
    /// It stands for a program that was taken away.
    package var isDeleted: Bool
    /// What it starts.
    package var command: DesktopCommand?
    /// The id under which Flatpak knows it.
    package var flatpak: String?
    /// The snap that it belongs to.
    package var snap: String?

    /// LibreOffice, with all its languages, has some 60 KiB.
    package static let bytesMax = 256 * 1024
    package static let textBytesMax = 256
    private static let categoriesMax = 40

    /// Nil for what is no program: a link, a folder, a broken file.
    ///
    /// Names are kept in its own language and in those of `languages`, such as `ko` or `pt_BR`; there are often a hundred.
    package init?(id: String, _ bytes: [UInt8], languages: [String] = ["ko"]) {
        guard !id.isEmpty, id.utf8.count <= Self.textBytesMax, bytes.count <= Self.bytesMax,
            DesktopText.isHarmless(id)
        else { return nil }
        let spellings = languages.map { ($0, Self.spellings(of: $0)) }
        guard let lines = DesktopEntryLines(bytes, names: spellings.flatMap(\.1)) else { return nil }
        guard lines["Type"] == "Application", let name = lines["Name"].flatMap(DesktopText.plain) else {
            return nil
        }
        self.id = id
        self.name = name
        names = [:]
        for (language, spellings) in spellings {
            let text = spellings.lazy.compactMap { lines["Name[\($0)]"] }.first
            names[language] = text.flatMap(DesktopText.plain)
        }
        icon = lines["Icon"].flatMap(DesktopText.plain)
        categories = (lines["Categories"] ?? "").split(separator: ";").prefix(Self.categoriesMax).map(
            String.init
        )
        windowClass = lines["StartupWMClass"].flatMap(DesktopText.plain)
        isHidden = lines["NoDisplay"] == "true"
        isDeleted = lines["Hidden"] == "true"
        command = lines["Exec"].flatMap(DesktopCommand.init) ?? lines["TryExec"].flatMap(DesktopCommand.init)
        flatpak = lines["X-Flatpak"].flatMap(DesktopText.plain)
        snap = lines["X-SnapInstanceName"].flatMap(DesktopText.plain)
    }

    /// How a file may spell a language, the most particular first: `ca_ES@valencia` may stand there as `ca`, too.
    package static func spellings(of language: String) -> [String] {
        let language = language.prefix(35)
        let main = language.prefix { $0 != "@" }.prefix { $0 != "." }.map { $0 == "-" ? "_" : $0 }
        let locale = String(main)
        let modifier = language.firstIndex(of: "@").map { String(language[$0...]) }
        let short = locale.prefix { $0 != "_" }
        var spellings: [String] = []
        if let modifier { spellings.append(locale + modifier) }
        spellings.append(locale)
        if let modifier { spellings.append(short + modifier) }
        spellings.append(String(short))
        var seen: Set<String> = []
        return spellings.filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
