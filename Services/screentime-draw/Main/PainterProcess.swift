import Glibc
import STContracts
import STDrawing
import STPlatform

/// The process that draws for `--stay`. It is a fork of this process, made while there is only one thread.
final class PainterProcess {
    private static let answerBytesMax = 1 << 20
    private let pid: pid_t
    private let socket: OwnedDescriptor
    private var isReaped = false

    init() throws(Problem) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
        else {
            throw SystemError.last("socketpair")
        }
        let (own, other) = (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
        let pid = fork()
        guard pid >= 0 else { throw SystemError.last("fork") }
        if pid == 0 {
            close(ends[0])
            PainterLoop(socket: ends[1]).run()
        }
        self.pid = pid
        socket = own
        _ = other
    }

    /// Sends a request. Returns nil if the process did not answer in time, or has ended.
    func request(_ line: [UInt8], within timeout: Duration) -> Frame? {
        guard Frame.write(line, .plain, to: socket.number) else { return nil }
        return Frame.read(
            socket.number,
            limitBytes: Self.answerBytesMax,
            by: SuspendingClock.now + timeout
        )
    }

    /// Ends the process if it still runs. Returns the reason of its end, as the last part of a sentence.
    @discardableResult
    func end() -> String {
        guard !isReaped else { return "it has ended" }
        isReaped = true
        var status: Int32 = 0
        // A crashed process needs a moment to end. Waiting for it gives the signal of the crash.
        for _ in 0..<50 where waitpid(pid, &status, WNOHANG) == 0 { _ = poll(nil, 0, 1) }
        let isLate = kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid
        if isLate { return "it took longer than \(TextFormat.duration(ms: DrawLimits.deadlineMs))" }
        let signal = status & 0x7F
        return signal == 0 ? "its process ended by itself" : "its process ended by \(Signals.name(signal))"
    }

    deinit { end() }
}

/// The main loop of the second process of `--stay`. It draws many pictures with fonts that stay loaded.
struct PainterLoop {
    /// The number of drawings after which the process ends, to free memory that libraries leak.
    private static let drawingsMax = 300
    private static let residentKiBMax = 192 << 10

    let socket: Int32

    func run() -> Never {
        close(STDIN_FILENO)
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        // The reader of the answers waits for the end of standard output, and must not wait for this process.
        dup2(null, STDOUT_FILENO)
        Limits.begin()
        if !Descriptor.isReadable(socket, by: .now) { Warmup.run() }
        var drawings = 0
        while let frame = Frame.read(socket, limitBytes: DrawLimits.requestBytes, by: nil) {
            Limits.raise()
            drawings += 1
            let (answer, isSound) = Self.handle(frame.bytes)
            let isLast =
                !isSound || drawings >= Self.drawingsMax || Limits.residentKiB() > Self.residentKiBMax
            let bytes = (try? answer.encodedBody()) ?? Array("{}".utf8)
            guard Frame.write(bytes, isLast ? .last : .plain, to: socket), !isLast else { break }
        }
        _exit(0)
    }

    /// Draws one request. If a drawing fails, the libraries may be in an inconsistent state, so the process must end.
    private static func handle(_ line: [UInt8]) -> (answer: DrawSessionReply, isSound: Bool) {
        let number = (try? DrawingSession.Numbered.decodedBody(line))?.number
        let job: any Job
        do {
            job = try Self.job(try DrawSessionRequest.decodedBody(line))
        } catch {
            return (DrawSessionReply(number: number, problem: problem(error)), true)
        }
        do {
            var answer = try job.run().sessionReply
            answer.number = number
            return (answer, true)
        } catch {
            return (DrawSessionReply(number: number, problem: problem(error)), false)
        }
    }

    private static func job(_ request: DrawSessionRequest) throws -> any Job {
        let job: any Job
        switch (request.shield, request.page, request.panel) {
        case (let shield?, nil, nil): job = try ShieldJob(shield)
        case (nil, let page?, nil): job = try PageJob(page)
        case (nil, nil, let panel?): job = try PanelJob(panel)
        default:
            throw Problem("draw.bad_request", "Each line must have exactly one of shield, page and panel.")
        }
        guard job.output != "-" else {
            throw Problem(
                "draw.bad_path",
                """
                The output cannot be standard output, because the replies go there. Specify an absolute \
                path.
                """,
                key: "draw.bad_path.the-output-is-an",
                field: "/output"
            )
        }
        return job
    }

    private static func problem(_ error: any Error) -> Problem {
        error as? Problem ?? Problem("draw.failed", "Drawing failed: \(error, "error")")
    }
}

/// Loads fonts before the first request.
enum Warmup {
    static func run() {
        for language in [nil, "ko"] {
            var scene = ShieldDrawingRequest(
                look: SystemAppearance.appearance(name: "Firefox", language: language),
                width: 320,
                height: 240
            )
            scene.language = language
            _ = try? ShieldDrawing.draw(scene)
        }
    }
}

/// A message between the two processes of `--stay`: a length, a mark and the bytes.
struct Frame {
    enum Mark: UInt8 {
        case plain
        /// The last answer. The process ends after it.
        case last
    }

    var mark: Mark
    var bytes: [UInt8]

    private static let headerBytes = 5

    static func write(_ bytes: [UInt8], _ mark: Mark, to descriptor: Int32) -> Bool {
        let count = UInt32(clamping: bytes.count)
        let head = (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } + [mark.rawValue]
        return Output.write(head, descriptor) && Output.write(bytes, descriptor)
    }

    /// Returns nil if no message arrives in time, or if the other process has ended.
    static func read(_ descriptor: Int32, limitBytes: Int, by deadline: SuspendingClock.Instant?) -> Frame? {
        guard let head = Descriptor.read(descriptor, count: headerBytes, by: deadline) else { return nil }
        let count = (0..<4).reduce(0) { $0 | Int(head[$1]) << (8 * $1) }
        guard count <= limitBytes, let mark = Mark(rawValue: head[4]),
            let bytes = Descriptor.read(descriptor, count: count, by: deadline)
        else { return nil }
        return Frame(mark: mark, bytes: bytes)
    }
}
