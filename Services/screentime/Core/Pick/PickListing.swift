import STContracts
import STDomain
import STPlatform

/// `screentime pick --list` and `--search`: the available items, for scripts and for people without a terminal.
enum PickListing {
    struct Row: WireBody, Codable, Equatable {
        var app: String
        var name: String
        var category: String
        var origin: AppOrigin
    }

    struct CategoryRow: WireBody, Codable, Equatable {
        var category: String
        var name: String
        /// The number of installed apps in the category.
        var apps: Int64
    }

    struct List: WireBody, Codable, Equatable {
        var apps: [Row]
        var categories: [CategoryRow]
        /// The searched text, if it is the name of a site.
        var site: String?
        var remark: String?
    }

    static func run(_ invocation: Invocation, _ language: String?) async throws -> ExitCode {
        guard invocation.subjects.isEmpty else {
            throw Problem(
                "usage.subject_extra",
                """
                --list and --search cannot be combined with names of apps, sites or categories. Leave out the \
                option or the names.
                """,
                help: "screentime pick --search \(invocation.subjects[0])"
            )
        }
        let source = try await ServiceClients.with(invocation.directories) { clients in
            await PickSource.load(invocation, language: language, clients)
        }
        let text = invocation.value("--search") ?? ""
        let list = list(source, text: text, language: language ?? "en")
        let isFound = !list.apps.isEmpty || !list.categories.isEmpty || list.site != nil
        if invocation.wantsJSON {
            invocation.terminal.write(try JSONOutput.pretty(of: list))
            return isFound ? .done : .no
        }
        if let remark = source.remark { invocation.terminal.note(Speech.say(remark)) }
        guard isFound else {
            invocation.terminal.note(PickStrings(language: Speech.language).nothing(.apps, text))
            return .no
        }
        invocation.terminal.write(
            lines(list, terminal: invocation.terminal, language: language ?? "en").joined(separator: "\n")
        )
        return .done
    }

    static func list(_ source: PickSource, text: String, language: String) -> List {
        let found = source.apps.filter { PickSearch.matches($0.searchKey, text) }.sorted {
            ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id)
        }
        let categories = Category.allCases.filter { category in
            let names = [category.rawValue, category.name(), category.name(language: language)]
            return PickSearch.matches(names.map(PickSearch.key).joined(separator: "\n"), text)
        }
        return List(
            apps: found.map {
                .init(app: $0.id, name: $0.name, category: $0.category.rawValue, origin: $0.origin)
            },
            categories: categories.map { category in
                let count = source.apps.count { $0.category == category }
                let name = category.name(language: language)
                return CategoryRow(category: category.rawValue, name: name, apps: Int64(count))
            },
            site: text.isEmpty ? nil : DomainName.canonical(text),
            remark: source.remark?.english
        )
    }

    private static func lines(_ list: List, terminal: Terminal, language: String) -> [String] {
        let words = PickStrings(language: Speech.language)
        var lines: [String] = []
        for category in Category.allCases {
            let apps = list.apps.filter { $0.category == category.rawValue }
            guard !apps.isEmpty else { continue }
            lines.append(terminal.styled("\(category.name(language: language)) · \(apps.count)", .bold))
            let width = min(36, apps.map { DisplayWidth.columns($0.name) }.max() ?? 0)
            for app in apps {
                let origin = words.origin(app.origin).map { "  (\($0))" } ?? ""
                lines.append("  \(DisplayWidth.fitted(app.name, width))  \(app.app)\(origin)")
            }
        }
        if !list.categories.isEmpty {
            lines += lines.isEmpty ? [] : [""]
            lines.append(terminal.styled(words.categories, .bold))
            let width = list.categories.map { DisplayWidth.columns($0.name) }.max() ?? 0
            for row in list.categories {
                let apps = words.apps(Int(row.apps))
                lines.append("  \(DisplayWidth.padded(row.name, width))  category:\(row.category)  \(apps)")
            }
        }
        if let site = list.site { lines += (lines.isEmpty ? [] : [""]) + ["\(words.site)site:\(site)"] }
        return lines
    }
}
