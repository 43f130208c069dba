import STCommandCore
import STContracts
import STDomain
import STPlatform
import STTestSupport
import Testing

@Suite("Choosing in the terminal: keys in, lines out")
struct PickerModelTests {
    static let apps = [
        PickApp(id: "firefox-esr", name: "Firefox", category: .utilities),
        PickApp(id: "minetest", name: "Minetest", category: .games),
        PickApp(id: "org.kde.kpat", name: "Patience", category: .games),
        PickApp(id: "org.gnome.Maps", name: "지도", category: .travel, origin: .flatpak),
        PickApp(id: "gimp", name: "김프 그림 편집기", category: .creativity),
    ]

    private let plain = Terminal(isTerminal: true, isColoured: false, columns: 100)

    private func model(
        _ selection: PickSelection = PickSelection(),
        language: DisplayLanguage = .english,
        columns: Int = 100,
        rows: Int = 30
    ) -> PickerModel {
        PickerModel(apps: Self.apps, selection: selection, language: language, columns: columns, rows: rows)
    }

    @discardableResult
    private func type(_ model: inout PickerModel, _ text: String) -> PickerModel.Outcome {
        for character in text { _ = model.handle(.text(character)) }
        return .continuing
    }

    private func lines(_ model: PickerModel) -> [String] { model.frame(plain).lines }

    @Test("The picker lists apps under categories with counts, and Space toggles the first app")
    func list() {
        var model = model()
        #expect(lines(model)[0].hasPrefix("[Apps 0]"))
        #expect(lines(model).contains("Games · 2"))
        #expect(lines(model).contains { $0.hasPrefix("> [ ] Minetest") && $0.hasSuffix("minetest") })
        _ = model.handle(.space)
        #expect(model.selection.apps == ["minetest"])
        #expect(lines(model).contains("Games · 2, 1 chosen") && lines(model)[0].hasPrefix("[Apps 1]"))
        _ = model.handle(.space)
        #expect(model.selection.apps.isEmpty)
    }

    @Test("The picker shows how many entries are hidden above and below, and no number if all fit")
    func hidden() {
        var model = model(rows: 12)
        #expect(lines(model).contains("  ↓ 4 more") && !lines(model).contains { $0.contains("↑") })
        _ = model.handle(.end)
        #expect(lines(model).contains("  ↑ 4 more") && !lines(model).contains { $0.contains("↓") })
        model.resize(columns: 100, rows: 40)
        #expect(!lines(model).contains { $0.contains("more") })
    }

    @Test("The cursor of the picker skips headings and stops at the first and last entry")
    func moving() {
        var model = model()
        for _ in 0..<20 { _ = model.handle(.down) }
        _ = model.handle(.space)
        #expect(model.selection.apps == ["org.gnome.Maps"])
        for _ in 0..<20 { _ = model.handle(.up) }
        _ = model.handle(.space)
        _ = model.handle(.end)
        _ = model.handle(.home)
        _ = model.handle(.down)
        _ = model.handle(.space)
        #expect(model.selection.apps == ["org.gnome.Maps", "minetest", "org.kde.kpat"])
    }

    @Test(
        "The picker finds names, ids and categories in any case, and Korean by first consonants",
        arguments: [
            ("FIRE", ["firefox-esr"]), ("esr", ["firefox-esr"]), ("지도", ["org.gnome.Maps"]),
            ("ㅈㄷ", ["org.gnome.Maps"]), ("김프그림", ["gimp"]), ("ㄱㅍ그", ["gimp"]),
            ("games", ["minetest", "org.kde.kpat"]),
            ("e", ["firefox-esr", "minetest", "org.kde.kpat", "org.gnome.Maps"]),
            ("nothing", []),
        ]
    )
    func searching(text: String, found: [String]) {
        var model = model()
        type(&model, text)
        for id in Self.apps.map(\.id) {
            #expect(
                lines(model).contains { $0.contains("[ ]") && $0.hasSuffix(id) } == found.contains(id),
                "\(id)"
            )
        }
        if found.isEmpty {
            #expect(lines(model).contains { $0.contains("Nothing matches “nothing”.") })
        }
        _ = model.handle(.clear)
        #expect(lines(model).filter { $0.contains("[ ]") }.count == Self.apps.count)
    }

    @Test("Backspace in the picker removes one syllable, and the cursor is placed after the search text")
    func editing() {
        var model = model(language: .korean)
        type(&model, "지도")
        #expect(model.search == "지도")
        #expect(model.frame(plain).cursorColumn == DisplayWidth.columns("검색: 지도"))
        _ = model.handle(.backspace)
        #expect(model.search == "지")
        for _ in 0..<300 { _ = model.handle(.text("x")) }
        #expect(model.search.count <= 100)
        #expect(model.frame(plain).cursorColumn < 100)
    }

    @Test("A category in the picker lists its apps, expands, and marks its apps as covered when it is chosen")
    func categories() {
        var model = model()
        _ = model.handle(.tab)
        #expect(lines(model)[0].contains("[Categories 0]"))
        _ = model.handle(.down)
        #expect(lines(model).contains("Includes 2 apps: Minetest, Patience"))
        _ = model.handle(.space)
        _ = model.handle(.right)
        #expect(model.selection.categories == ["games"])
        #expect(lines(model).contains { $0.contains("[~] Minetest") })
        _ = model.handle(.down)
        _ = model.handle(.space)
        #expect(model.selection.apps == ["minetest"])
        #expect(lines(model).contains { $0.hasPrefix(">   [x] Minetest") })
        _ = model.handle(.left)
        #expect(!lines(model).contains { $0.contains("Minetest ") })
        #expect(lines(model).contains { $0.hasPrefix("> [x] Games · 2 apps") })
        _ = model.handle(.backTab)
        #expect(lines(model).contains { $0.contains("[~] Patience") })
        #expect(lines(model).contains { $0.contains("Covered already") } == false || model.tab == .apps)
    }

    @Test("A full list in the picker rejects another entry with a message, and other lists accept entries")
    func full() {
        let many = Set((1...PickFile.itemsMax).map { "org.example.app\($0)" })
        var selection = PickSelection()
        selection.apps = many
        selection.sites = many
        var model = model(selection)
        _ = model.handle(.space)
        #expect(model.selection.apps == many && model.message != nil)
        _ = model.handle(.end)
        _ = model.handle(.space)
        #expect(model.selection.apps.count == PickFile.itemsMax - 1 && model.message == nil)
        _ = model.handle(.home)
        _ = model.handle(.space)
        #expect(model.selection.apps.contains("minetest") && model.message == nil)
        _ = model.handle(.backTab)
        type(&model, "reddit.com")
        #expect(model.handle(.enter) == .continuing)
        #expect(model.selection.sites == many && model.message != nil && model.search == "reddit.com")
        _ = model.handle(.tab)
        _ = model.handle(.tab)
        _ = model.handle(.space)
        #expect(model.selection.categories.count == 1)
    }

    @Test("Enter in the picker adds a typed site if it is valid, and saves the selection if no text is typed")
    func sites() {
        var model = model()
        _ = model.handle(.backTab)
        #expect(model.tab == .sites)
        type(&model, "https://")
        #expect(model.handle(.enter) == .continuing)
        #expect(model.selection.sites.isEmpty && model.message != nil)
        _ = model.handle(.clear)
        #expect(model.message == nil)
        type(&model, "Reddit.com")
        #expect(lines(model).contains { $0.hasPrefix("> [+] reddit.com") })
        #expect(model.handle(.enter) == .continuing)
        #expect(model.selection.sites == ["reddit.com"] && model.search.isEmpty)
        #expect(lines(model).contains("> [x] reddit.com"))
        type(&model, "example.org")
        _ = model.handle(.space)
        _ = model.handle(.space)
        // Taken out again, and still there to be put back.
        #expect(model.selection.sites == ["reddit.com"])
        #expect(lines(model).contains("> [ ] example.org"))
        #expect(model.handle(.enter) == .saved)
    }

    @Test("The picker marks a chosen app that is no longer installed, and keeps it until a person removes it")
    func gone() {
        var selection = PickSelection()
        selection.apps = ["org.gone.App", "gimp"]
        selection.categories = ["later"]
        selection.sites = ["reddit.com"]
        var model = model(selection)
        #expect(lines(model).contains("No longer installed · 1, 1 chosen"))
        _ = model.handle(.end)
        #expect(lines(model).contains { $0.contains("org.gone.App is no longer installed") })
        _ = model.handle(.tab)
        _ = model.handle(.end)
        #expect(lines(model).contains("> [x] later"))
        #expect(model.handle(.enter) == .saved && model.selection == selection)
        _ = model.handle(.backTab)
        _ = model.handle(.end)
        _ = model.handle(.space)
        #expect(model.selection.apps == ["gimp"])
    }

    @Test("Escape and Ctrl-C cancel the picker", arguments: [PickKey.escape, .interrupt])
    func leaving(key: PickKey) {
        var model = model()
        #expect(model.handle(key) == .cancelled)
    }

    @Test("Picker lines fit into the window in both languages after random keys and sizes", arguments: 0..<30)
    func fits(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var selection = PickSelection()
        selection.apps = ["org.gone.\u{1B}[2J앱", "firefox-esr"]
        var model = model(selection, language: seed % 2 == 0 ? .english : .korean)
        let keys: [PickKey] = [
            .space, .enter, .tab, .backTab, .up, .down, .left, .right, .pageUp, .pageDown, .home, .end,
            .backspace,
            .clear, .text("a"), .text("ㅈ"), .text("도"), .text("."), .text("🙂"), .text("x"),
        ]
        for _ in 0..<300 {
            _ = model.handle(keys[Int(random.next() % UInt64(keys.count))])
            if random.next() % 10 == 0 {
                model.resize(columns: Int(random.next() % 120) + 12, rows: Int(random.next() % 40) + 1)
            }
            let frame = model.frame(plain)
            for line in frame.lines {
                #expect(DisplayWidth.columns(line) < max(12, model.columns), "\(line)")
                #expect(line == DisplayWidth.sanitized(line))
            }
            #expect(frame.lines.count <= max(7, model.height), "\(model.height)")
            #expect(frame.cursorLine < frame.lines.count && frame.cursorColumn < max(12, model.columns))
        }
    }

    @Test("The picker adds colour only if it is enabled, and its text is the same without colour")
    func colour() {
        var coloured = plain
        coloured.isColoured = true
        let model = model()
        let bare = model.frame(coloured).lines.map { $0.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") }
        #expect(bare == lines(model))
        #expect(!lines(model).joined().contains("\u{1B}"))
        #expect(model.frame(coloured).lines.joined().contains("\u{1B}["))
    }

    // MARK: - Keys

    @Test(
        "Terminal bytes are decoded to the same keys when they arrive together or one by one",
        arguments: [
            ("\u{1B}[A", [PickKey.up]), ("\u{1B}OB", [.down]), ("\u{1B}[1;5C", [.right]),
            ("\u{1B}[5~", [.pageUp]),
            ("\u{1B}[Z\t \r", [.backTab, .tab, .space, .enter]), ("가a", [.text("가"), .text("a")]),
            ("\u{7F}\u{8}\u{15}\u{3}", [.backspace, .backspace, .clear, .interrupt]),
            ("\u{1B}[200~x", [.text("x")]),
            ("\u{1B}x", [.escape, .text("x")]), ("\u{202E}\u{1}\u{0}", [.home]),
        ]
    )
    func keys(bytes: String, keys: [PickKey]) {
        var whole = PickKeyReader()
        #expect(whole.decode(Array(bytes.utf8)) == keys)
        var parts = PickKeyReader()
        #expect(bytes.utf8.flatMap { parts.decode([$0]) } == keys)
        #expect(!parts.isWaiting)
    }

    @Test("A single escape byte becomes Escape after a flush, and an incomplete character is discarded")
    func settling() {
        var reader = PickKeyReader()
        #expect(reader.decode([0x1B]) == [] && reader.isWaiting)
        #expect(reader.flush() == [.escape] && !reader.isWaiting)
        #expect(reader.decode([0xEA, 0xB0]) == [] && reader.flush() == [])
        #expect(reader.decode([0xEA, UInt8(ascii: "a"), 0xFF, 0x80]) == [.text("a")])
    }
}
