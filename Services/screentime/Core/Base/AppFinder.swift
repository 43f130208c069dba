package import STContracts
import STPlatform

/// Finds the app that a person means among the apps that were used or are installed.
package struct AppFinder: Sendable {
    package enum Found: Sendable, Equatable {
        case one(String)
        /// Each of these apps may be meant.
        case several([String])
        /// No app has this name. `near` contains similar ones.
        case none(near: [String])
    }

    /// The length of the past period in which an app counts as used.
    private static let usagePeriod: Duration = .seconds(90 * 86_400)
    private static let nearMax = 3
    private static let severalMax = 6

    private struct App {
        var id: String
        var name: String
        /// The names and the programs of the app in the spelling of `plain`.
        var names: Set<String>
        var programs: Set<String>
        /// The words of each name in their order, and the words of the kind of app, for example "web browser".
        var words: [[String]]
        var kind: Set<String>
        var isUsed: Bool
    }

    private var apps: [App]
    /// True if desktop-agent reported the installed apps. Only then can a name be wrong.
    let hasInstalledApps: Bool

    /// Loads the used and the installed apps. Returns `nil` if neither a service nor the desktop entries list any app.
    ///
    /// `namesOfRules` adds the apps that rules name, because a person may look for them before they are installed.
    ///
    /// `readsEntries` reads the desktop entries if no agent reports the installed apps. Without it, imported records keep their
    /// names.
    package static func load(
        _ invocation: Invocation,
        _ clients: ServiceClients,
        namesOfRules: Bool = true,
        readsEntries: Bool = true
    ) async -> AppFinder? {
        let now = invocation.now
        let request = ReportUsage.Request(
            fromWallMs: max(0, (now - usagePeriod).ms),
            toWallMs: now.ms,
            segment: .whole,
            by: [.app],
            zone: ZonedClock.here.zone
        )
        async let used = try? clients.call(ReportUsage.self, request, timeout: SystemView.timeout)
        async let installed = try? clients.all(
            DesktopCatalogue.self,
            .init(),
            rows: \.apps,
            next: (\.next, \.next),
            timeout: SystemView.timeout
        )
        async let rules =
            namesOfRules ? try? RuleListCommand.all(clients, timeout: SystemView.timeout) : nil
        let rows = (await used)?.segments.flatMap(\.rows).compactMap(\.app) ?? []
        var named: [String] = []
        for shown in await rules ?? [] {
            let targets: [TokenItem] = shown.rule.targets + (shown.rule.opens ?? [])
            named += targets.filter { $0.kind == .application }.map(\.id)
        }
        let known = Set(rows)
        let answered = await installed
        // A guardian may have no desktop, for example over ssh.
        let found =
            answered ?? (readsEntries ? PickSource.entries(invocation.environment, language: nil) : [])
        let finder = AppFinder(
            used: rows + Set(named).subtracting(known).sorted(),
            installed: found,
            isComplete: answered != nil
        )
        return finder.apps.isEmpty ? nil : finder
    }

    package init(used: [String], installed: [CatalogueApp], isComplete: Bool = true) {
        let seen = Set(used)
        apps = installed.map { app in
            let names = [app.name] + (app.names ?? [])
            return App(
                id: app.app,
                name: app.name,
                names: Set((names + [app.app, Self.tail(app.app)]).map(Self.plain)),
                programs: Set((app.programs ?? []).map(Self.plain)),
                words: names.map(Self.words),
                kind: Set((app.kinds ?? []).flatMap(Self.words)),
                isUsed: seen.contains(app.app)
            )
        }
        let known = Set(installed.map(\.app))
        apps += used.filter { !known.contains($0) }.map { id in
            let name = DisplayNames.short(id)
            return App(
                id: id,
                name: name,
                names: [Self.plain(id), Self.plain(Self.tail(id))],
                programs: [],
                words: [Self.words(name)],
                kind: [],
                isUsed: true
            )
        }
        hasInstalledApps = isComplete && !installed.isEmpty
    }

    func name(_ id: String) -> String { apps.first { $0.id == id }?.name ?? id }

    /// Returns the name and the id, for example `Firefox ESR (firefox-esr)`.
    func titled(_ id: String) -> String {
        let name = name(id)
        return DisplayWidth.sanitized(Self.plain(name) == Self.plain(id) ? id : "\(name) (\(id))")
    }

    // MARK: - Finding

    /// Finds the app by the most certain kind of match that has a result.
    package func find(_ typed: String) -> Found {
        if apps.contains(where: { $0.id == typed }) { return .one(typed) }
        let key = Self.plain(typed)
        guard !key.isEmpty else { return .none(near: []) }
        for keys in [[key]] + (AppAliases.programsByAlias[key] ?? []) {
            // Names go before programs, because the settings of a program may start that program too.
            let called = apps.filter { !$0.names.isDisjoint(with: keys) }
            let started = apps.filter { !$0.programs.isDisjoint(with: keys) }
            if let found = [called, started].first(where: { !$0.isEmpty }) { return chosen(found) }
        }
        let words = Self.words(typed)
        let leading = apps.filter { app in app.words.contains { $0.starts(with: words) } }
        if !leading.isEmpty { return chosen(leading) }
        // Words in any order. At least one must belong to the name and not only to the kind of program.
        let wanted = Set(words)
        let loose = apps.filter { app in
            let own = Set(app.words.joined()).union(app.names).union(app.programs)
            return !wanted.isDisjoint(with: own) && wanted.isSubset(of: own.union(app.kind))
        }
        let kind = apps.filter { wanted.isSubset(of: $0.kind) }
        let likely = loose + kind.filter { app in !loose.contains { $0.id == app.id } }
        if words.count > 1, !loose.isEmpty { return chosen(likely) }
        if likely.count > 1 { return .several(likely.prefix(Self.severalMax).map(\.id)) }
        return .none(near: near(key, likely.map(\.id)))
    }

    /// Prefers an app that was used to apps that are only installed.
    private func chosen(_ found: [App]) -> Found {
        if found.count == 1 { return .one(found[0].id) }
        let used = found.filter(\.isUsed)
        if used.count == 1 { return .one(used[0].id) }
        return .several(found.prefix(Self.severalMax).map(\.id))
    }

    private func near(_ key: String, _ likely: [String]) -> [String] {
        var near = likely
        var left = apps.filter { !near.contains($0.id) }
        // Parts of a name first, then names that differ by a letter or two.
        if key.count >= 3 {
            near += left.filter { app in
                app.names.union(app.programs).contains { $0.contains(key) }
            }.map(\.id)
            left.removeAll { near.contains($0.id) }
        }
        while near.count < Self.nearMax {
            let names = left.flatMap { app in app.names.union(app.programs).map { (name: $0, id: app.id) } }
            guard let closest = TextFormat.closest(to: key, in: names.map(\.name)),
                let id = names.first(where: { $0.name == closest })?.id
            else { break }
            near.append(id)
            left.removeAll { $0.id == id }
        }
        return Array(near.prefix(Self.nearMax))
    }

    // MARK: - Spelling

    /// Returns lower-case letters, digits and plus signs only: `libreofficewriter` for `LibreOffice Writer`.
    static func plain(_ text: String) -> String { words(text).joined() }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "+" }.map(String.init)
    }

    /// Returns the last part of an id: `firefox` for `org.mozilla.firefox`.
    private static func tail(_ id: String) -> String {
        let parts = id.split(separator: ".")
        return parts.count >= 3 ? String(parts[parts.count - 1]) : id
    }
}

/// Common names of programs that have another official name.
enum AppAliases {
    /// The alternatives for each name, likeliest first. Each is a set of plain names. The first set with an installed app is
    /// meant.
    static let programsByAlias: [String: [Set<String>]] = table.split(separator: "\n").reduce(into: [:]) {
        meant,
        line in
        let sides = line.split(separator: ":")
        guard sides.count == 2 else { return }
        let alternatives = sides[1].split(separator: "|").map {
            Set($0.split(separator: " ").map(String.init))
        }
        for name in sides[0].split(separator: " ") { meant[String(name)] = alternatives }
    }

    private static let table = """
        chrome googlechrome: googlechrome googlechromestable comgooglechrome | chromium orgchromiumchromium
        firefox mozillafirefox mozilla: firefox orgmozillafirefox | firefoxesr
        edge microsoftedge msedge: microsoftedge microsoftedgestable commicrosoftedge
        brave: bravebrowser combravebrowser
        tor: torbrowser orgtorprojecttorbrowserlauncher torbrowserlauncher
        vscode visualstudiocode visualcode visualstudio: code comvisualstudiocode | codeoss | vscodium codium comvscodiumcodium
        word msword microsoftword winword writer libreofficewriter: libreofficewriter | onlyofficedesktopeditors | abiword
        excel msexcel microsoftexcel calc spreadsheet: libreofficecalc | gnumeric orggnumericgnumeric
        powerpoint mspowerpoint microsoftpowerpoint impress: libreofficeimpress
        access base: libreofficebase
        publisher draw: libreofficedraw
        office msoffice microsoftoffice libreoffice openoffice: libreofficestartcenter | libreofficewriter libreofficecalc libreofficeimpress
        outlook: thunderbird orgmozillathunderbird thunderbirdesr | orggnomeevolution
        mail email emails: thunderbird orgmozillathunderbird orggnomeevolution orggnomegeary orgkdekmail2 clawsmail
        telegram: telegramdesktop orgtelegramdesktop telegram
        signal: signaldesktop orgsignalsignal
        whatsapp: whatsdesk comrtosatzapzap zapzap
        obs obsstudio: comobsprojectstudio
        photoshop thegimp: gimp orggimpgimp
        illustrator: inkscape orginkscapeinkscape
        premiere videoeditor: orgkdekdenlive orgshotcutshotcut orgopenshotopenshot
        paint mspaint: orgkdekolourpaint | tuxpaint | drawing
        notepad texteditor editor: orgxfcemousepad mousepad orggnometexteditor orggnomegedit gedit orgkdekate orgkdekwrite xed pluma featherpad l3afpad
        notepad++: notepadqq
        files filemanager filebrowser explorer finder fileexplorer: orggnomenautilus thunar orgkdedolphin pcmanfm nemo caja pcmanfmqt
        terminal console commandline shell cmd: orggnometerminal orggnomeconsole orgkdekonsole xfce4terminal qterminal lxterminal mateterminal debianxterm debianuxterm
        calculator: orggnomecalculator orgkdekcalc galculator matecalc qalculategtk
        pdf pdfreader pdfviewer acrobat adobereader: orggnomeevince orgkdeokular atril xreader qpdfview mupdf zathura
        photos pictures imageviewer: orggnomeshotwell shotwell orggnomeeog eog orgkdegwenview ristretto
        music musicplayer itunes: rhythmbox orggnomerhythmbox3 orgkdeelisa lollypop audacious clementine strawberry quodlibet
        video videos videoplayer movies films: totem orggnometotem vlc mpv celluloid orgkdedragonplayer orgkdeharuna parole
        vlcplayer vlcmediaplayer videolan: vlc orgvideolanvlc
        mpvplayer: mpv
        minecraft: minecraftlauncher commojangminecraft | orgprismlauncherprismlauncher
        minetest luanti: netminetestminetest minetest orgluantiluanti luanti
        chess: orggnomechess xboard orgkdeknights
        solitaire cards patience: orggnomeaisleriot sol orgkdekpat
        sudoku: orggnomesudoku orgkdeksudoku
        mines minesweeper: orggnomemines orgkdekmines
        settings controlpanel: orggnomesettings gnomecontrolcenter systemsettings xfcesettingsmanager
        torrent bittorrent utorrent: transmissiongtk transmissionqt orgqbittorrentqbittorrent deluge
        thunder thunderbirdmail mozillathunderbird: thunderbird orgmozillathunderbird
        supertux: supertux2 orgsupertuxprojectsupertux
        zeroad 0ad: 0ad complay0adzeroad
        """
}

/// Replaces the app names that a person typed for a command by ids.
struct AppArgumentResolver {
    let finder: AppFinder?
    /// Accepts names that no installed or used app has.
    var takesAny = false
    /// Accepts all apps if several have the name.
    var takesAll = false
    private(set) var remarks: [String] = []

    init(
        _ finder: AppFinder?,
        takesAny: Bool = false,
        takesAll: Bool = false
    ) {
        self.finder = finder
        self.takesAny = takesAny
        self.takesAll = takesAll
    }

    /// Returns the items with the ids that the desktop reports. Adds a remark for each name that was replaced.
    mutating func items(_ typed: [TokenItem]) throws(Problem) -> [TokenItem] {
        var items: [TokenItem] = []
        for item in typed {
            guard item.kind == .application, let finder else {
                items.append(item)
                continue
            }
            for id in try ids(item.id, finder) { items.append(TokenItem(kind: .application, id: id)) }
        }
        return items
    }

    private static func meaning(of typed: String, _ id: String, _ finder: AppFinder) -> String {
        let shown = DisplayWidth.sanitized(typed)
        let isNamedSo = AppFinder.plain(finder.name(id)) == AppFinder.plain(typed)
        let title = isNamedSo ? DisplayWidth.sanitized(id) : finder.titled(id)
        return Speech.say("command.is-here", "On this computer, \(shown, "shown") means \(title, "title").")
    }

    private mutating func ids(_ typed: String, _ finder: AppFinder) throws(Problem) -> [String] {
        let shown = DisplayWidth.sanitized(typed)
        switch finder.find(typed) {
        case .one(let id):
            if id != typed { remarks.append(Self.meaning(of: typed, id, finder)) }
            return [id]
        case .several(let ids):
            let list = ids.map(finder.titled).joined(separator: ", ")
            if takesAll {
                remarks.append(
                    Speech.say(
                        "command.means-all-of-these",
                        "\(shown, "shown") means all of these: \(list, "list")."
                    )
                )
                return ids
            }
            throw Problem(
                "app.several",
                """
                \(shown, "shown") could be: \(list, "list"). Choose one by the name in brackets, or choose \
                all with --all.
                """,
                details: ProblemText.retyping(typed, ids.first)
            )
        case .none(let near):
            let list = near.map(finder.titled).joined(separator: " or ")
            guard finder.hasInstalledApps, !takesAny else {
                remarks.append(
                    list.isEmpty
                        ? Speech.say(
                            "command.no-app-called",
                            "No app called \(shown, "shown") has been used or found here yet."
                        )
                        : Speech.say(
                            "command.no-app-called-did-you-mean",
                            """
                            No app called \(shown, "shown") has been used or found here yet. Did you mean \
                            \(list, "list")?
                            """
                        )
                )
                return [typed]
            }
            throw Problem(
                "app.unknown_here",
                text: list.isEmpty
                    ? Message(
                        "app.unknown_here.unknown",
                        """
                        No app called \(shown, "shown") is installed here, and none was used in the last 90 \
                        days. To use this name anyway, add --anyway.
                        """
                    )
                    : Message(
                        "app.unknown_here.did-you-mean",
                        """
                        No app called \(shown, "shown") is installed here, and none was used in the last 90 \
                        days. Did you mean \(list, "list")? To use the typed name anyway, add --anyway.
                        """
                    ),
                help: "screentime pick",
                details: ProblemText.retyping(typed, near.first)
            )
        }
    }
}
