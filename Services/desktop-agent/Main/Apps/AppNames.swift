import STContracts
import STDesktop
import STDesktopCore
import STDomain
import STPlatform
import STScreen
import STServiceKit
import STZeroMQ

/// The apps on this computer, and the app of each window.
///
/// The desktop entries are read outside of the bus thread at the start, and again after the kernel reports an installation
/// or a removal.
actor AppNames {
    /// Upper bound on the windows whose app is cached. Without the cache, /proc would be read for each window.
    private static let cacheMax = 4_000
    private static let unknown = "unknown"
    private static let acceptedBytesMax = 1_000_000

    private struct Key: Hashable {
        var window: WindowID
        var windowClass: String?
        var instance: String?
        var desktopFile: String?
        var pid: Int32?
        var claimedPid: Int32?
    }

    private let surroundings: ServiceEnvironment
    private let environment: [String: String]
    private let folders: [String]
    private let language: String?
    private var resolver: AppResolver
    /// True after the first reading of the desktop entries, or if there are no folders to read.
    private var hasReadEntries: Bool
    private let screenThread = ScreenThread()
    private var cache: [Key: AppIdentity] = [:]
    private var liveCatalogue: LiveCatalogue?
    /// The programs that a guardian accepted. `nil` unless a child on a protected computer uses this session.
    private var accepted: AcceptedPrograms?
    private var acceptedWatch: PathWatch?
    private var onChange: @Sendable () -> Void = {}

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ surroundings: ServiceEnvironment, environment: [String: String], language: String?) {
        self.surroundings = surroundings
        self.environment = environment
        self.language = language
        folders = AppEntryFolders.list(
            surroundings.configuration.value(.desktopFolders),
            isVirtual: surroundings.time.virtual != nil,
            environment: environment
        )
        resolver = AppResolver(AppCatalogue(), language: language)
        hasReadEntries = folders.isEmpty
    }

    /// Starts to read and watch the apps. `changed` is called on the bus thread when windows may belong to other apps than before.
    func start(_ changed: @escaping @Sendable () -> Void) {
        self.onChange = changed
        let thread = surroundings.loop.thread
        let live = LiveCatalogue(
            thread,
            folders: folders,
            languages: [language, "ko"].compactMap(\.self),
            environment: environment,
            // Uses an existing thread, because the pool of tasks would start one that wakes up every second.
            aside: { [screenThread] in screenThread.run($0) }
        ) { [weak self] catalogue in
            thread.post { [weak self] in self?.assumeIsolated { $0.apply(catalogue) } }
        }
        if let problem = live.problem { surroundings.log.problem("programs_not_watched", problem) }
        self.liveCatalogue = live
    }

    func stop() {
        liveCatalogue?.close()
        acceptedWatch = nil
    }

    /// Sets if a child uses this session. It has an effect only on a protected computer.
    func setChildProtection(_ isChild: Bool) {
        let isGuarded = isChild && surroundings.directories.isProtectedAccount
        guard isGuarded != (accepted != nil) else { return }
        acceptedWatch = nil
        guard isGuarded else { return set(nil) }
        watchAccepted()
    }

    /// Reads and watches the list of accepted programs. The folder is watched too, because it does not exist before the first
    /// program is accepted.
    private func watchAccepted() {
        let file = Directories.acceptedPrograms
        let thread = surroundings.loop.thread
        acceptedWatch = PathWatch([file, ProgramName.folder(file)], on: thread.currentWaiter) { [weak self] in
            thread.post { [weak self] in
                self?.assumeIsolated { if $0.accepted != nil { $0.watchAccepted() } }
            }
        }
        let bytes = try? AtomicFile.read(file, limitBytes: Self.acceptedBytesMax)
        set(AcceptedPrograms(String(decoding: bytes ?? [], as: UTF8.self)))
    }

    private func set(_ accepted: AcceptedPrograms?) {
        guard accepted != self.accepted else { return }
        self.accepted = accepted
        resolver.accepted = accepted
        cache = [:]
        onChange()
    }

    /// The number of apps that can be chosen.
    var count: Int { resolver.catalogue.apps.count(where: \.isShown) }

    func app(of window: DesktopWindow) -> AppIdentity? {
        let key = Key(
            window: window.id,
            windowClass: window.windowClass,
            instance: window.instance,
            desktopFile: window.desktopFile,
            pid: window.pid,
            claimedPid: window.claimedPid
        )
        if let known = cache[key] { return known }
        let found = resolver.identity(of: window)
        if cache.count >= Self.cacheMax { cache = [:] }
        cache[key] = found
        return found
    }

    func isBrowser(_ app: String) -> Bool {
        resolver.catalogue.apps.contains { $0.id == app && $0.isBrowser }
    }

    /// Returns the app for which a notification counts.
    func app(of source: NotificationSource) -> String {
        switch source {
        case .desktopEntry(let entry): resolveID(called: entry) ?? entry
        case .named(let name): resolveID(called: name) ?? name
        case .process(let pid):
            ProcessFacts.read(pid: pid).executable?.split(separator: "/").last.map(String.init)
                ?? Self.unknown
        case .unknown: Self.unknown
        }
    }

    /// Returns the id of the app with this id or name, ignoring case.
    private func resolveID(called name: String) -> String? {
        let wanted = name.lowercased()
        let apps = resolver.catalogue.apps
        let found =
            apps.first { $0.id.lowercased() == wanted } ?? apps.first { $0.name.lowercased() == wanted }
        return found?.id
    }

    func page(_ request: DesktopCatalogue.Request) throws -> DesktopCatalogue.Reply {
        try CatalogueReplyBuilder.page(
            request,
            hasReadEntries ? resolver.catalogue : nil,
            categories: CategoryMap(),
            language: language
        )
    }

    private func apply(_ catalogue: AppCatalogue) {
        hasReadEntries = true
        guard catalogue.version != resolver.catalogue.version else { return }
        resolver = AppResolver(catalogue, language: language)
        resolver.accepted = accepted
        cache = [:]
        surroundings.log.info(
            "programs",
            "The programs of this computer were read.",
            fields: [
                "programs": .number(Int64(catalogue.apps.count)),
                "broken": .number(Int64(catalogue.unreadableCount)),
            ]
        )
        onChange()
    }
}
