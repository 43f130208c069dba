import STContracts
import STDomain

/// What is known of a window's process, looked up among the programs that are installed.
struct ProcessClaim {
    private static let systemPlaces = [
        "/usr/", "/opt/", "/snap/", "/app/", "/bin/", "/lib/", "/lib64/", "/sbin/", "/nix/", "/gnu/",
        "/var/lib/flatpak/", "/var/lib/snapd/",
    ]

    let facts: ProcessFacts
    /// The app that the process is of, where anything says so.
    private(set) var claim: AppClaim?
    private(set) var steps: [String] = []
    private let catalogue: AppCatalogue
    /// What the unit's name says, where the program neither fits nor contradicts it.
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

    // MARK: - In the order in which they are tried

    private mutating func flatpak() -> AppClaim? {
        guard let id = facts.flatpak else { return nil }
        steps.append("Its process runs in the Flatpak \(id.quoted).")
        let why = "its process runs in that Flatpak"
        return AppClaim(id: id, app: catalogue.app(id), clue: .flatpak, why: why, isDefinite: true)
    }

    private mutating func snap() -> AppClaim? {
        guard let name = facts.snap else { return nil }
        steps.append("Its process runs in the snap \(name.quoted).")
        let candidates = [program.map { "\(name)_\($0)" }, "\(name)_\(name)", name].compactMap(\.self)
        let catalogue = catalogue
        let app =
            candidates.compactMap { catalogue.app($0) }.first
            ?? catalogue.apps.first { $0.snap == name && $0.isShown }
        return AppClaim(
            id: app?.id ?? name,
            app: app,
            clue: .snap,
            why: "its process runs in that snap",
            isDefinite: true
        )
    }

    private mutating func game() -> AppClaim? {
        guard let number = facts.steamGame else { return nil }
        steps.append("Steam started its process as the game \(number).")
        let why = "it is that game of Steam"
        return AppClaim(id: "steam_app_\(number)", app: catalogue.game(number), clue: .executable, why: why)
    }

    /// Only if the entry starts the process: a terminal's children are in its unit too, and any program may name a unit so.
    private mutating func unit() -> AppClaim? {
        guard let unit = facts.unit else { return nil }
        for id in ScopeName.candidates(unit) {
            guard let app = catalogue.app(id) else { continue }
            let claim = AppClaim(
                id: app.id,
                app: app,
                clue: .scope,
                why: "systemd started it as that app"
            )
            steps.append("It is in the unit \(unit.quoted).")
            switch fit(claim) {
            case .fits: return claim
            case .unclear:
                weak = claim
                return nil
            case .misfit:
                steps.append("But that app does not start this program.")
                return nil
            }
        }
        steps.append("It is in the unit \(unit.quoted), and no desktop entry has that name.")
        return nil
    }

    /// Tried last. A helper in a system folder may belong to the unit, because only the system puts programs there.
    private mutating func weakUnit() -> AppClaim? {
        guard let weak else { return nil }
        guard script.map(Self.isOfSystem) ?? true else {
            steps.append("What it runs is not part of the system, so the unit's name does not count.")
            return nil
        }
        return weak
    }

    private mutating func executable() -> AppClaim? {
        guard let executable = facts.executable else {
            steps.append("The program of its process is hidden.")
            return nil
        }
        let gone = facts.isDeleted ? ", which has since been replaced or removed" : ""
        steps.append("Its process is \(executable.quoted)\(gone).")
        if let claim = started() { return claim }
        let what = script.map { "\($0.quoted), which it runs" } ?? "that"
        steps.append("No desktop entry starts \(what).")
        return nil
    }

    /// The app whose entry starts this program.
    private func started() -> AppClaim? {
        let names = [facts.appImage.map(ProgramName.base), script, script == nil ? program : nil]
        for name in names.compactMap(\.self) {
            for spelling in [ProgramName.base(name), ProgramName.plain(name)] {
                guard let app = catalogue.find(spelling, { $0.programs[$1] }) else { continue }
                let why = "its entry starts \(ProgramName.base(name).quoted)"
                return AppClaim(
                    id: app.id,
                    app: app,
                    clue: .executable,
                    why: why,
                    isDefinite: !isElsewhere(app)
                )
            }
        }
        return nil
    }

    /// A program of the same name at another place may be anything.
    private func isElsewhere(_ app: AppEntry) -> Bool {
        guard let executable = facts.executable else { return true }
        return !app.isOwn && !Self.isOfSystem(executable) && facts.appImage == nil
    }

    // MARK: - Whether the window's word fits

    enum Fit {
        case fits(String)
        case unclear(String)
        case misfit(String)

        var sentence: String {
            switch self {
            case .fits(let text), .unclear(let text), .misfit(let text): text
            }
        }
    }

    func fit(_ claim: AppClaim) -> Fit {
        let name = claim.id.quoted
        guard let app = claim.app else { return .unclear("Its process does not contradict \(name).") }
        if let box = boxed(app, name) { return box }
        guard let executable = facts.executable, let program else {
            return .unclear("The program of its process is hidden, so nothing contradicts \(name).")
        }
        guard let start = app.start else {
            return .unclear("The entry \(name) does not say what it starts.")
        }
        let what = executable.quoted
        let names = [start.name, start.realName].compactMap(\.self)
        if names.contains(where: { ProgramName.areAkin($0, program) }) {
            return .fits("Its process \(what) is what the entry \(name) starts.")
        }
        if let image = facts.appImage, names.contains(where: { ProgramName.areAkin($0, image) }) {
            return .fits("Its process is the AppImage \(image.quoted), which the entry \(name) starts.")
        }
        if let folder = start.folder,
            executable.hasPrefix(folder + "/") || (script?.hasPrefix(folder + "/") ?? false)
        {
            return .fits("Its process \(what) is a part of what the entry \(name) starts.")
        }
        if ProgramName.isInterpreter(program) { return run(start, names, name, program) }
        if start.steamGame != nil, executable.contains("/steamapps/") {
            return .fits("Its process \(what) is one of Steam's games, as the entry \(name) says.")
        }
        let isOfSystem = Self.isOfSystem(executable)
        if isOfSystem, ProgramName.isInterpreter(start.name) || start.isScript {
            return .unclear("The entry \(name) starts a script, which may have started \(what).")
        }
        if isOfSystem, !ProgramFinder.sharedFolders.contains(ProgramName.folder(executable)) {
            return .unclear("Its process \(what) may be a helper of \(name).")
        }
        return .misfit("Its process \(what) is not what the entry \(name) starts.")
    }

    /// What runs in a sandbox can be nothing else.
    private func boxed(_ app: AppEntry, _ name: String) -> Fit? {
        if let id = facts.flatpak {
            let isOf = app.flatpak == id || app.id == id || app.id.hasPrefix(id + ".")
            let box = "Its process runs in the Flatpak \(id.quoted)"
            return isOf ? .fits("\(box), as \(name) does.") : .misfit("\(box), but \(name) does not.")
        }
        if let snap = facts.snap {
            let isOf = app.snap == snap || app.id == snap || app.id.hasPrefix(snap + "_")
            let box = "Its process runs in the snap \(snap.quoted)"
            return isOf ? .fits("\(box), as \(name) does.") : .misfit("\(box), but \(name) does not.")
        }
        guard let executable = facts.executable else { return nil }
        if app.origin == .flatpak, !executable.hasPrefix("/app/") {
            return .misfit(
                "Its process \(executable.quoted) does not run in a Flatpak, as \(name) does."
            )
        }
        return nil
    }

    private func run(_ start: AppStart, _ names: [String], _ name: String, _ program: String) -> Fit {
        let runs = "\(program.quoted) runs it"
        if let script, names.contains(where: { ProgramName.areAkin($0, ProgramName.base(script)) }) {
            return .fits("\(runs), and it is what the entry \(name) starts.")
        }
        return .unclear("\(runs), which runs many things: what the window says is believed.")
    }

    /// The claim of the system's browser, when the process is one.
    func browser() -> AppClaim? {
        let why = "its process is that browser"
        return catalogue.apps.lazy.filter { $0.isBrowser && !$0.isOwn }
            .map { AppClaim(id: $0.id, app: $0, clue: .executable, why: why) }
            .first { if case .fits = fit($0) { true } else { false } }
    }

    /// A site in a window of its own, and not the whole browser.
    func isSite(_ window: DesktopWindow) -> Bool {
        let isNamed = [window.instance, window.windowClass].contains { $0?.hasPrefix("crx_") == true }
        // Some browsers write all they were given as one word.
        return isNamed || facts.arguments.contains { $0.contains("--app=") || $0.contains("--app-id=") }
    }

    static func isOfSystem(_ path: String) -> Bool { systemPlaces.contains(where: path.hasPrefix) }

    // MARK: - A name of its own

    func ownName(_ window: DesktopWindow) -> (text: String, why: String)? {
        if let image = facts.appImage {
            let name = ProgramName.plain(image)
            return (name, "that is the AppImage that its process was started from")
        }
        guard let program else {
            return facts.arguments.first.map { (ProgramName.plain($0), "its process gives itself that name") }
        }
        guard ProgramName.isInterpreter(program) else {
            return (ProgramName.plain(program), "that is the name of its executable")
        }
        let said = [window.windowClass, window.instance].compactMap(\.self).first {
            !WindowClaim.isGeneric($0)
        }
        if let said { return (said, "\(program.quoted) runs it, and its window has that name") }
        if let script { return (ProgramName.plain(script), "that is what \(program.quoted) runs") }
        return (program, "that is the name of its executable")
    }
}
