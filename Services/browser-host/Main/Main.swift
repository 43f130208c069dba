import Glibc
import STContracts
import STPlatform
import STZeroMQ

/// Started by a browser for the extension of Screen Time: tells desktop-agent what the extension says.
///
/// Browsers write each message behind its length, in four bytes of the machine's own order, and close the pipe at the end.
@main
enum Main {
    /// A host's name and a few words; an extension that sends more is not ours.
    private static let messageBytesMax: UInt32 = 4_096

    static func main() async {
        Signals.ignoreBrokenPipes()
        do {
            let arguments = CommandLine.arguments.dropFirst()
            if arguments.first == "--unpack", let folder = arguments.dropFirst().first {
                try ExtensionFiles.unpack(into: folder)
            } else {
                try await hear()
            }
        } catch {
            let problem = Problem(error)
            Log.standard(service: "browser-host", level: .info).problem("ended", problem)
            exit(1)
        }
    }

    private static func hear() async throws {
        let directories = try Directories.from(environment: ProcessEnvironment.current())
        let loop = try BusLoop()
        let teller = BrowserTeller(loop, directories)
        while let head = try read(4) {
            let count = head.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
            guard count <= messageBytesMax else {
                throw Problem(
                    "browser.message_too_large",
                    "A message of the extension has at most \(messageBytesMax) bytes. Install the extension anew.",
                    help: "screentime browser enable chromium"
                )
            }
            guard let body = try read(Int(count)) else { break }
            await teller.take(try BrowserTell.Request.decodedBody(body))
        }
        await teller.end()
    }

    /// Nil at the end of the pipe.
    private static func read(_ count: Int) throws -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes[done...].withUnsafeMutableBytes {
                Glibc.read(STDIN_FILENO, $0.baseAddress, $0.count)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw SystemError.last("read") }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }
}

/// Says the newest word of the extension, and repeats it while the browser is in front, so that a restarted desktop-agent knows it too.
actor BrowserTeller {
    private static let deadlineMs: Int64 = 2_000

    private let loop: BusLoop
    private let client: BusClient
    private let log = Log.standard(service: "browser-host", level: .info)
    private var word: BrowserTell.Request?
    private var isNew = false
    private var isTelling = false
    private var refusal: String?
    private var beat: Alarm?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    init(_ loop: BusLoop, _ directories: Directories) {
        self.loop = loop
        client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
    }

    func take(_ word: BrowserTell.Request) {
        if beat == nil {
            beat = Alarm(loop.thread) { [weak self] in self?.assumeIsolated { $0.repeatWord() } }
        }
        self.word = word
        isNew = true
        tell()
    }

    func end() async {
        word?.focused = false
        word?.host = nil
        if let word { await say(word) }
    }

    private func repeatWord() {
        guard word?.focused == true else { return }
        isNew = true
        tell()
    }

    private func tell() {
        guard !isTelling else { return }
        isTelling = true
        Task { await tellAll() }
    }

    private func tellAll() async {
        while isNew, let word {
            isNew = false
            await say(word)
        }
        isTelling = false
        beat?.ring(afterMs: BrowserTell.beatMs)
    }

    private func say(_ word: BrowserTell.Request) async {
        do {
            _ = try await client.call(BrowserTell.self, word, CallOptions(timeoutMs: Self.deadlineMs))
            refusal = nil
        } catch {
            // Screen Time may not be running, and says so itself.
            let problem = Problem(error)
            if refusal != problem.code { log.problem("not_told", problem) }
            refusal = problem.code
        }
    }
}
