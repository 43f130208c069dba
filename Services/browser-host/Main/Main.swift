import Glibc
import STContracts
import STPlatform
import STZeroMQ

/// Started by a browser for the extension of Screen Time: tells desktop-agent what the extension says.
///
/// Browsers write each message behind its length, in four bytes of the machine's own order, and close the pipe at the end.
@main
enum Main {
    /// The names of two hundred hosts; an extension that sends more is not ours.
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

    /// To the extension; browsers take up to a MiB.
    private static func write(_ word: SiteWord) {
        guard let body = try? word.encodedBody() else { return }
        let head = withUnsafeBytes(of: UInt32(body.count)) { Array($0) }
        _ = OwnedDescriptor.write(head + body, to: STDOUT_FILENO)
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

/// What the extension says: how its tabs stand now, or that a button of a shield was pressed.
private struct BrowserMessage: WireBody, Codable, Equatable {
    struct Press: WireBody, Codable, Equatable {
        var host: String
        var button: ShieldButton
    }

    var tab: BrowserTell.Request?
    /// Of all tabs.
    var hosts: [String]?
    var press: Press?
}

/// Says the newest word of the extension, and repeats it while the browser is in front, so that a restarted desktop-agent knows it too.
private actor BrowserTeller {
    private static let deadlineMs: Int64 = 2_000
    /// Screen Time has ended when desktop-agent is silent for longer: a restart takes less.
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

    /// Each change of policy is a reason to look at all shields anew; what is missed comes with the next beat.
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

    /// The pipe has ended, and the browser with it.
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

    /// Whether a shield is over the page has changed, or anything else.
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
            // An agent that looks at no desktop is there all the same.
            guard Problem(error).code != "unavailable" else { return silentSinceMs = nil }
            let now = Stopwatch.milliseconds()
            if silentSinceMs == nil { log.problem("not_told", Problem(error)) }
            let since = silentSinceMs ?? now
            silentSinceMs = since
            if now - since > Self.patienceMs { await shields.end() }
        }
    }
}
