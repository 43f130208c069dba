import Glibc
import STContracts
import STDesktop
import STPlatform
import STScreen
import STServiceKit

/// `desktop-agent --probe`: examines the desktop once, prints the result on one line, and ends.
///
/// No service is started.
enum ProbeCommand {
    private static let sessionTimeout = Duration.seconds(3)

    static func run() -> Int32 {
        let environment = ProcessEnvironment.current()
        let signs = ScreenProbeResult.probe(environment)
        do {
            let directories = try Directories.from(environment: environment)
            let configuration = try Configuration.load(path: directories.config, environment: environment)
            let choice = AdapterChoice.make(signs, setting: configuration.value(.desktopAdapter))
            let folders = AppEntryFolders.list(
                configuration.value(.desktopFolders),
                isVirtual: false,
                environment: environment
            )
            let catalogue = AppCatalogue.read(folders, languages: [], environment: environment)
            let facts = DoctorFactCollector.facts(
                configuration,
                session: try session(environment),
                programs: catalogue.apps.count(where: \.isShown)
            )
            let report = DoctorReport.make(signs, choice: choice, facts: facts)
            print(String(decoding: try report.encodedBody(), as: UTF8.self))
            return 0
        } catch {
            let problem = Problem(error)
            print(problem.message)
            return 1
        }
    }

    /// Returns nil if the buses do not answer in time.
    private static func session(_ environment: [String: String]) throws -> SessionFacts? {
        let thread = try LoopThread(name: "probe")
        let answer = PendingReply<SessionFacts>()
        let watch = SessionWatch(thread: thread, environment: environment) { _ in }
        Task.detached {
            await watch.start()
            answer.fulfill(await watch.facts())
        }
        return answer.wait(within: sessionTimeout)
    }
}
