import Glibc
import STCommandCore
import STContracts
import STPages
import STPlatform
import STRendering
import STZeroMQ
import Synchronization

/// The pages of Screen Time, for browsers of this account on this computer.
///
/// The console makes no decisions. It authenticates browsers, runs commands, and reports changes.
final class Console: Sendable {
    private let key: ConsoleKey
    private let commands: ConsoleCommandRunner
    private let feed: LiveFeed
    private let trace: TraceFeed
    private let assets: [String: PageAsset]
    private let isDemo: Bool
    private let lastRequest: Mutex<SuspendingClock.Instant>
    private let port = Mutex<UInt16>(0)
    /// The accepted passcodes by cookie and guardian. Each stays valid for `provenLifetime` in the browser that sent it.
    private let provenPasscodes = Mutex<[ProvenGuardian: ProvenPasscode]>([:])

    private typealias ProvenPasscode = (passcode: String, end: SuspendingClock.Instant)

    private struct ProvenGuardian: Hashable {
        var cookie: String
        var by: String
    }

    static let provenLifetime: Duration = .seconds(60 * 15)
    private static let iconBytesMax = 1 << 20
    private static let guideBytesMax = 1 << 20
    /// The commands that create a lasting secret.
    private static let secretCommands = ["member passcode", "request setup"]

    /// Creates a console. `assets` are the files of the page by their names in addresses.
    init(
        _ environment: [String: String],
        _ directories: Directories,
        kept: String?,
        assets: [String: PageAsset]
    ) async throws {
        key = try ConsoleKey(kept: kept)
        commands = ConsoleCommandRunner(environment)
        let loop = try BusLoop()
        feed = LiveFeed(loop)
        trace = TraceFeed(loop, directories)
        isDemo = access(directories.state + "/demonstration", F_OK) == 0
        self.assets = assets
        lastRequest = Mutex(.now)
        try await feed.start(directories)
    }

    /// Starts the server and returns its port.
    func serve(port wanted: UInt16) throws -> UInt16 {
        let server = try PageServer(port: wanted) { [unowned self] in await answer($0) }
        port.withLock { $0 = server.port }
        try server.start()
        return server.port
    }

    /// The key for this account's file, from which the next link is made.
    var keyText: String { key.text }

    static func link(port: Int, key: String, to part: String) throws -> String {
        "http://127.0.0.1:\(port)/open?link=\(try ConsoleKey(kept: key).link(now: Self.now))&to=\(part)"
    }

    private static var now: WallTime { SystemTimeSource().now().wall }

    /// The time since the last request of a browser. `nil` while a browser is connected.
    var idleTime: Duration? {
        feed.hasListeners ? nil : SuspendingClock.now - lastRequest.withLock { $0 }
    }

    // MARK: - Answers

    private func answer(_ request: PageRequest) async -> PageReply {
        lastRequest.withLock { $0 = .now }
        do {
            return try await reply(request)
        } catch {
            var problem = Problem(error)
            let language = DisplayLanguage(of: request.query["language"])
            problem.message = Speech.$language.withValue(language) { Speech.say(problem) }
            return PageResponses.refusal(problem)
        }
    }

    private var origin: String { "http://127.0.0.1:\(port.withLock { $0 })" }

    private func reply(_ request: PageRequest) async throws -> PageReply {
        // Another site's host name could resolve to this address. Its page would then be sent with the console's cookie.
        guard request.headers["host"].map({ "http://" + $0 }) == origin else {
            throw Problem(
                "console.wrong_host",
                "This page is available only at \(origin, "origin"). Open it with: screentime console"
            )
        }
        guard ["GET", "POST"].contains(request.method) else {
            throw Problem("console.wrong_method", "Use GET for queries and POST for changes.")
        }
        if request.method == "POST" { return try await change(request) }
        switch request.path {
        case "/": return PageResponses.redirect(to: "/today")
        case "/open": return try open(request)
        case "/start", "/ask", "/read", "/report", "/icon", "/guide", "/live", "/trace":
            return try await data(request)
        default: return try asset(request.path)
        }
    }

    private func open(_ request: PageRequest) throws -> PageReply {
        guard key.redeem(request.query["link"] ?? "", now: Self.now) else {
            return PageResponses.redirect(to: "/closed")
        }
        let part = "/" + (request.query["to"] ?? "")
        var reply = PageResponses.redirect(to: ConsoleAnswer.views.contains(part) ? part : "/today")
        let cookie = try key.cookie(now: Self.now)
        reply.headers["Set-Cookie"] =
            "\(ConsoleKey.cookieName)=\(cookie); Path=/; Max-Age=\(ConsoleKey.cookieLifetime.ms / 1000); HttpOnly; SameSite=Strict"
        return reply
    }

    private func asset(_ path: String) throws -> PageReply {
        let name = path.hasPrefix("/page/") ? String(path.dropFirst("/page/".count)) : "index.html"
        guard ConsoleAnswer.views.contains(path) || path.hasPrefix("/page/"), let asset = assets[name] else {
            throw Problem(
                "console.not_found",
                "There is no page \(path.prefix(80), "path"). Go to \(origin, "origin")/today"
            )
        }
        return PageResponses.whole(asset.bytes, asset.type)
    }

    private func authenticate(_ request: PageRequest) throws -> String {
        if let site = request.headers["sec-fetch-site"], site != "same-origin", site != "none" {
            throw Problem("console.other_page", "Only Screen Time's own page can send this request.")
        }
        guard let cookie = key.visitor(request.headers["cookie"] ?? "", now: Self.now) else {
            throw Problem(
                "console.closed",
                "This browser has no access to Screen Time. Open the page with: screentime console"
            )
        }
        return cookie
    }

    private func data(_ request: PageRequest) async throws -> PageReply {
        let cookie = try authenticate(request)
        let language = DisplayLanguage(of: request.query["language"])
        if request.path == "/live" { return PageResponses.stream(feed.open()) }
        if request.path == "/trace" { return PageResponses.stream(try await trace.open()) }
        if request.path == "/start" {
            let start: JSONValue = [
                "token": .string(key.token(of: cookie)), "demo": .bool(isDemo),
                "open_ms": remainingMs(cookie),
            ]
            return PageResponses.json(JSONOutput.pretty(start))
        }
        if request.path == "/icon" { return try await icon(of: request.query["app"] ?? "") }
        if request.path == "/guide" { return try guide(request.query["to"] ?? "", language) }
        let command = try Self.commandRequest(Array((request.query["request"] ?? "").utf8))
        switch request.path {
        case "/report":
            guard let form = ReportForm(rawValue: request.query["form"] ?? ReportForm.page.rawValue) else {
                let list = ReportForm.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem(
                    "console.bad_request",
                    "Valid report formats: \(list, "forms").",
                    key: "console.bad_request.a-report-comes-as",
                    field: "/form"
                )
            }
            do {
                return ConsoleAnswer.report(
                    try await commands.report(command, as: form, language: language),
                    form
                )
            } catch  where form == .page {
                return ConsoleAnswer.refusedReport(Problem(error))
            }
        case "/read":
            let text = try await commands.text(command, language: language)
            return PageResponses.json(JSONOutput.pretty(["text": .string(text)]))
        default: return PageResponses.json(try await commands.output(command, language: language))
        }
    }

    /// Returns a guide in this language, or in English.
    private func guide(_ name: String, _ language: DisplayLanguage) throws -> PageReply {
        let isName = !name.isEmpty && name.allSatisfy { $0.isASCII && $0.isLetter }
        guard isName, let folder = ProductFolder.find("guide", with: "README.md"),
            let bytes = ["\(name).\(language.code).md", "\(name).md"].lazy.compactMap({
                try? AtomicFile.read("\(folder)/\($0)", limitBytes: Self.guideBytesMax)
            }).first
        else {
            throw Problem(
                "console.not_found",
                "There is no guide \(name.prefix(80), "guide").",
                key: "console.not_found.no-guide"
            )
        }
        return PageResponses.json(
            JSONOutput.pretty(["text": .string(String(decoding: bytes, as: UTF8.self))])
        )
    }

    /// Returns the icon of an app's menu entry.
    private func icon(of app: String) async throws -> PageReply {
        let facts = try JSONOutput.value(
            Array(try await commands.output(.init("category show", subjects: [app]), language: .english).utf8)
        )
        guard let path = facts["icon"]?.string, path.hasPrefix("/"),
            let bytes = try? AtomicFile.read(path, limitBytes: Self.iconBytesMax),
            let kind = PagePicture.kind(of: Base64.encode(Array(bytes.prefix(12))))
        else {
            throw Problem(
                "console.not_found",
                "\(app.prefix(80), "app") has no icon.",
                key: "console.not_found.has-no-picture"
            )
        }
        return ConsoleAnswer.icon(bytes, kind.rawValue)
    }

    private func change(_ request: PageRequest) async throws -> PageReply {
        guard ["/change", "/lock"].contains(request.path) else {
            throw Problem(
                "console.not_found",
                "Send changes to /change.",
                key: "console.not_found.changes-go-to"
            )
        }
        let cookie = try authenticate(request)
        guard request.headers["origin"] == origin,
            key.isToken(request.headers["x-screen-time"] ?? "", of: cookie)
        else {
            throw Problem(
                "console.other_page",
                "Only Screen Time's own page can make changes.",
                key: "console.other_page.only-screen-times"
            )
        }
        guard request.headers["content-type"] == "application/json" else {
            throw Problem("console.wrong_type", "Send changes as application/json.")
        }
        if request.path == "/lock" {
            provenPasscodes.withLock { known in known = known.filter { $0.key.cookie != cookie } }
            return PageResponses.json(JSONOutput.pretty(["open_ms": 0]))
        }
        let change: ConsoleChange
        do {
            change = try ConsoleChange.decodedBody(request.body)
        } catch {
            throw Problem(
                "console.bad_request",
                "The body of a change must be JSON with a `request` that has a command, subjects and options."
            )
        }
        let place = ProvenGuardian(cookie: cookie, by: change.request.options["by"] ?? "")
        // These commands create a lasting secret, so each one requires the passcode again.
        let makesSecret = Self.secretCommands.contains(change.request.command)
        let known = provenPasscodes.withLock { makesSecret ? nil : $0[place] }.flatMap {
            $0.end > SuspendingClock.now ? $0.passcode : nil
        }
        do {
            let said = try await commands.change(
                change.request,
                language: DisplayLanguage(of: change.language),
                proof: PassedProof(passcode: change.passcode ?? known, new: change.newPasscode)
            )
            if change.newPasscode != nil {
                // The passcodes of other browsers may be the old one.
                provenPasscodes.withLock { $0 = [:] }
            } else if let passcode = change.passcode, !makesSecret {
                provenPasscodes.withLock {
                    $0[place] = (passcode, SuspendingClock.now + Self.provenLifetime)
                }
            }
            return PageResponses.json(
                JSONOutput.pretty(["said": .string(said), "open_ms": remainingMs(cookie)])
            )
        } catch let problem as Problem {
            // The passcode was changed in the meantime, or was never right.
            if problem.code.hasPrefix("auth.") { provenPasscodes.withLock { $0[place] = nil } }
            throw problem
        }
    }

    /// Returns the milliseconds for which this browser still has a guardian's passcode.
    private func remainingMs(_ cookie: String) -> JSONValue {
        let now = SuspendingClock.now
        let ends = provenPasscodes.withLock { known in
            known = known.filter { $0.value.end > now }
            return known.filter { $0.key.cookie == cookie }.map(\.value.end)
        }
        return .integer(((ends.max() ?? now) - now).ms)
    }

    private static func commandRequest(_ bytes: [UInt8]) throws -> CommandRequest {
        do {
            return try CommandRequest.decodedBody(bytes)
        } catch {
            throw Problem(
                "console.bad_request",
                "A request must be a JSON object with a command, subjects and options.",
                key: "console.bad_request.a-request-must",
                field: "/request"
            )
        }
    }
}

struct ConsoleChange: WireBody, Codable, Equatable {
    var request: CommandRequest
    var language: String?
    /// The passcode of the guardian who approves the change.
    var passcode: String?
    /// The new passcode that `member passcode` sets.
    var newPasscode: String?
}

/// The form of a report: a page to show, or a file to save.
enum ReportForm: String, CaseIterable {
    case page
    case html
    case csv
    case json
    case png

    /// The option that makes the command write this form.
    var option: [String: String] {
        switch self {
        case .page, .html: ["html": "-"]
        case .csv: ["csv": "-"]
        case .json: ["json": ""]
        case .png: ["png": ""]
        }
    }

    var type: String {
        switch self {
        case .page, .html: "text/html; charset=utf-8"
        case .csv: "text/csv; charset=utf-8"
        case .json: "application/json"
        case .png: "image/png"
        }
    }
}

/// Replies that only the console sends.
enum ConsoleAnswer {
    /// The addresses that return the page. The page's own code selects the part to show.
    static let views: Set<String> = [
        "/today", "/reports", "/rules", "/requests", "/people", "/inside", "/help", "/why", "/thing",
        "/welcome",
        "/closed",
    ]

    /// Returns an icon. Browsers cache it, because it changes at most with the app's version and a page shows a dozen.
    ///
    /// The policy forbids scripts if the icon is opened by itself.
    static func icon(_ bytes: [UInt8], _ type: String) -> PageReply {
        var reply = PageResponses.whole(
            bytes,
            type,
            policy: "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        )
        reply.headers["Cache-Control"] = "private, max-age=86400"
        return reply
    }

    /// Returns a report. A page is a document with its own policy and cannot access the page around it.
    ///
    /// Every other form is a file to save.
    static func report(_ bytes: [UInt8], _ form: ReportForm) -> PageReply {
        var reply = PageResponses.whole(
            bytes,
            form.type,
            policy: "sandbox allow-scripts; frame-ancestors 'self'"
        )
        if form != .page {
            reply.headers["Content-Disposition"] = "attachment; filename=\"screen-time.\(form.rawValue)\""
        }
        return reply
    }

    /// Returns a problem for the frame of the report.
    static func refusedReport(_ problem: Problem) -> PageReply {
        let text = HTMLEscape.text(
            [problem.message, problem.help].compactMap(\.self).joined(separator: "\n")
        )
        let page = """
            <!doctype html><meta charset="utf-8"><style>:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }</style>
            <p style="white-space: pre-line">\(text)</p>
            """
        return PageResponses.whole(
            Array(page.utf8),
            "text/html; charset=utf-8",
            status: PageResponses.status(of: problem),
            policy: "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'"
        )
    }
}
