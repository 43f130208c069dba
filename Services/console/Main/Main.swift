import Glibc
import STContracts
import STPages
import STPlatform

/// `console [--at PART]` prints a link that opens the page in a browser once. `console --serve` runs the server.
///
/// The first form starts the server if none runs. The server ends after some time without a browser.
@main
enum Main {
    private static let idleLimit: Duration = .seconds(60 * 15)
    private static let startTimeout: Duration = .seconds(10)

    static func main() async {
        Signals.unblockAll()
        Signals.ignoreBrokenPipes()
        // Passcodes pass through this process.
        ProcessMemory.close()
        do {
            let place = try Place(ProcessEnvironment.current())
            let arguments = Array(CommandLine.arguments.dropFirst())
            if arguments.first == "--serve" {
                try await serve(place)
            } else {
                try await link(place, to: arguments.first == "--at" ? arguments.last ?? "" : "today")
            }
        } catch {
            let problem = Problem(error)
            _ = OwnedDescriptor.write(Array((problem.message + "\n").utf8), to: STDERR_FILENO)
            exit(1)
        }
    }

    // MARK: - The link

    private static func link(_ place: Place, to part: String) async throws {
        guard ConsoleAnswer.views.contains("/" + part) else {
            let parts = ConsoleAnswer.views.map { String($0.dropFirst()) }.sorted().joined(separator: ", ")
            throw Problem(
                "console.no_part",
                "The page has no part \(part, "part"). Valid parts: \(parts, "parts")."
            )
        }
        let deadline = SuspendingClock.now + startTimeout
        if let old = place.outdatedPID { kill(old, SIGTERM) }
        var server: SpawnedProcess?
        while !place.isServed {
            guard SuspendingClock.now < deadline else {
                throw Problem(
                    "console.no_server",
                    "The page did not start within 10 s. Look at \(place.log, "log")."
                )
            }
            // The server ends immediately if another one has not ended yet, or was started at the same time.
            if server.map({ $0.wait(deadlineMs: 0) != nil }) ?? true { server = try startServer(place) }
            try await Task.sleep(for: .milliseconds(20))
        }
        let served = try ConsoleInstance.decodedBody(try AtomicFile.read(place.file, limitBytes: 4_096))
        print(try Console.link(port: served.port, key: served.key, to: part))
    }

    private static func startServer(_ place: Place) throws -> SpawnedProcess {
        guard let program = ProcFile.ownExecutable() else {
            throw Problem("console.no_program", "Cannot read /proc/self/exe. Mount /proc, and try again.")
        }
        try Directories.prepare(place.folder)
        try Directories.prepare(place.directories.state)
        try Directories.prepare(place.directories.logs)
        let log = open(place.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard log >= 0 else { throw SystemError.last("open \(place.log)") }
        let output = OwnedDescriptor(log)
        return try SpawnedProcess(
            SpawnPlan(
                executable: program,
                arguments: ["--serve"],
                environment: place.environment,
                workingDirectory: "/",
                standardOutput: output.number,
                standardError: output.number,
                startsSession: true
            )
        )
    }

    // MARK: - The server

    private static func serve(_ place: Place) async throws {
        // If two servers were started at the same time, the other one serves.
        let lock: InstanceLock
        do { lock = try InstanceLock(path: place.lock, what: "the console") } catch { return }
        let kept = try? ConsoleInstance.decodedBody(try AtomicFile.read(place.file, limitBytes: 4_096))
        let console = try await Console(
            place.environment,
            place.directories,
            kept: kept?.key,
            assets: PageFiles.all
        )
        let port = try console.serve(port: place.wantedPort ?? UInt16(clamping: kept?.port ?? 0))
        let served = ConsoleInstance(
            port: Int(port),
            key: console.keyText,
            pid: getpid(),
            program: Place.program
        )
        try AtomicFile.write(try served.encodedBody(), to: place.file, durable: false)
        while (console.idleTime ?? .zero) < idleLimit { try await Task.sleep(for: .seconds(10)) }
        withExtendedLifetime((lock, console)) {}
    }
}

/// The folder with the console's port and key.
private struct Place: Sendable {
    let environment: [String: String]
    let directories: Directories

    init(_ environment: [String: String]) throws(Problem) {
        self.environment = environment
        directories = try Directories.from(environment: environment)
    }

    var folder: String { directories.run + "/console" }
    var file: String { folder + "/served.json" }
    var lock: String { folder + "/lock" }
    var log: String { directories.log(service: "console") }

    /// The running server. `nil` if the file belongs to a server that has ended.
    private var instance: ConsoleInstance? {
        guard let served = try? ConsoleInstance.decodedBody(try AtomicFile.read(file, limitBytes: 4_096)),
            InstanceLock.holder(path: lock) == served.pid
        else { return nil }
        return served
    }

    var isServed: Bool { instance?.program == Self.program }

    /// The process id of a server from before an upgrade. The next server uses its port and key, so that browsers continue.
    var outdatedPID: Int32? { instance.flatMap { $0.program == Self.program ? nil : $0.pid } }

    /// An identifier of this program's file, which changes with an upgrade.
    ///
    /// A server writes its own identifier to the file, because no process may examine another closed one.
    static let program: String = {
        var about = stat()
        guard stat("/proc/self/exe", &about) == 0 else { return "unknown" }
        return "\(about.st_dev) \(about.st_ino) \(about.st_mtim.tv_sec)"
    }()

    var wantedPort: UInt16? { environment["SCREENTIME_CONSOLE_PORT"].flatMap { UInt16($0) } }
}

private struct ConsoleInstance: WireBody, Codable, Equatable {
    var port: Int
    var key: String
    var pid: Int32
    /// The server's program, see `Place.program`.
    var program: String
}

/// The files of `Page`, in the form in which they are served.
private enum PageFiles {
    private static let script = PageAsset.script

    static let all: [String: PageAsset] = PageAsset.common.merging([
        "index.html": PageAsset(bytes: PackageResources.index_html, type: "text/html; charset=utf-8"),
        "console.js": PageAsset(bytes: PackageResources.console_js, type: script),
        "help.js": PageAsset(bytes: PackageResources.help_js, type: script),
        "inside.js": PageAsset(bytes: PackageResources.inside_js, type: script),
        "live.js": PageAsset(bytes: PackageResources.live_js, type: script),
        "past.js": PageAsset(bytes: PackageResources.past_js, type: script),
        "people.js": PageAsset(bytes: PackageResources.people_js, type: script),
        "reports.js": PageAsset(bytes: PackageResources.reports_js, type: script),
        "requests.js": PageAsset(bytes: PackageResources.requests_js, type: script),
        "rules.js": PageAsset(bytes: PackageResources.rules_js, type: script),
        "thing.js": PageAsset(bytes: PackageResources.thing_js, type: script),
        "timeline.js": PageAsset(bytes: PackageResources.timeline_js, type: script),
        "today.js": PageAsset(bytes: PackageResources.today_js, type: script),
        "why.js": PageAsset(bytes: PackageResources.why_js, type: script),
        "words.js": PageAsset.localized(PackageResources.words_js, area: "console-page"),
    ]) { $1 }
}
