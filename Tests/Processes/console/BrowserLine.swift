import Glibc
import STContracts
import STPlatform
import STTestSupport

/// A connection to a browser under test.
protocol BrowserLine {
    /// Sends a command to a path of the WebDriver standard, below a session's own. Without a body it is a query.
    func act(_ path: String, _ body: JSONValue?) throws -> JSONValue
    func end()
}

/// Chromium with chromedriver.
final class ChromiumLine: BrowserLine {
    private let driver: SpawnedProcess
    private let port: UInt16
    private var session = ""

    init(_ home: String, isDark: Bool, width: Int) throws {
        let log = home + "/driver.log"
        driver = try DrivenBrowser.start(
            "/usr/bin/chromedriver",
            arguments: ["--port=0"],
            home: home,
            log: log
        )
        var found: UInt16?
        try eventuallyBlocking(within: .seconds(60), "chromedriver says its port") {
            let word = ScratchDirectory.text(log).split(separator: "on port ").last?.prefix { $0.isNumber }
            found = word.flatMap { UInt16($0) }
            if found ?? 0 == 0 { throw NotYet(ScratchDirectory.text(log)) }
        }
        port = found ?? 0
        let arguments =
            [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                "--user-data-dir=\(home)/profile",
                "--window-size=\(width),900",
            ] + (isDark ? ["--blink-settings=preferredColorScheme=0"] : [])
        let options: JSONValue = ["args": .array(arguments.map { .string($0) })]
        let wanted: JSONValue = [
            "capabilities": ["alwaysMatch": ["goog:chromeOptions": options, "acceptInsecureCerts": true]]
        ]
        session = try call("POST", path: "/session", body: wanted)["sessionId"]?.string ?? ""
    }

    func act(_ path: String, _ body: JSONValue?) throws -> JSONValue {
        try call(body == nil ? "GET" : "POST", path: "/session/\(session)\(path)", body: body)
    }

    func end() {
        _ = try? call("DELETE", path: "/session/\(session)", body: nil)
        driver.signalGroup(SIGKILL)
        _ = driver.wait(deadlineMs: 5_000)
    }

    private func call(_ method: String, path: String, body: JSONValue?) throws -> JSONValue {
        let text = body.map { String(decoding: $0.text, as: UTF8.self) } ?? ""
        let connection = try HTTPConnection(port: port)
        let answer = connection.call(method, path: path, headers: ["Host": "127.0.0.1:\(port)"], body: text)
        guard let answer, let value = try? JSONValue(text: Array(answer.body.utf8))["value"] else {
            throw NotYet("chromedriver does not answer to \(method) \(path)")
        }
        guard answer.status == 200 else {
            throw NotYet("\(path): \(value["message"]?.string ?? "") \(value["error"]?.string ?? "")")
        }
        return value
    }
}

/// Firefox with its own Marionette protocol, because geckodriver is not in Debian 12.
final class FirefoxLine: BrowserLine {
    private let browser: SpawnedProcess
    private let connection: HTTPConnection
    private var sent: Int64 = 0

    init(_ home: String, isDark: Bool, width: Int, folder: String) throws {
        let profile = home + "/profile"
        try Directories.prepare(profile)
        // Port 0 selects a free port, which Firefox writes into its profile.
        let choices = """
            user_pref("marionette.port", 0);
            user_pref("browser.shell.checkDefaultBrowser", false);
            user_pref("datareporting.policy.dataSubmissionEnabled", false);
            user_pref("app.update.enabled", false);
            user_pref("layout.css.prefers-color-scheme.content-override", \(isDark ? 0 : 1));
            """
        try AtomicFile.write(Array(choices.utf8), to: profile + "/user.js", durable: false)
        browser = try DrivenBrowser.start(
            folder + "/firefox-esr",
            arguments: [
                "--headless", "--marionette", "--no-remote", "--profile", profile, "--width", "\(width)",
                "--height", "900",
            ],
            home: home,
            log: home + "/firefox.log"
        )
        var port: UInt16 = 0
        try eventuallyBlocking(within: .seconds(120), "Firefox says its port") {
            let text = ScratchDirectory.text(profile + "/MarionetteActivePort")
            port = UInt16(text.prefix { $0.isNumber }) ?? 0
            if port == 0 { throw NotYet(ScratchDirectory.text(home + "/firefox.log")) }
        }
        connection = try HTTPConnection(port: port)
        _ = receive()
        _ = try command("WebDriver:NewSession", ["acceptInsecureCerts": true])
    }

    func act(_ path: String, _ body: JSONValue?) throws -> JSONValue {
        let parts = path.split(separator: "/").map(String.init)
        var members: [String: JSONValue] = if case .object(let given) = body { given } else { [:] }
        if parts.count == 3 { members["id"] = .string(parts[1]) }
        guard let name = Self.names[parts.count == 3 ? "element/" + parts[2] : parts.joined(separator: "/")]
        else {
            throw NotYet("\(path) is not among what this drives")
        }
        let reply = try command(name, .object(members))
        return reply["value"] ?? reply
    }

    private static let names = [
        "url": "WebDriver:Navigate", "element": "WebDriver:FindElement",
        "element/click": "WebDriver:ElementClick",
        "element/clear": "WebDriver:ElementClear", "element/value": "WebDriver:ElementSendKeys",
        "execute/sync": "WebDriver:ExecuteScript", "execute/async": "WebDriver:ExecuteAsyncScript",
        "screenshot": "WebDriver:TakeScreenshot",
    ]

    func end() {
        browser.signalGroup(SIGKILL)
        _ = browser.wait(deadlineMs: 5_000)
    }

    private func command(_ name: String, _ members: JSONValue) throws -> JSONValue {
        sent += 1
        let text = JSONValue.array([0, .integer(sent), .string(name), members]).text
        connection.send("\(text.count):" + String(decoding: text, as: UTF8.self))
        guard case .array(let reply)? = try? JSONValue(text: Array(receive().utf8)), reply.count == 4 else {
            throw NotYet("Firefox does not answer to \(name)")
        }
        guard reply[2] == .null else { throw NotYet("\(name): \(reply[2]["message"]?.string ?? "")") }
        return reply[3]
    }

    /// Returns one message, without its length.
    private func receive() -> String {
        let whole = connection.receive(withinMs: 60_000) { text in
            guard let colon = text.firstIndex(of: ":"), let length = Int(text[..<colon]) else { return false }
            return text[colon...].utf8.count > length
        }
        return whole.firstIndex(of: ":").map { String(whole[whole.index(after: $0)...]) } ?? ""
    }
}

enum DrivenBrowser {
    static func start(_ program: String, arguments: [String], home: String, log: String) throws
        -> SpawnedProcess
    {
        let number = Glibc.open(log, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        let output = OwnedDescriptor(number)
        return try SpawnedProcess(
            SpawnPlan(
                executable: program,
                arguments: arguments,
                environment: [
                    "PATH": "/usr/bin:/bin", "HOME": home, "TMPDIR": home, "LC_ALL": "C.UTF-8",
                    "TZ": ConsoleHouse.noon,
                ],
                standardOutput: output.number,
                standardError: output.number,
                startsSession: true
            )
        )
    }
}
