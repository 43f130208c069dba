import STContracts
package import STDomain
package import STPlatform

/// The state of a selection of apps, categories and sites. It receives keys and returns frames of lines, without side effects.
package struct PickerModel: Sendable {
    package enum Tab: Int, CaseIterable, Sendable {
        case apps
        case categories
        case sites
    }

    package enum Outcome: Sendable, Equatable {
        case continuing
        case saved
        case cancelled
    }

    enum Row: Equatable {
        /// A heading. The category is `nil` above apps that are no longer installed.
        case heading(Category?, all: Int, chosen: Int)
        case app(Int)
        case category(Category)
        /// A category that was chosen earlier and is unknown on this computer.
        case otherCategory(String)
        case newSite(String)
        case site(String)
    }

    private static let searchMax = 100

    package private(set) var selection: PickSelection
    package private(set) var tab = Tab.apps
    package private(set) var search = ""
    let apps: [PickApp]
    let language: DisplayLanguage
    let map: CategoryMap
    /// A message in place of the row's details, until the next key.
    package private(set) var message: String?
    private(set) var rows: [Row] = []
    private(set) var cursor = 0
    private(set) var top = 0
    package private(set) var columns: Int
    package private(set) var height: Int
    private var open: Set<Category> = []
    /// The sites in the list, including those that are no longer chosen.
    private var sites: [String]
    private let otherCategories: [String]

    /// Creates the list. Chosen apps that are not among `apps` stay chosen, and are shown as not installed.
    package init(
        apps: [PickApp],
        selection: PickSelection,
        language: DisplayLanguage,
        map: CategoryMap = CategoryMap(),
        columns: Int,
        rows: Int
    ) {
        let known = Set(apps.map(\.id))
        let gone = selection.apps.subtracting(known).sorted().map { id in
            PickApp(id: id, name: id, category: map.category(ofApp: id), origin: .unknown, isInstalled: false)
        }
        self.apps = apps.sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) } + gone
        self.selection = selection
        self.language = language
        self.map = map
        self.columns = columns
        height = rows
        sites = selection.sites.sorted()
        let categories = Set(Category.allCases.map(\.rawValue))
        otherCategories = selection.categories.subtracting(categories).sorted()
        refresh()
    }

    package mutating func resize(columns: Int, rows: Int) {
        self.columns = columns
        height = rows
        scroll()
    }

    package mutating func handle(_ key: PickKey) -> Outcome {
        message = nil
        switch key {
        case .escape, .interrupt: return .cancelled
        case .enter:
            guard tab == .sites, !search.isEmpty else { return .saved }
            addSite()
        case .space: toggle()
        case .tab: switchTab(by: 1)
        case .backTab: switchTab(by: Tab.allCases.count - 1)
        case .up: move(-1)
        case .down: move(1)
        case .pageUp: move(-max(1, listRows - 1))
        case .pageDown: move(max(1, listRows - 1))
        case .home: move(-rows.count)
        case .end: move(rows.count)
        case .right, .left: setExpanded(opens: key == .right)
        case .text(let character):
            guard search.count < Self.searchMax else { break }
            search.append(character)
            refresh()
        case .backspace:
            guard !search.isEmpty else { break }
            search.removeLast()
            refresh()
        case .clear:
            search = ""
            refresh()
        }
        return .continuing
    }

    // MARK: - Contents of the list

    var current: Row? { rows.indices.contains(cursor) ? rows[cursor] : nil }

    func isOpen(_ category: Category) -> Bool { open.contains(category) }

    /// Returns the installed apps of a category.
    func covered(_ category: Category) -> [Int] {
        apps.indices.filter { apps[$0].category == category && apps[$0].isInstalled }
    }

    func isCovered(_ app: PickApp) -> Bool { selection.categories.contains(app.category.rawValue) }

    /// Creates the rows again. The cursor stays on its row if that row still exists.
    private mutating func refresh() {
        let before = current
        switch tab {
        case .apps: rows = appRows()
        case .categories: rows = categoryRows()
        case .sites: rows = siteRows()
        }
        cursor = before.flatMap { row in rows.firstIndex { Self.isSame($0, row) } } ?? 0
        if !isChoosable(cursor) { cursor = rows.indices.first(where: isChoosable) ?? 0 }
        scroll()
    }

    private static func isSame(_ one: Row, _ other: Row) -> Bool {
        if case .heading(let one, _, _) = one, case .heading(let other, _, _) = other { return one == other }
        return one == other
    }

    private func isChoosable(_ place: Int) -> Bool {
        guard rows.indices.contains(place) else { return false }
        if case .heading = rows[place] { return false }
        return true
    }

    private func appRows() -> [Row] {
        // `games` finds all apps of that category. One or two letters would find too many.
        let categories = search.utf8.count < 3 ? [] : Set(Category.allCases.filter(isSought))
        let found = apps.indices.filter {
            PickSearch.matches(apps[$0].searchKey, search) || categories.contains(apps[$0].category)
        }
        var rows: [Row] = []
        let add = { (category: Category?, places: [Int], rows: inout [Row]) in
            guard !places.isEmpty else { return }
            let chosen = places.count { selection.apps.contains(apps[$0].id) }
            rows.append(.heading(category, all: places.count, chosen: chosen))
            rows += places.map { .app($0) }
        }
        for category in Category.allCases {
            add(category, found.filter { apps[$0].isInstalled && apps[$0].category == category }, &rows)
        }
        add(nil, found.filter { !apps[$0].isInstalled }, &rows)
        return rows
    }

    private func isSought(_ category: Category) -> Bool {
        let names = [category.rawValue, category.name(), category.name(language: language.code)]
        return PickSearch.matches(names.map(PickSearch.key).joined(separator: "\n"), search)
    }

    private func categoryRows() -> [Row] {
        var rows: [Row] = []
        for category in Category.allCases {
            guard isSought(category) else { continue }
            rows.append(.category(category))
            if open.contains(category) { rows += covered(category).map { .app($0) } }
        }
        return rows + otherCategories.filter { PickSearch.matches($0, search) }.map { .otherCategory($0) }
    }

    private func siteRows() -> [Row] {
        let found = sites.filter { PickSearch.matches($0, search) }.map { Row.site($0) }
        guard let site = DomainName.canonical(search), !sites.contains(site) else { return found }
        return [.newSite(site)] + found
    }

    // MARK: - Keys

    private mutating func switchTab(by count: Int) {
        tab = Tab.allCases[(tab.rawValue + count) % Tab.allCases.count]
        search = ""
        rows = []
        top = 0
        refresh()
    }

    /// Moves the cursor past headings, and stops at the ends of the list.
    private mutating func move(_ by: Int) {
        let places = rows.indices.filter(isChoosable)
        guard let at = places.firstIndex(of: cursor) else { return }
        cursor = places[min(max(0, at + by), places.count - 1)]
        scroll()
    }

    private mutating func setExpanded(opens: Bool) {
        switch current {
        case .category(let category):
            if opens { open.insert(category) } else { open.remove(category) }
        case .app(let place) where tab == .categories && !opens:
            open.remove(apps[place].category)
            cursor = rows.firstIndex(of: .category(apps[place].category)) ?? 0
        default: return
        }
        refresh()
    }

    private mutating func toggle() {
        switch current {
        case .app(let place): toggle(apps[place].id, in: \.apps)
        case .category(let category): toggle(category.rawValue, in: \.categories)
        case .otherCategory(let name): toggle(name, in: \.categories)
        case .newSite: addSite()
        case .site(let site): toggle(site, in: \.sites)
        case .heading, nil: if tab == .sites, !search.isEmpty { addSite() }
        }
        refresh()
    }

    private mutating func toggle(_ id: String, in list: WritableKeyPath<PickSelection, Set<String>>) {
        guard selection[keyPath: list].remove(id) == nil, hasRoom(in: list) else { return }
        selection[keyPath: list].insert(id)
    }

    /// Returns false and sets a message if a list is full. At saving, the message would be too late.
    private mutating func hasRoom(in list: KeyPath<PickSelection, Set<String>>) -> Bool {
        guard selection[keyPath: list].count >= PickFile.itemsMax else { return true }
        message = PickStrings(language: language).full
        return false
    }

    private mutating func addSite() {
        do {
            let site = try DomainName.checked(search, field: "")
            guard selection.sites.contains(site) || hasRoom(in: \.sites) else { return }
            selection.sites.insert(site)
            if !sites.contains(site) { sites = (sites + [site]).sorted() }
            search = ""
            refresh()
            cursor = rows.firstIndex(of: .site(site)) ?? 0
            scroll()
        } catch {
            message = ProblemText.problem(error).message
        }
    }

    /// Scrolls so that the cursor is visible, and the heading above it if there is room.
    private mutating func scroll() {
        let room = listRows
        if cursor < top { top = cursor }
        if cursor >= top + room { top = cursor - room + 1 }
        if top > 0, cursor == top, !isChoosable(cursor - 1), room > 1 { top -= 1 }
        top = max(0, min(top, rows.count - room))
    }

    /// The lines to show, and the position of the terminal's cursor, where input methods show their text.
    package struct Frame: Sendable, Equatable {
        package var lines: [String]
        package var cursorLine: Int
        package var cursorColumn: Int
    }

    private static let namesMax = 32

    private var strings: PickStrings { PickStrings(language: language) }
    /// The last column stays empty, because some terminals continue on the next line after it.
    private var width: Int { max(10, columns - 1) }
    private var detailRows: Int { height >= 14 ? 3 : height >= 8 ? 1 : 0 }

    /// The number of visible rows of the list.
    var listRows: Int { max(1, height - 6 - detailRows) }

    package func frame(_ terminal: Terminal) -> Frame {
        let label = tab == .sites ? strings.site : strings.search
        let room = max(1, width - DisplayWidth.columns(label) - 1)
        let shown = Self.tail(search, room)
        let hidden = (above: top, below: max(0, rows.count - top - listRows))
        var lines = [tabs(terminal), label + shown, more("↑", count: hidden.above, terminal: terminal)]
        lines += list(terminal) + [more("↓", count: hidden.below, terminal: terminal)]
        // No colours here, because yellow and cyan are hard to read on a light terminal.
        lines += details().map {
            terminal.styled(DisplayWidth.truncated($0, width), message == nil ? .dim : .bold)
        }
        lines.append(terminal.styled(DisplayWidth.truncated(hint, width), .dim))
        return Frame(
            lines: lines,
            cursorLine: 1,
            cursorColumn: DisplayWidth.columns(label) + DisplayWidth.columns(shown)
        )
    }

    // MARK: - Above and below the list

    /// Returns a line that shows how many more rows there are.
    private func more(_ arrow: String, count: Int, terminal: Terminal) -> String {
        count > 0
            ? terminal.styled(DisplayWidth.truncated("  \(arrow) \(strings.more(count))", width), .dim) : ""
    }

    private func tabs(_ terminal: Terminal) -> String {
        let counts = [selection.apps.count, selection.categories.count, selection.sites.count]
        let names = [strings.apps, strings.categories, strings.sites]
        let plain = zip(names, counts).map { "\($0) \($1)" }
        let isNarrow = plain.reduce(8) { $0 + DisplayWidth.columns($1) } > width
        let parts = Tab.allCases.map { tab in
            let text =
                isNarrow ? DisplayWidth.truncated(plain[tab.rawValue], (width - 8) / 3) : plain[tab.rawValue]
            return tab == self.tab ? terminal.styled("[\(text)]", .bold) : terminal.styled(" \(text) ", .dim)
        }
        return parts.joined(separator: isNarrow ? "" : " ")
    }

    /// The longest hint that fits.
    private var hint: String {
        let hints = strings.hints(tab, adds: tab == .sites && !search.isEmpty)
        return hints.first { DisplayWidth.columns($0) <= width } ?? hints.last ?? ""
    }

    private func details() -> [String] {
        let room = detailRows
        guard room > 0 else { return [] }
        var lines = detail().flatMap { TextWrap.lines(DisplayWidth.sanitized($0), columns: width) }
        if lines.count > room {
            lines = Array(lines.prefix(room))
            lines[room - 1] = DisplayWidth.truncated(lines[room - 1] + " …", width)
        }
        return lines
    }

    private func detail() -> [String] {
        if let message { return [message] }
        switch current {
        case .app(let place): return appDetail(apps[place])
        case .category(let category): return [covers(category)]
        case .otherCategory(let name): return [strings.unknownCategory(name)]
        case .newSite(let site): return [strings.addsSite(site)]
        case .site(let site):
            return [
                map.category(ofDomain: site).map { strings.isIn($0.name(language: language.code)) } ?? ""
            ]
        case .heading, nil: return []
        }
    }

    private func appDetail(_ app: PickApp) -> [String] {
        let category = app.category.name(language: language.code)
        if !app.isInstalled { return [strings.notInstalledApp(app.id)] }
        let parts = [app.id, category, strings.origin(app.origin)].compactMap(\.self)
        let line = parts.joined(separator: " · ")
        return isCovered(app) ? [line, strings.coveredBy(category)] : [line]
    }

    private func covers(_ category: Category) -> String {
        let names = covered(category).map { apps[$0].name }
        guard !names.isEmpty else { return strings.coversNothing }
        return strings.covers(names.count) + " " + names.joined(separator: ", ")
    }

    // MARK: - The list

    private func list(_ terminal: Terminal) -> [String] {
        let room = listRows
        guard !rows.isEmpty else {
            let text = search.isEmpty ? strings.empty(tab) : strings.nothing(tab, search)
            return TextWrap.lines(text, columns: width - 2).prefix(room).map { "  " + $0 }
        }
        let seen = rows.indices.dropFirst(top).prefix(room)
        let nameWidth = nameWidth(seen)
        return seen.map { line(rows[$0], isCurrent: $0 == cursor, nameWidth: nameWidth, terminal: terminal) }
    }

    /// Returns the column at which ids begin, or `nil` if there is no room for them.
    private func nameWidth(_ seen: some Sequence<Int>) -> Int? {
        guard width >= 60 else { return nil }
        let widths = seen.compactMap { place -> Int? in
            if case .app(let app) = rows[place] { return DisplayWidth.columns(apps[app].name) }
            return nil
        }
        return min(Self.namesMax, widths.max() ?? 0)
    }

    private func line(_ row: Row, isCurrent: Bool, nameWidth: Int?, terminal: Terminal) -> String {
        let mark = isCurrent ? "> " : "  "
        if case .heading(let category, let all, let chosen) = row {
            let name = category?.name(language: language.code) ?? strings.notInstalled
            let text = "\(name) · \(strings.count(all, chosen))"
            return terminal.styled(DisplayWidth.truncated(text, width), .bold)
        }
        let (box, text, more) = parts(row)
        let indent = tab == .categories && box != nil && isApp(row) ? "  " : ""
        let left = mark + indent + (box ?? "")
        let room = width - DisplayWidth.columns(left)
        let safe = DisplayWidth.sanitized(text)
        var line = left + DisplayWidth.truncated(safe, room)
        if let nameWidth, let more, room > nameWidth + 4 {
            let name = DisplayWidth.fitted(safe, max(nameWidth, 1))
            let rest = DisplayWidth.truncated(
                DisplayWidth.sanitized(more),
                room - DisplayWidth.columns(name) - 2
            )
            line = left + name + "  " + (isCurrent ? rest : terminal.styled(rest, .dim))
        }
        return isCurrent ? terminal.styled(line, .bold) : line
    }

    private func isApp(_ row: Row) -> Bool {
        if case .app = row { return true }
        return false
    }

    private func parts(_ row: Row) -> (box: String?, text: String, more: String?) {
        switch row {
        case .heading: return (nil, "", nil)
        case .app(let place):
            let app = apps[place]
            let isChosen = selection.apps.contains(app.id)
            let box = isChosen ? "[x] " : isCovered(app) && app.isInstalled ? "[~] " : "[ ] "
            let twin = apps.contains { $0.name == app.name && $0.id != app.id }
            // Two apps of the same name show their ids even if there is little room.
            let name = twin && width < 60 ? "\(app.name) \(app.id)" : app.name
            return (box, name, app.id == app.name ? nil : app.id)
        case .category(let category):
            let box = selection.categories.contains(category.rawValue) ? "[x] " : "[ ] "
            let fold = isOpen(category) ? "v" : ">"
            let name = category.name(language: language.code)
            return (box, "\(name) · \(strings.apps(covered(category).count)) \(fold)", nil)
        case .otherCategory(let name):
            return (selection.categories.contains(name) ? "[x] " : "[ ] ", name, nil)
        case .newSite(let site): return ("[+] ", site, nil)
        case .site(let site): return (selection.sites.contains(site) ? "[x] " : "[ ] ", site, nil)
        }
    }

    /// Returns the end of the typed text if it is longer than the room.
    private static func tail(_ text: String, _ room: Int) -> String {
        var tail = text
        while DisplayWidth.columns(tail) > room { tail.removeFirst() }
        return tail
    }
}
