import Glibc
import STContracts
import STPlatform
import STZeroMQ

/// A browser starts browser-host for the extension of Screen Time. browser-host reports its messages to desktop-agent.
///
/// Browsers write each message after its length, in four bytes of the machine's byte order. They close the pipe at the end.
@main
enum Main {
    /// Enough for the names of two hundred hosts. Screen Time's extension never sends more.
    private static let messageBytesMax: UInt32 = 64 * 1024

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
        let client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
        let shields = SiteShields(
            loop,
            client,
            language: SessionLanguage.tag(ProcessEnvironment.current())
        ) { write($0) }
        let teller = BrowserTeller(loop, client, shields)
        await shields.listen { Task { await teller.tell() } }
        try await teller.follow(try directories.endpoint(service: ServiceName.shield.rawValue, .events))
        while let head = try read(4) {
            let count = head.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
            guard count <= messageBytesMax else {
                throw Problem(
                    "browser.message_too_large",
                    """
                    The extension sent a message larger than \(messageBytesMax, "bytes") bytes. Reinstall \
                    the extension.
                    """,
                    help: "screentime browser enable chromium"
                )
            }
            guard let body = try read(Int(count)) else { break }
            let message = try BrowserMessage.decodedBody(body)
            if let tab = message.tab { await teller.take(tab, open: message.hosts ?? []) }
            if let press = message.press { Task { await shields.press(press.host, press.button) } }
        }
        await teller.end()
    }

    /// Sends a message to the extension. Browsers accept up to a MiB.
    private static func write(_ word: SiteWord) {
        guard let body = try? word.encodedBody() else { return }
        let head = withUnsafeBytes(of: UInt32(body.count)) { Array($0) }
        _ = OwnedDescriptor.write(head + body, to: STDOUT_FILENO)
    }

    /// Returns `nil` at the end of the pipe.
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

/// A message of the extension: the state of its tabs, or a pressed button of a shield.
private struct BrowserMessage: WireBody, Codable, Equatable {
    struct Press: WireBody, Codable, Equatable {
        var host: String
        var button: ShieldButton
    }

    var tab: BrowserTell.Request?
    /// The hosts of all tabs.
    var hosts: [String]?
    var press: Press?
}

/// Sends the extension's last state to desktop-agent.
///
/// The state is sent again regularly while the browser is in the foreground, so that a restarted desktop-agent receives it.
private actor BrowserTeller {
    private static let deadlineMs: Int64 = 2_000
    /// The silence of desktop-agent after which Screen Time counts as stopped. A restart takes less.
    private static let patienceMs: Int64 = 15_000

    private let loop: BusLoop
    private let client: BusClient
    private let shields: SiteShields
    private let log = Log.standard(service: "browser-host", level: .info)
    private var word: BrowserTell.Request?
    private var isNew = false
    private var isTelling = false
    private var silentSinceMs: Int64?
    private var beat: Alarm?
    private var policy: SubscriberPort?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    init(_ loop: BusLoop, _ client: BusClient, _ shields: SiteShields) {
        self.loop = loop
        self.client = client
        self.shields = shields
    }

    /// Refreshes all shields after each change of policy. The next beat covers a missed change.
    func follow(_ endpoint: String) throws {
        beat = Alarm(loop.thread) { [weak self] in self?.assumeIsolated { $0.repeatWord() } }
        policy = try SubscriberPort(loop, endpoint: endpoint, topics: ["policy."]) { [weak self] _ in
            self?.assumeIsolated { $0.changed() }
        }
    }

    func take(_ word: BrowserTell.Request, open hosts: [String]) async {
        self.word = word
        await shields.open(hosts, front: word.focused ? word.host : nil)
        tell()
    }

    /// Reports that the browser is in the background, because the pipe and the browser have ended.
    func end() async {
        word = word.map { BrowserTell.Request(version: $0.version, focused: false, isPrivate: false) }
        if let word { await say(word) }
    }

    private func repeatWord() {
        guard word?.focused == true else { return }
        changed()
        tell()
    }

    private func changed() { shields.assumeIsolated { $0.look() } }

    /// Sends the state again, for example because a shield appeared or disappeared.
    func tell() {
        isNew = true
        guard !isTelling else { return }
        isTelling = true
        Task { await tellAll() }
    }

    private func tellAll() async {
        while isNew, var word {
            isNew = false
            if await shields.covers(word.host) { word.shielded = true }
            await say(word)
        }
        isTelling = false
        beat?.ring(afterMs: BrowserTell.beatMs)
    }

    private func say(_ word: BrowserTell.Request) async {
        do {
            _ = try await client.call(BrowserTell.self, word, CallOptions(timeoutMs: Self.deadlineMs))
            silentSinceMs = nil
            await shields.goOn()
        } catch {
            // desktop-agent replies with this code if it observes no desktop, so Screen Time runs.
            guard Problem(error).code != "unavailable" else { return silentSinceMs = nil }
            let now = Stopwatch.milliseconds()
            if silentSinceMs == nil { log.problem("not_told", Problem(error)) }
            let since = silentSinceMs ?? now
            silentSinceMs = since
            if now - since > Self.patienceMs { await shields.end() }
        }
    }
}
