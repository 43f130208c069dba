import Glibc
import STContracts
import STPlatform

@main
enum Main {
    /// A drawing takes well under a second; this one has run away.
    private static let cpuSeconds: rlim_t = 30
    private static let memoryBytes: rlim_t = 3 << 30

    static func main() {
        Signals.ignoreBrokenPipes()
        limit(__rlimit_resource_t(RLIMIT_CPU.rawValue), cpuSeconds)
        limit(__rlimit_resource_t(RLIMIT_AS.rawValue), memoryBytes)
        let draw: () throws -> (any WireBody, isOnStandardOutput: Bool)
        do {
            let isPage = try isPage(CommandLine.arguments.dropFirst())
            let bytes = try Input.all(limitBytes: DrawLimits.requestBytes)
            if isPage {
                let job = try PageJob(bytes)
                draw = { try job.run() }
            } else {
                let job = try DrawingJob(bytes)
                draw = { try job.run() }
            }
        } catch {
            fail(error, status: 2)
        }
        do {
            let (answer, isOnStandardOutput) = try draw()
            Output.write(
                try answer.encodedBody() + [0x0A],
                isOnStandardOutput ? STDERR_FILENO : STDOUT_FILENO
            )
        } catch {
            fail(error, status: 1)
        }
    }

    /// Which of the two requests comes: each is read as what it is, so its faults are named as such.
    private static func isPage(_ arguments: ArraySlice<String>) throws(Problem) -> Bool {
        guard arguments.count <= 1, arguments.isEmpty || arguments.first == "--page" else {
            throw Problem(
                "draw.bad_argument",
                "The one argument there is, is --page; without it a shield is read."
            )
        }
        return !arguments.isEmpty
    }

    /// For people on standard error, for programs on standard output.
    private static func fail(_ error: any Error, status: Int32) -> Never {
        let problem = error as? Problem ?? Problem("draw.failed", "It could not be drawn: \(error)")
        Output.write(Array("screentime-draw: \(problem)\n".utf8), STDERR_FILENO)
        Output.write(((try? problem.encodedBody()) ?? []) + [0x0A], STDOUT_FILENO)
        exit(status)
    }

    private static func limit(_ resource: __rlimit_resource_t, _ value: rlim_t) {
        var limits = rlimit(rlim_cur: value, rlim_max: value)
        setrlimit(resource, &limits)
    }
}
