import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestSupport

/// What people and apps do in it.
extension KillHouse {
    static let mousepad = "org.xfce.mousepad"

    /// A person is there.
    func touch(_ x: Int = 300) throws {
        try display.xdotool("mousemove", "\(x)", "300", "mousemove_relative", "--", "1", "0")
    }

    func inFront(_ app: String) async throws {
        try await eventually(within: .seconds(60), "\(app) is in front") {
            let status = try await ask(DesktopStatus.self, Empty())
            guard status.app == app else { throw NotYet("\(status)") }
        }
    }

    /// A real editor, in front when this returns.
    func editor(_ file: String) async throws -> SpawnedProcess {
        let settings = buses.environment.merging(["GSETTINGS_BACKEND": "memory", "GTK_USE_PORTAL": "0"]) {
            $1
        }
        let editor = try display.start("mousepad", list: [file], environment: settings)
        try await inFront(Self.mousepad)
        return editor
    }

    func program() throws -> XProgram { try XProgram(display, XProgram.built("screentime-x11-window")) }

    /// The id of a new window, as X has it.
    @discardableResult
    func window(_ program: XProgram, _ name: String, x: Int = 100, y: Int = 100) async throws -> UInt32 {
        let answer = try program.ask("map \(name) \(name) \(x) \(y) 400 300")
        guard let id = answer.split(separator: " ").last.flatMap({ UInt32($0) }) else { throw NotYet(answer) }
        return id
    }

    /// It may be used for a second, and is shielded from then on.
    @discardableResult
    func limit(_ app: String, ms: Int64 = 1_000) async throws -> RuleView {
        let spec = RuleSpec(
            kind: .limit,
            name: "limit of \(app)",
            targets: [TokenItem(kind: .application, id: app)],
            durationMs: ms,
            then: .shield
        )
        return try await ask(RuleAdd.self, spec).rule
    }

    func lift(_ app: String) async throws {
        _ = try await ask(RuleRemove.self, .init(name: "limit of \(app)"))
    }

    /// Pressing keys at random asks for more time now and then, and the owner of the account gets it.
    func takeBackMore() async throws {
        for request in try await ask(RequestList.self, .init(state: .granted)).requests {
            _ = try await ask(RequestRevoke.self, .init(request: request.request))
        }
    }

    func shield(_ app: String) async throws -> ScreenShield? {
        try await ask(DesktopShields.self, Empty()).shields.first { $0.app == app }
    }

    @discardableResult
    func isPaused(_ app: String, windows: Int = 1) async throws -> ScreenShield {
        try await eventually(within: .seconds(60), "\(app) is paused") {
            let found = try await shield(app)
            guard let found, found.stage == .paused, found.windows.count >= windows else {
                throw NotYet("\(String(describing: found))")
            }
            return found
        }
    }

    /// As the kernel has it: `T` is stopped; nil: gone.
    static func state(_ pid: Int32) -> Character? {
        let text = ScratchDirectory.text("/proc/\(pid)/stat")
        return text.lastIndex(of: ")").flatMap { text[$0...].dropFirst(2).first }
    }

    static func isStopped(_ pid: Int32) -> Bool { state(pid) == "T" }

    /// After how many milliseconds that was so.
    func wait(_ pid: Int32, isStopped: Bool, from startMs: Int64, within limit: Duration = .seconds(60))
        throws
        -> Int64
    {
        try eventuallyBlocking(within: limit, "\(pid) is \(isStopped ? "stopped" : "let go of")") {
            guard Self.isStopped(pid) == isStopped else { throw NotYet("it is not") }
        }
        return Stopwatch.milliseconds() - startMs
    }

    // MARK: - The books

    func ledger() async throws -> [Segment] {
        var rows: [Segment] = []
        var next: String?
        repeat {
            let page = try await ask(UsageList.self, .init(next: next))
            rows += page.rows
            next = page.next
        } while next != nil
        return rows + (try await ask(UsageNow.self, Empty()).open)
    }

    /// How long it is unknown what was done, from a moment on: the ledger says so, or has no row.
    func unknownMs(from fromMs: Int64) async throws -> Int64 {
        let nowMs = Stopwatch.bootMilliseconds()
        var known: Int64 = 0
        for row in try await ledger() where row.presence != .unobserved {
            known += max(0, min(row.endBootMs, nowMs) - max(row.startBootMs, fromMs))
        }
        return nowMs - fromMs - known
    }

    /// How often a shield came up before the app.
    func showings(_ app: String) async throws -> Int64 {
        let counts = try await ask(ShieldList.self, .init()).counts
        return counts.filter { $0.subject.app == app }.reduce(0) { $0 + $1.shown }
    }
}
