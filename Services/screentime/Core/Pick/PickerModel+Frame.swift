import STDomain
import STPlatform

extension PickerModel {
    /// What is to be seen, and where the cursor of the terminal belongs: languages are composed there.
    package struct Frame: Sendable, Equatable {
        package var lines: [String]
        package var cursorLine: Int
        package var cursorColumn: Int
    }

    private static let listRowsMax = 18
    private static let namesMax = 32

    private var words: PickWords { PickWords(language: language) }
    /// The last column stays free: some terminals go on to the next line there.
    private var width: Int { max(10, columns - 1) }
    private var detailRows: Int { height >= 14 ? 3 : height >= 8 ? 1 : 0 }

    /// How much of the list is to be seen.
    var listRows: Int { max(1, min(Self.listRowsMax, height - 6 - detailRows)) }

    package func frame(_ terminal: Terminal) -> Frame {
        let label = tab == .sites ? words.site : words.search
        let room = max(1, width - DisplayWidth.columns(label) - 1)
        let shown = Self.tail(search, room)
        var lines = [tabs(terminal), label + shown, ""]
        lines += list(terminal) + [""]
        lines += details().map {
            terminal.styled(DisplayWidth.cut($0, width), message == nil ? .dim : .yellow)
        }
        lines.append(terminal.styled(DisplayWidth.cut(hint, width), .dim))
        return Frame(
            lines: lines,
            cursorLine: 1,
            cursorColumn: DisplayWidth.columns(label) + DisplayWidth.columns(shown)
        )
    }

    // MARK: - Above and below the list

    private func tabs(_ terminal: Terminal) -> String {
        let counts = [selection.apps.count, selection.categories.count, selection.sites.count]
        let names = [words.apps, words.categories, words.sites]
        let plain = zip(names, counts).map { "\($0) \($1)" }
        let isNarrow = plain.reduce(8) { $0 + DisplayWidth.columns($1) } > width
        let parts = Tab.allCases.map { tab in
            let text = isNarrow ? DisplayWidth.cut(plain[tab.rawValue], (width - 8) / 3) : plain[tab.rawValue]
            return tab == self.tab ? terminal.styled("[\(text)]", .bold) : terminal.styled(" \(text) ", .dim)
        }
        return parts.joined(separator: isNarrow ? "" : " ")
    }

    /// The longest that fits.
    private var hint: String {
        let hints = words.hints(tab, adds: tab == .sites && !search.isEmpty)
        return hints.first { DisplayWidth.columns($0) <= width } ?? hints.last ?? ""
    }

    private func details() -> [String] {
        let room = detailRows
        guard room > 0 else { return [] }
        var lines = detail().flatMap { TextWrap.lines(DisplayWidth.harmless($0), columns: width) }
        if lines.count > room {
            lines = Array(lines.prefix(room))
            lines[room - 1] = DisplayWidth.cut(lines[room - 1] + " …", width)
        }
        return lines
    }

    private func detail() -> [String] {
        if let message { return [message] }
        switch current {
        case .app(let place): return appDetail(apps[place])
        case .category(let category): return [covers(category)]
        case .otherCategory(let name): return [words.unknownCategory(name)]
        case .newSite(let site): return [words.addsSite(site)]
        case .site(let site):
            return [
                map.category(ofDomain: site).map { words.isIn($0.name(language: language.rawValue)) } ?? ""
            ]
        case .heading, nil: return []
        }
    }

    private func appDetail(_ app: PickApp) -> [String] {
        let category = app.category.name(language: language.rawValue)
        if !app.isInstalled { return [words.gone(app.id)] }
        let parts = [app.id, category, words.origin(app.origin)].compactMap(\.self)
        let line = parts.joined(separator: " · ")
        return isCovered(app) ? [line, words.coveredBy(category)] : [line]
    }

    private func covers(_ category: Category) -> String {
        let names = covered(category).map { apps[$0].name }
        guard !names.isEmpty else { return words.coversNothing }
        return words.covers(names.count) + " " + names.joined(separator: ", ")
    }

    // MARK: - The list

    private func list(_ terminal: Terminal) -> [String] {
        let room = listRows
        guard !rows.isEmpty else {
            let text = search.isEmpty ? words.empty(tab) : words.nothing(tab, search)
            return TextWrap.lines(text, columns: width - 2).prefix(room).map { "  " + $0 }
        }
        let seen = rows.indices.dropFirst(top).prefix(room)
        let nameWidth = nameWidth(seen)
        return seen.map { line(rows[$0], isCurrent: $0 == cursor, nameWidth, terminal) }
    }

    /// Where ids begin; nil where there is no room for them.
    private func nameWidth(_ seen: some Sequence<Int>) -> Int? {
        guard width >= 60 else { return nil }
        let widths = seen.compactMap { place -> Int? in
            if case .app(let app) = rows[place] { return DisplayWidth.columns(apps[app].name) }
            return nil
        }
        return min(Self.namesMax, widths.max() ?? 0)
    }

    private func line(_ row: Row, isCurrent: Bool, _ nameWidth: Int?, _ terminal: Terminal) -> String {
        let mark = isCurrent ? "> " : "  "
        if case .heading(let category, let all, let chosen) = row {
            let name = category?.name(language: language.rawValue) ?? words.notInstalled
            let text = "\(name) · \(words.count(all, chosen))"
            return terminal.styled(DisplayWidth.cut(text, width), .bold)
        }
        let (box, text, more) = parts(row)
        let indent = tab == .categories && box != nil && isApp(row) ? "  " : ""
        let left = mark + indent + (box ?? "")
        let room = width - DisplayWidth.columns(left)
        let safe = DisplayWidth.harmless(text)
        var line = left + DisplayWidth.cut(safe, room)
        if let nameWidth, let more, room > nameWidth + 4 {
            let name = DisplayWidth.fitted(safe, max(nameWidth, 1))
            let rest = DisplayWidth.cut(DisplayWidth.harmless(more), room - DisplayWidth.columns(name) - 2)
            line = left + name + "  " + (isCurrent ? rest : terminal.styled(rest, .dim))
        }
        return isCurrent ? terminal.styled(line, .cyan) : line
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
            // Two of the same name are told apart also where there is no room for ids.
            let name = twin && width < 60 ? "\(app.name) \(app.id)" : app.name
            return (box, name, app.id == app.name ? nil : app.id)
        case .category(let category):
            let box = selection.categories.contains(category.rawValue) ? "[x] " : "[ ] "
            let fold = isOpen(category) ? "v" : ">"
            let name = category.name(language: language.rawValue)
            return (box, "\(name) · \(words.apps(covered(category).count)) \(fold)", nil)
        case .otherCategory(let name):
            return (selection.categories.contains(name) ? "[x] " : "[ ] ", name, nil)
        case .newSite(let site): return ("[+] ", site, nil)
        case .site(let site): return (selection.sites.contains(site) ? "[x] " : "[ ] ", site, nil)
        }
    }

    /// The end of what was typed, where its beginning has no room.
    private static func tail(_ text: String, _ room: Int) -> String {
        var tail = text
        while DisplayWidth.columns(tail) > room { tail.removeFirst() }
        return tail
    }
}
