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
                try await receiveMessages()
            }
        } catch {
            let problem = Problem(error)
            Log.standard(service: "browser-host", level: .info).problem("ended", problem)
            exit(1)
        }
    }

    private static func receiveMessages() async throws {
        let directories = try Directories.from(environment: ProcessEnvironment.current())
        let loop = try BusLoop()
        let client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
        let shields = SiteShields(
            loop,
            client,
            language: SessionLanguage.tag(ProcessEnvironment.current())
        ) { write($0) }
        let teller = BrowserReporter(loop, client: client, shields: shields)
        await shields.setChangeHandler { Task { await teller.scheduleSend() } }
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
            if let tab = message.tab { await teller.update(tab, open: message.hosts ?? []) }
            if let press = message.press { Task { await shields.press(press.host, press.button) } }
        }
        await teller.end()
    }

    /// Sends a message to the extension. Browsers accept up to a MiB.
    private static func write(_ word: SiteReport) {
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

    var tab: BrowserReport.Request?
    /// The hosts of all tabs.
    var hosts: [String]?
    var press: Press?
}

/// Sends the extension's last state to desktop-agent.
///
/// The state is sent again regularly while the browser is in the foreground, so that a restarted desktop-agent receives it.
private actor BrowserReporter {
    private static let timeout = Duration.seconds(2)
    /// The silence of desktop-agent after which Screen Time counts as stopped. A restart takes less.
    private static let silenceMax = Duration.seconds(15)

    private let loop: BusLoop
    private let client: BusClient
    private let shields: SiteShields
    private let log = Log.standard(service: "browser-host", level: .info)
    private var report: BrowserReport.Request?
    private var hasUnsentReport = false
    private var isSending = false
    private var unreachableSinceMs: Int64?
    private var heartbeatTimer: LoopTimer?
    private var policy: SubscriberPort?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    init(_ loop: BusLoop, client: BusClient, shields: SiteShields) {
        self.loop = loop
        self.client = client
        self.shields = shields
    }

    /// Refreshes all shields after each change of policy. The next beat covers a missed change.
    func follow(_ endpoint: String) throws {
        heartbeatTimer = LoopTimer(loop.thread) { [weak self] in self?.assumeIsolated { $0.repeatReport() } }
        policy = try SubscriberPort(loop, endpoint: endpoint, topics: ["policy."]) { [weak self] _ in
            self?.assumeIsolated { $0.shieldsDidChange() }
        }
    }

    func update(_ word: BrowserReport.Request, open hosts: [String]) async {
        self.report = word
        await shields.open(hosts, front: word.focused ? word.host : nil)
        scheduleSend()
    }

    /// Reports that the browser is in the background, because the pipe and the browser have ended.
    func end() async {
        report = report.map { BrowserReport.Request(version: $0.version, focused: false, isPrivate: false) }
        if let report { await send(report) }
    }

    private func repeatReport() {
        guard report?.focused == true else { return }
        shieldsDidChange()
        scheduleSend()
    }

    private func shieldsDidChange() { shields.assumeIsolated { $0.refresh() } }

    /// Sends the state again, for example because a shield appeared or disappeared.
    func scheduleSend() {
        hasUnsentReport = true
        guard !isSending else { return }
        isSending = true
        Task { await sendAll() }
    }

    private func sendAll() async {
        while hasUnsentReport, var report {
            hasUnsentReport = false
            if await shields.isShielded(report.host) { report.shielded = true }
            await send(report)
        }
        isSending = false
        heartbeatTimer?.fire(afterMs: BrowserReport.beatMs)
    }

    private func send(_ word: BrowserReport.Request) async {
        do {
            _ = try await client.call(
                BrowserReport.self,
                word,
                options: CallOptions(timeoutMs: Self.timeout.ms)
            )
            unreachableSinceMs = nil
            await shields.refreshAgain()
        } catch {
            // desktop-agent replies with this code if it observes no desktop, so Screen Time runs.
            guard Problem(error).code != "unavailable" else { return unreachableSinceMs = nil }
            let now = Stopwatch.milliseconds()
            if unreachableSinceMs == nil { log.problem("not_told", Problem(error)) }
            let since = unreachableSinceMs ?? now
            unreachableSinceMs = since
            if .milliseconds(now - since) > Self.silenceMax { await shields.end() }
        }
    }
}
