import Glibc
import STContracts
import STDrawing
import STPlatform

/// What the second process of `--stay` does: drawing after drawing, with fonts that stay loaded.
struct PainterLoop {
    /// Whatever a library forgets to give back ends with the process.
    private static let drawingsMax = 300
    private static let residentKiBMax = 192 << 10

    let socket: Int32

    func run() -> Never {
        close(STDIN_FILENO)
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        // Whoever waits for the end of the answers must not wait for this process.
        dup2(null, STDOUT_FILENO)
        Limits.begin()
        if !Descriptor.isReadable(socket, by: Stopwatch.milliseconds()) { Warming.run() }
        var drawings = 0
        while let frame = Frame.read(socket, limitBytes: DrawLimits.requestBytes, by: .max) {
            Limits.allowMore()
            drawings += 1
            let (answer, isSound) = Self.draw(frame.bytes)
            let isLast =
                !isSound || drawings >= Self.drawingsMax || Limits.residentKiB() > Self.residentKiBMax
            let bytes = (try? answer.encodedBody()) ?? Array("{}".utf8)
            guard Frame.write(bytes, isLast ? .last : .plain, to: socket), !isLast else { break }
        }
        _exit(0)
    }

    /// What failed in the middle may have left something broken behind: nothing more is drawn here then.
    private static func draw(_ line: [UInt8]) -> (answer: DrawStayAnswer, isSound: Bool) {
        let number = (try? Stay.Numbered.decodedBody(line))?.number
        let job: any Job
        do {
            job = try Self.job(try DrawStayRequest.decodedBody(line))
        } catch {
            return (DrawStayAnswer(number: number, problem: problem(error)), true)
        }
        do {
            var answer = try job.run().stay
            answer.number = number
            return (answer, true)
        } catch {
            return (DrawStayAnswer(number: number, problem: problem(error)), false)
        }
    }

    private static func job(_ request: DrawStayRequest) throws -> any Job {
        let job: any Job
        switch (request.shield, request.page, request.panel) {
        case (let shield?, nil, nil): job = try DrawingJob(shield)
        case (nil, let page?, nil): job = try PageJob(page)
        case (nil, nil, let panel?): job = try PanelJob(panel)
        default:
            throw Problem("draw.bad_request", "A line has exactly one of shield, page and panel.")
        }
        guard job.output != "-" else {
            throw Problem(
                "draw.bad_path",
                "The output is an absolute path here: standard output has the answers.",
                field: "/output"
            )
        }
        return job
    }

    private static func problem(_ error: any Error) -> Problem {
        error as? Problem ?? Problem("draw.failed", "It could not be drawn: \(error)")
    }
}
