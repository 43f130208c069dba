import Glibc
import STContracts
import STDBus
import STDesktop
import STPlatform

/// A script of Screen Time within KWin (`screen.js`). It reports windows, and keeps covers over their windows.
///
/// KWin loads the script from a file, on request over the session bus. Commands to a window are also scripts, which run once,
/// because KWin offers no other way. This class accepts messages only from KWin's own connection.
final class KwinLink: CompositorLink, @unchecked Sendable {
    // @unchecked: everything except the bus and the constants is used on the loop's thread only.
    private static let kwin = "org.kde.KWin"
    private static let script = "screentime"
    private static let timeout = Duration.seconds(5)
    /// Number of names for command scripts. KWin does not report when a script has run, so it stays loaded until its name is
    /// reused.
    private static let pendingScriptsMax = 16

    var onTree: ((WindowTree, BootTime) -> Void)?
    var onFocus: ((Int64, BootTime) -> Void)?
    var onEnd: (() -> Void)?
    let pollsFrames = false
    let fallbackWarning: Message? = KwinLink.withoutIt
    private static let withoutIt = Message(
        "desktop.lost.kwin-has-ended",
        "KWin has exited, or does not run Screen Time's script."
    )

    private let loop: LoopThread
    /// The folder for scripts that KWin reads.
    private let folder: String
    private let bus: DBusConnection
    private var last: WindowTree?
    private var ids: [Int64: String] = [:]
    private var numbers: [String: Int64] = [:]
    private var lastNumber: Int64 = 0
    private var pendingScripts = 0
    private var hasEnded = false

    /// Returns `nil` if there is no session bus.
    init?(_ address: String, folder: String, loop: LoopThread) {
        let ear = CallbackReceiver()
        guard let bus = try? DBusConnection(address: address, onEnd: { _ in loop.post { ear.link?.end() } })
        else { return nil }
        self.bus = bus
        self.loop = loop
        self.folder = folder
        ear.link = self
        Task.detached { [bus, loop, folder] in
            do {
                try await Self.begin(bus, folder) { text in
                    loop.post { ear.link?.receive(text) }
                } ended: {
                    loop.post { ear.link?.end() }
                }
            } catch {
                loop.post { ear.link?.end() }
            }
        }
    }

    /// Forwards events from the bus's thread to the link.
    private final class CallbackReceiver: @unchecked Sendable {
        // @unchecked: read on the loop's thread only, once it is set.
        weak var link: KwinLink?
    }

    private static func begin(
        _ bus: DBusConnection,
        _ folder: String,
        heard: @escaping @Sendable (String) -> Void,
        ended: @escaping @Sendable () -> Void
    ) async throws {
        let dbus = "org.freedesktop.DBus"
        let end = "type='signal',sender='\(dbus)',member='NameOwnerChanged',arg0='\(kwin)'"
        try await bus.match(end, withinMs: timeout.ms) { _ in ended() }
        let asked = DBusCall(
            dbus,
            path: "/org/freedesktop/DBus",
            interface: dbus,
            member: "GetNameOwner",
            arguments: [.string(kwin)]
        )
        let owner = try await bus.call(asked, withinMs: timeout.ms).first?.text
        try await bus.serve(path: "/dev/screentime/Screen") { call in
            guard call.sender == owner, call.member == "Heard", let text = call.arguments.first?.text else {
                return .failure(
                    Problem(
                        "desktop.refused",
                        "Screen Time accepts messages only from KWin's own connection."
                    )
                )
            }
            heard(text)
            return .success([])
        }
        let name = try await bus.uniqueName()
        let head = "const AGENT = \"\(name)\";\nconst PID = \(getpid());\n"
        try await load(Array(head.utf8) + PackageResources.screen_js, name: script, folder: folder, bus: bus)
    }

    /// Returns when KWin is about to run the script.
    private static func load(_ script: [UInt8], name: String, folder: String, bus: DBusConnection)
        async throws
    {
        let path = "\(folder)/kwin-\(name).js"
        try AtomicFile.write(script, to: path, mode: 0o600)
        // Removes a script of an agent that was killed, or of an earlier command.
        _ = try await scripting("unloadScript", words: [.string(name)], bus: bus)
        let reply = try await scripting("loadScript", words: [.string(path), .string(name)], bus: bus)
        guard let number = reply.first?.number, number >= 0 else {
            throw Problem("desktop.no_answer", text: withoutIt, retryable: true)
        }
        // Runs all loaded scripts that do not run yet. KWin 5.27 assigns a wrong number to the object of a script.
        _ = try await scripting("start", words: [], bus: bus)
    }

    private static func scripting(_ member: String, words: [DBusValue], bus: DBusConnection) async throws
        -> [DBusValue]
    {
        let call = DBusCall(
            kwin,
            path: "/Scripting",
            interface: "org.kde.kwin.Scripting",
            member: member,
            arguments: words
        )
        return try await bus.call(call, withinMs: timeout.ms)
    }

    // MARK: - From the script

    private func receive(_ text: String) {
        guard !hasEnded, let tree = WindowTree(kwin: text, number) else { return }
        last = tree
        let there = Set(tree.windows.map(\.container))
        for (container, id) in ids where !there.contains(container) {
            ids[container] = nil
            numbers[id] = nil
        }
        onTree?(tree, Stopwatch.bootTime())
    }

    private func number(_ id: String) -> Int64 {
        if let known = numbers[id] { return known }
        lastNumber += 1
        numbers[id] = lastNumber
        ids[lastNumber] = id
        return lastNumber
    }

    /// Reports the last tree again, because the script reports every change. Also checks that the script is still loaded, because
    /// KWin does not report if another program unloads it.
    func refresh() {
        loop.post { [weak self] in
            guard let self, !hasEnded, let last else { return }
            onTree?(last, Stopwatch.bootTime())
            Task.detached { [bus, loop] in
                let reply = try? await Self.scripting(
                    "isScriptLoaded",
                    words: [.string(Self.script)],
                    bus: bus
                )
                if reply?.first?.flag == false { loop.post { [weak self] in self?.end() } }
            }
        }
    }

    private func end() {
        guard !hasEnded else { return }
        close()
        onEnd?()
    }

    func close() {
        guard !hasEnded else { return }
        hasEnded = true
        let names = [Self.script] + (0..<Self.pendingScriptsMax).map { "\(Self.script)-\($0)" }
        Task.detached { [bus] in
            for name in names {
                _ = try? await Self.scripting("unloadScript", words: [.string(name)], bus: bus)
            }
            bus.closeWithoutFlush()
        }
    }

    // MARK: - Commands

    func activate(_ container: Int64) {
        runScript(
            container,
            "window.minimized = false; if (isSix) workspace.activeWindow = window; else workspace.activeClient = window;"
        )
    }

    func minimize(_ container: Int64) { runScript(container, "window.minimized = true;") }

    func requestClose(_ container: Int64) { runScript(container, "window.closeWindow();") }

    func closeMenus(of container: Int64) { activate(container) }

    private func runScript(_ container: Int64, _ words: String) {
        guard let id = ids[container] else { return }
        pendingScripts += 1
        let script = """
            const isSix = workspace.windowList !== undefined;
            for (const window of isSix ? workspace.windowList() : workspace.clientList()) {
              if (String(window.internalId) === "\(id)") { \(words) }
            }
            """
        Task.detached { [bus, folder, pendingScripts] in
            try? await Self.load(
                Array(script.utf8),
                name: "\(Self.script)-\(pendingScripts % Self.pendingScriptsMax)",
                folder: folder,
                bus: bus
            )
        }
    }
}

/// Parses the messages of the script within KWin. Has no side effects.
extension WindowTree {
    private static let kwinDepth = 8

    /// Parses a message. KWin is another program, so all its values are bounded and cleaned here.
    init?(kwin text: String, _ number: (String) -> Int64) {
        guard let look = try? JSONElement(Array(text.utf8), depthLimit: Self.kwinDepth),
            let words = look["windows"]?.elements
        else { return nil }
        self.init()
        for word in words.prefix(Self.windowsMax) {
            guard let id = Self.id(word["id"]), let window = Self.window(word, id: id, number: number(id))
            else {
                continue
            }
            windows.append(window)
        }
        windows.sort { $0.container < $1.container }
        foreground = Self.id(look["front"]).map(number)
        keyboardFocus = Self.id(look["keyed"]).map(number)
    }

    /// Returns a UUID in braces. Any other text is rejected, because it is inserted into scripts.
    private static func id(_ word: JSONElement?) -> String? {
        guard let text = word?.string, (1...64).contains(text.utf8.count),
            text.allSatisfy({ $0.isASCII && ($0.isHexDigit || "{}-".contains($0)) })
        else { return nil }
        return text
    }

    private static func window(_ word: JSONElement, id: String, number: Int64) -> TreeWindow? {
        let frame = (word["frame"]?.elements ?? []).map { bounded($0.integer) }
        guard frame.count == 4 else { return nil }
        return TreeWindow(
            container: number,
            appID: word["app"]?.string.map(TextSanitizer.sanitized),
            pid: word["pid"]?.integer.flatMap { $0 > 0 ? Int32(exactly: $0) : nil },
            content: ScreenRect(x: frame[0], y: frame[1], width: max(0, frame[2]), height: max(0, frame[3])),
            isVisible: word["shown"]?.bool == true,
            isFullscreen: word["full"]?.bool == true,
            isHidden: word["away"]?.bool == true,
            coverTitle: "screentime \(id)"
        )
    }
}
