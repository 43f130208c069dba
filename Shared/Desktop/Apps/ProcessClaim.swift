import STContracts
import STDomain
import STPlatform

/// Finds the app of a process in the catalogue, from the facts about the process.
struct ProcessClaim {
    private static let systemPlaces = [
        "/usr/", "/opt/", "/snap/", "/app/", "/bin/", "/lib/", "/lib64/", "/sbin/", "/nix/", "/gnu/",
        "/var/lib/flatpak/", "/var/lib/snapd/",
    ]

    let facts: ProcessFacts
    /// The app of the process. `nil` if no fact identifies one.
    private(set) var claim: AppClaim?
    private(set) var steps: [Message] = []
    private let catalogue: AppCatalogue
    /// The app that the unit's name points to, if the program neither confirms nor contradicts it.
    private var weak: AppClaim?
    /// The script that an interpreter runs.
    private let script: String?
    private let program: String?

    init(_ facts: ProcessFacts, _ catalogue: AppCatalogue) {
        self.facts = facts
        self.catalogue = catalogue
        program = facts.executable.map(ProgramName.base)
        script = facts.script
        claim = flatpak() ?? snap() ?? game() ?? unit() ?? executable() ?? weakUnit()
    }

    // MARK: - The sources, in the order of their use

    private mutating func flatpak() -> AppClaim? {
        guard let id = facts.flatpak else { return nil }
        steps.append(
            Message("agent.process-in-flatpak", "Its process runs in the Flatpak \(id.quoted, "flatpak").")
        )
        let why = Message("agent.process-in-that-flatpak", "its process runs in that Flatpak")
        return AppClaim(id: id, app: catalogue.app(id), clue: .flatpak, why: why, isDefinite: true)
    }

    private mutating func snap() -> AppClaim? {
        guard let name = facts.snap else { return nil }
        steps.append(
            Message("agent.process-in-snap", "Its process runs in the snap \(name.quoted, "snap").")
        )
        let candidates = [program.map { "\(name)_\($0)" }, "\(name)_\(name)", name].compactMap(\.self)
        let catalogue = catalogue
        let app =
            candidates.compactMap { catalogue.app($0) }.first
            ?? catalogue.apps.first { $0.snap == name && $0.isShown }
        return AppClaim(
            id: app?.id ?? name,
            app: app,
            clue: .snap,
            why: Message("agent.process-in-that-snap", "its process runs in that snap"),
            isDefinite: true
        )
    }

    private mutating func game() -> AppClaim? {
        guard let number = facts.steamGame else { return nil }
        steps.append(
            Message(
                "agent.steam-started-game",
                "Steam started the window's process as the game \(number, "game")."
            )
        )
        let why = Message("agent.game-of-steam", "it is that Steam game")
        return AppClaim(id: "steam_app_\(number)", app: catalogue.game(number), clue: .executable, why: why)
    }

    /// Uses the unit's name only if the entry starts the process. A terminal's unit also contains the programs started in it, and
    /// any program can create a unit with such a name.
    private mutating func unit() -> AppClaim? {
        guard let unit = facts.unit else { return nil }
        for id in ScopeName.candidates(unit) {
            guard let app = catalogue.app(id) else { continue }
            let claim = AppClaim(
                id: app.id,
                app: app,
                clue: .scope,
                why: Message("agent.systemd-started-app", "systemd started it as that app")
            )
            steps.append(
                Message("agent.process-in-unit", "Its process is in the unit \(unit.quoted, "unit").")
            )
            switch match(claim) {
            case .fits: return claim
            case .unclear:
                weak = claim
                return nil
            case .misfit:
                steps.append(
                    Message(
                        "agent.unit-does-not-fit",
                        "But the app of that unit does not start this program."
                    )
                )
                return nil
            }
        }
        steps.append(
            Message(
                "agent.no-entry-for-unit",
                "Its process is in the unit \(unit.quoted, "unit"), and no desktop entry has that name."
            )
        )
        return nil
    }

    /// Uses the unit as a last resort. A helper in a system folder may belong to it, because only the system installs files there.
    private mutating func weakUnit() -> AppClaim? {
        guard let weak else { return nil }
        guard script.map(Self.isOfSystem) ?? true else {
            steps.append(
                Message(
                    "agent.unit-does-not-count",
                    """
                    The script that it runs is not part of the system, so Screen Time ignores the name of \
                    the unit.
                    """
                )
            )
            return nil
        }
        return weak
    }

    private mutating func executable() -> AppClaim? {
        guard let executable = facts.executable else {
            steps.append(
                Message(
                    "agent.program-is-hidden",
                    "Screen Time cannot determine which program its process runs."
                )
            )
            return nil
        }
        steps.append(
            facts.isDeleted
                ? Message(
                    "agent.process-runs-replaced-file",
                    "Its process is \(executable.quoted, "program"), which has since been replaced or removed."
                )
                : Message("agent.process-runs-program", "Its process is \(executable.quoted, "program").")
        )
        if let claim = started() { return claim }
        steps.append(
            script.map {
                Message(
                    "agent.no-entry-starts-script",
                    "No desktop entry starts \($0.quoted, "script"), which the process runs."
                )
            } ?? Message("agent.no-entry-starts-program", "No desktop entry starts that program.")
        )
        return nil
    }

    /// Returns the app whose entry starts this program.
    private func started() -> AppClaim? {
        let names = [facts.appImage.map(ProgramName.base), script, script == nil ? program : nil]
        for name in names.compactMap(\.self) {
            for spelling in [ProgramName.base(name), ProgramName.plain(name)] {
                guard let app = catalogue.find(spelling, { $0.programs[$1] }) else { continue }
                let why = Message(
                    "agent.entry-starts-program",
                    "its entry starts \(ProgramName.base(name).quoted, "program")"
                )
                return AppClaim(
                    id: app.id,
                    app: app,
                    clue: .executable,
                    why: why,
                    isDefinite: !isInOtherFolder(app)
                )
            }
        }
        return nil
    }

    /// Returns true if the program has the name of a system app but is not in a system folder. It may be any program.
    private func isInOtherFolder(_ app: AppEntry) -> Bool {
        guard let executable = facts.executable else { return true }
        return !app.isOwn && !Self.isOfSystem(executable) && facts.appImage == nil
    }

    // MARK: - Comparison with the window's names

    enum Match {
        case fits(Message)
        case unclear(Message)
        case misfit(Message)

        var message: Message {
            switch self {
            case .fits(let text), .unclear(let text), .misfit(let text): text
            }
        }
    }

    func match(_ claim: AppClaim) -> Match {
        let name = claim.id.quoted
        guard let app = claim.app else {
            return .unclear(
                Message(
                    "agent.process-does-not-contradict",
                    "Nothing about its process shows that it is not \(name, "app")."
                )
            )
        }
        if let box = matchSandbox(app, name) { return box }
        guard let executable = facts.executable, let program else {
            return .unclear(
                Message(
                    "agent.hidden-program-contradicts-nothing",
                    """
                    Screen Time cannot determine which program its process runs, so it cannot check whether \
                    the process belongs to \(name, "app").
                    """
                )
            )
        }
        guard let start = app.start else {
            return .unclear(
                Message(
                    "agent.entry-starts-unknown",
                    "The entry \(name, "entry") does not say what it starts."
                )
            )
        }
        return fit(start, executable: executable, program: program, name: name)
    }

    private func fit(_ start: AppStart, executable: String, program: String, name: String) -> Match {
        let what = executable.quoted
        let names = [start.name, start.realName].compactMap(\.self)
        if names.contains(where: { ProgramName.areRelated($0, program) }) {
            return .fits(
                Message(
                    "agent.entry-starts-process",
                    "The entry \(name, "entry") starts the window's process \(what, "program")."
                )
            )
        }
        if let image = facts.appImage, names.contains(where: { ProgramName.areRelated($0, image) }) {
            return .fits(
                Message(
                    "agent.entry-starts-app-image",
                    """
                    Its process is the AppImage \(image.quoted, "image"), which the entry \
                    \(name, "entry") starts.
                    """
                )
            )
        }
        if let folder = start.folder,
            executable.hasPrefix(folder + "/") || (script?.hasPrefix(folder + "/") ?? false)
        {
            return .fits(
                Message(
                    "agent.process-is-part-of-entry",
                    """
                    Its process \(what, "program") belongs to the app that the entry \(name, "entry") \
                    starts.
                    """
                )
            )
        }
        if ProgramName.isInterpreter(program) { return run(names, name: name, program: program) }
        if start.steamGame != nil, executable.contains("/steamapps/") {
            return .fits(
                Message(
                    "agent.process-is-steam-game",
                    "Its process \(what, "program") is a Steam game, as the entry \(name, "entry") says."
                )
            )
        }
        return beside(start, executable: executable, name: name)
    }

    /// Decides without proof that the entry starts the program. A helper in a system folder may belong to the entry's app.
    private func beside(_ start: AppStart, executable: String, name: String) -> Match {
        let what = executable.quoted
        let isOfSystem = Self.isOfSystem(executable)
        if isOfSystem, ProgramName.isInterpreter(start.name) || start.isScript {
            return .unclear(
                Message(
                    "agent.entry-starts-script",
                    "The entry \(name, "entry") starts a script, which may have started \(what, "program")."
                )
            )
        }
        if isOfSystem, !ProgramFinder.sharedFolders.contains(ProgramName.folder(executable)) {
            return .unclear(
                Message(
                    "agent.process-may-be-helper",
                    "The window's process \(what, "program") may be a helper of \(name, "app")."
                )
            )
        }
        return .misfit(
            Message(
                "agent.entry-starts-other-program",
                "The entry \(name, "entry") does not start its process \(what, "program")."
            )
        )
    }

    /// Compares the sandbox of the process with the app. A process in a sandbox belongs to no other app.
    private func matchSandbox(_ app: AppEntry, _ name: String) -> Match? {
        if let id = facts.flatpak {
            let isOf = app.flatpak == id || app.id == id || app.id.hasPrefix(id + ".")
            return isOf
                ? .fits(
                    Message(
                        "agent.app-in-flatpak",
                        "Its process runs in the Flatpak \(id.quoted, "flatpak"), as \(name, "app") does."
                    )
                )
                : .misfit(
                    Message(
                        "agent.app-not-in-flatpak",
                        "Its process runs in the Flatpak \(id.quoted, "flatpak"), but \(name, "app") does not."
                    )
                )
        }
        if let snap = facts.snap {
            let isOf = app.snap == snap || app.id == snap || app.id.hasPrefix(snap + "_")
            return isOf
                ? .fits(
                    Message(
                        "agent.app-in-snap",
                        "Its process runs in the snap \(snap.quoted, "snap"), as \(name, "app") does."
                    )
                )
                : .misfit(
                    Message(
                        "agent.app-not-in-snap",
                        "Its process runs in the snap \(snap.quoted, "snap"), but \(name, "app") does not."
                    )
                )
        }
        guard let executable = facts.executable else { return nil }
        if app.origin == .flatpak, !executable.hasPrefix("/app/") {
            return .misfit(
                Message(
                    "agent.process-outside-flatpak",
                    """
                    \(name, "app") runs in a Flatpak, but its process \(executable.quoted, "program") \
                    does not.
                    """
                )
            )
        }
        return nil
    }

    private func run(_ names: [String], name: String, program: String) -> Match {
        if let script, names.contains(where: { ProgramName.areRelated($0, ProgramName.base(script)) }) {
            return .fits(
                Message(
                    "agent.interpreter-runs-entry",
                    "\(program.quoted, "program") runs what the entry \(name, "entry") starts."
                )
            )
        }
        return .unclear(
            Message(
                "agent.interpreter-runs-many",
                """
                \(program.quoted, "program") runs it, but can run many other apps, so Screen Time uses the \
                name of the window.
                """
            )
        )
    }

    /// Returns the claim of the system browser that the process runs, or `nil` if it is not a browser.
    func browser() -> AppClaim? {
        let why = Message("agent.process-is-browser", "its process is that browser")
        return catalogue.apps.lazy.filter { $0.isBrowser && !$0.isOwn }
            .map { AppClaim(id: $0.id, app: $0, clue: .executable, why: why) }
            .first { if case .fits = match($0) { true } else { false } }
    }

    /// Returns true if the window shows a single site and not the whole browser.
    func isSite(_ window: DesktopWindow) -> Bool {
        let isNamed = [window.instance, window.windowClass].contains { $0?.hasPrefix("crx_") == true }
        // Some browsers write all their arguments as one string.
        return isNamed || facts.arguments.contains { $0.contains("--app=") || $0.contains("--app-id=") }
    }

    static func isOfSystem(_ path: String) -> Bool { systemPlaces.contains(where: path.hasPrefix) }

    // MARK: - The name of an app without an entry

    func ownName(_ window: DesktopWindow) -> (text: String, why: Message)? {
        if let image = facts.appImage {
            let why = Message(
                "agent.name-of-app-image",
                "that is the AppImage that its process was started from"
            )
            return (ProgramName.plain(image), why)
        }
        guard let program else {
            let why = Message("agent.name-given-by-process", "its process gives itself that name")
            return facts.arguments.first.map { (ProgramName.plain($0), why) }
        }
        let own = Message("agent.name-of-executable", "that is the name of its executable")
        guard ProgramName.isInterpreter(program) else { return (ProgramName.plain(program), own) }
        let said = [window.windowClass, window.instance].compactMap(\.self).first {
            !WindowClaim.isGeneric($0)
        }
        if let said {
            let why = Message(
                "agent.name-of-interpreted-window",
                "\(program.quoted, "program") runs it, and its window has that name"
            )
            return (said, why)
        }
        if let script {
            let why = Message("agent.name-of-script", "\(program.quoted, "program") runs that script")
            return (ProgramName.plain(script), why)
        }
        return (program, own)
    }
}
