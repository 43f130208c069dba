import Glibc
import STCSystemd
import STCommandCore
import STContracts
import STDesktop
import STPausing
import STPlatform

/// `screentime protect hold`: pauses a child's shielded apps while desktop-agent does not run in the session.
///
/// systemd starts it as the child's account when the account's door reports an unobserved screen. It runs outside the session, so
/// that the child cannot stop it. It draws no shield and only pauses the apps.
enum HoldCommand {
    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let environment = invocation.environment
        let directories = try Directories.from(environment: environment)
        let mark = Directories.observationGapFile(getuid())
        let thread = try LoopThread(name: "hold")
        let catalogue = LiveCatalogue(
            thread,
            folders: AppEntryFolders.list("", isVirtual: false, environment: environment),
            languages: [],
            environment: environment
        ) { _ in }
        let facts = PauseExemptionFacts(ownPids: [getpid(), getppid()], runDirectory: directories.run)
        let pauser = try AppPauser(journal: PauseJournal(directories), environment: environment) { facts }
        try await ServiceClients.with(directories) { clients in
            await pauser.thawAll()
            _ = sd_notify(0, "READY=1")
            var held: Set<String> = []
            var lastReply = SuspendingClock.now
            while access(mark, F_OK) == 0 {
                var shielded: [String: [Int32]] = [:]
                _ = sd_notify(0, "WATCHDOG=1")
                for (app, pids) in running(catalogue.current) {
                    _ = sd_notify(0, "WATCHDOG=1")
                    let request = ShieldDecide.Request(subject: ShieldSubject(app: app))
                    let reply = try? await clients.call(ShieldDecide.self, request, timeout: timeout)
                    if reply != nil { lastReply = .now }
                    // The account can keep its own door busy. If Screen Time does not reply for long, no app stays paused.
                    let isSilent = SuspendingClock.now - lastReply >= silenceTimeout
                    if reply?.decision.isShielded ?? (held.contains(app) && !isSilent) {
                        shielded[app] = pids
                    }
                    if access(mark, F_OK) != 0 { break }
                }
                for app in held where shielded[app] == nil { await pauser.thaw(app: app) }
                for (app, pids) in shielded where access(mark, F_OK) == 0 {
                    _ = await pauser.pause(app: app, pids: pids)
                }
                held = Set(shielded.keys)
                // desktop-agent must find the apps in their original state.
                for _ in 0..<checkInterval.ms / markInterval.ms where access(mark, F_OK) == 0 {
                    try await Task.sleep(for: markInterval)
                }
            }
        }
        await pauser.close()
        catalogue.close()
        thread.stop()
        return .done
    }

    private static let checkInterval: Duration = .seconds(2)
    private static let markInterval: Duration = .milliseconds(250)
    private static let timeout: Duration = .seconds(1)
    private static let silenceTimeout: Duration = .seconds(30)

    /// Returns the processes of apps in menus. Parts of the desktop are never paused.
    private static func running(_ catalogue: AppCatalogue) -> [String: [Int32]] {
        let shown = Set(catalogue.apps.lazy.filter(\.isShown).map(\.id))
        let resolver = AppResolver(catalogue)
        var found: [String: [Int32]] = [:]
        for pid in ProcessView.capture().entries.keys where ProcessFolder(pid).account == getuid() {
            let app = resolver.identity(of: DesktopWindow(id: WindowID("process:\(pid)"), pid: pid)).id
            if shown.contains(app) { found[app, default: []].append(pid) }
        }
        return found
    }
}
