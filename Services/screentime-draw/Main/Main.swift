import Glibc
import STContracts
import STDrawing
import STPlatform

@main
enum Main {
    private enum Mode: String {
        case shield = ""
        case page = "--page"
        case panel = "--panel"
        case stay = "--stay"
    }

    static func main() {
        Signals.ignoreBrokenPipes()
        // The memory contains a person's usage, so other processes must not read it.
        ProcessMemory.close()
        let job: any Job
        do {
            let mode = try mode(CommandLine.arguments.dropFirst())
            if mode == .stay {
                var stay = DrawingSession()
                stay.run()
                exit(0)
            }
            Limits.applyToOneDrawing()
            job = try Self.job(mode, try Input.readAll(limitBytes: DrawLimits.requestBytes))
        } catch {
            fail(error, status: 2)
        }
        do {
            let done = try job.run()
            Output.write(
                try done.answer.encodedBody() + [0x0A],
                done.isOnStandardOutput ? STDERR_FILENO : STDOUT_FILENO
            )
        } catch {
            fail(error, status: 1)
        }
    }

    private static func job(_ mode: Mode, _ bytes: [UInt8]) throws -> any Job {
        switch mode {
        case .page: try PageJob(try DrawPageRequest.decodedBody(bytes))
        case .panel: try PanelJob(try DrawPanelRequest.decodedBody(bytes))
        case .shield, .stay: try ShieldJob(try DrawRequest.decodedBody(bytes))
        }
    }

    private static func mode(_ arguments: ArraySlice<String>) throws(Problem) -> Mode {
        guard arguments.count <= 1, let mode = Mode(rawValue: arguments.first ?? "") else {
            throw Problem(
                "draw.bad_argument",
                """
                Valid arguments: --page, --panel, --stay. Without an argument, screentime-draw reads a \
                shield.
                """
            )
        }
        return mode
    }

    /// Writes the problem to standard error for people and to standard output for programs, and exits.
    private static func fail(_ error: any Error, status: Int32) -> Never {
        let problem =
            error as? Problem
            ?? Problem(
                "draw.failed",
                "Drawing failed: \(error, "error")"
            )
        Output.write(Array("screentime-draw: \(problem)\n".utf8), STDERR_FILENO)
        Output.write(((try? problem.encodedBody()) ?? []) + [0x0A], STDOUT_FILENO)
        exit(status)
    }
}
