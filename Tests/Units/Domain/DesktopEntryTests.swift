import STDomain
import STPlatform
import STTestSupport
import Testing

@Suite("Desktop entries")
struct DesktopEntryTests {
    private static let entry = """
        # A comment
        [Desktop Entry]
        Type=Application
        Name=Text Pad
        Name[ko] = 글상자
        Name[de]=Schreibblock
        Icon=org.example.pad
        Categories=GTK;Utility;TextEditor;
        StartupWMClass=Pad
        NoDisplay=true
        Name=Another

        [Desktop Action new]
        Name=New window
        Type=Link
        """

    private func read(_ text: String, id: String = "org.example.pad") -> DesktopEntry? {
        DesktopEntry(id: id, Array(text.utf8))
    }

    @Test("A desktop entry reads only its own group and the supported languages")
    func own() throws {
        let entry = try #require(read(Self.entry))

        #expect(entry.name == "Text Pad" && entry.names == ["ko": "글상자"])
        #expect(entry.icon == "org.example.pad" && entry.windowClass == "Pad")
        #expect(entry.categories == ["GTK", "Utility", "TextEditor"])
        #expect(entry.isHidden && !entry.isDeleted)
    }

    @Test("A name is read with its escapes resolved and without control characters")
    func escapes() {
        let text = "[Desktop Entry]\nType=Application\nName=A\\sB\\\\C\u{1B}[31m\\n\n"

        #expect(read(text)?.name == "A B\\C[31m ")
    }

    @Test(
        "A desktop entry that is broken or not an application is rejected",
        arguments: [
            "", "Name=A\nType=Application", "[Desktop Entry]\nType=Link\nName=A",
            "[Desktop Entry]\nType=Application", "[Desktop Entry]\nType=Application\nName=  ",
            "[Desktop Entry]\nType=Application\nName=" + String(repeating: "가", count: 100),
            "[Other]\n[Desktop Entry\nType=Application\nName=A",
        ]
    )
    func broken(text: String) {
        #expect(read(text) == nil)
    }

    @Test("Desktop entries with bytes that are not text, an empty id or over 1 MB are rejected")
    func bytes() {
        let good = Array(Self.entry.utf8)
        #expect(DesktopEntry(id: "a", [0xFF, 0xFE] + good) == nil)
        #expect(DesktopEntry(id: "", good) == nil)
        #expect(DesktopEntry(id: "a", good + [UInt8](repeating: 10, count: 1 << 20)) == nil)
    }

    @Test("Reading a desktop entry with random bytes ends, with a name within the limit", arguments: 0..<200)
    func anything(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let good = Array(Self.entry.utf8)
        var bytes = good
        for _ in 0..<20 { bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() % 256) }
        let entry = DesktopEntry(id: "a", bytes)
        #expect(entry.map { $0.name.utf8.count <= DesktopEntry.textBytesMax } ?? true)
    }

    @Test(
        "Categories of the desktop menu map to Screen Time's categories",
        arguments: [
            ("Game;BoardGame;", Category.games), ("Network;FileTransfer;Game;", .games),
            ("Network;InstantMessaging;", .social), ("Audio;Music;Player;AudioVideo;", .entertainment),
            ("AudioVideo;Audio;AudioVideoEditing;", .creativity), ("Graphics;", .creativity),
            ("Graphics;Viewer;", .utilities), ("Office;Viewer;Graphics;", .informationReading),
            ("Office;Spreadsheet;", .productivity), ("Utility;TextEditor;", .productivity),
            ("Development;", .productivity), ("Education;Math;", .education), ("Science;", .education),
            ("Network;News;Feed;", .informationReading), ("Education;Geography;Maps;", .travel),
            ("Network;WebBrowser;", .utilities), ("System;Emulator;", .utilities),
            ("Sports;", .healthFitness),
            ("Network;", .utilities),
        ]
    )
    func categories(text: String, category: Category) {
        #expect(DesktopCategories.category(of: text.split(separator: ";").map(String.init)) == category)
    }

    @Test("Unknown desktop categories map to none")
    func unknownCategories() {
        #expect(DesktopCategories.category(of: ["X-Own", "GTK", ""]) == nil)
        #expect(DesktopCategories.category(of: []) == nil)
    }

    private func program(_ id: String, _ more: String) throws -> DesktopEntry {
        try #require(read("[Desktop Entry]\nType=Application\nName=\(id)\n\(more)", id: id))
    }

    @Test("The first desktop entry of an id wins, even if deleted, and a window class finds its app")
    func apps() throws {
        let apps = try DesktopApps([
            program("org.example.A", "Categories=Game;\nStartupWMClass=Aye"),
            program("org.example.B", "Hidden=true"),
            program("org.example.A", "Categories=Office;"), program("org.example.B", "Categories=Office;"),
            program("helper", "NoDisplay=true\nStartupWMClass=Shown\nCategories=System;"),
            program("shown.real", "StartupWMClass=Shown\nCategories=Education;"),
        ])

        #expect(apps["org.example.a.desktop"]?.category == .games)
        #expect(apps["aye"]?.name == "org.example.A")
        #expect(apps["org.example.B"] == nil)
        #expect(apps["Shown"]?.category == .education)
    }

    @Test(
        "An app's category comes from a person, else the built-in list, else the desktop entry, else the default"
    )
    func order() throws {
        var map = CategoryMap()
        map.desktop = try DesktopApps([
            program("firefox", "Categories=Game;"), program("org.example.pad", "Categories=Office;"),
            program("silent", ""), program("steam_app_1", "Categories=Education;"),
        ])

        #expect(map.category(ofApp: "firefox") == .utilities)
        #expect(map.category(ofApp: "org.example.pad") == .productivity)
        #expect(map.category(ofApp: "silent") == .other)
        #expect(map.category(ofApp: "steam_app_1") == .education)
        map.set(app: "org.example.pad", .travel)
        #expect(map.find(app: "org.example.pad")?.source == .person)
        map.set(app: "org.example.pad", nil)
        #expect(map.find(app: "org.example.pad")?.source == .desktop)
    }
}
