import Glibc
import STContracts
import STPlatform
import STTestSupport

/// A real Chromium that does what a person does: chromedriver moves its mouse and types its keys.
final class WebDriver {
    private let driver: SpawnedProcess
    private let port: UInt16
    private var session = ""

    /// With a home of its own, so that nothing of another browser is in it.
    init(_ scratch: ScratchDirectory, name: String, isDark: Bool = false, width: Int = 1_000) throws {
        let home = scratch.file("browser-\(name)")
        guard mkdir(home, 0o700) == 0 else { throw SystemError.last("mkdir") }
        let log = home + "/driver.log"
        let number = Glibc.open(log, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        let output = OwnedDescriptor(number)
        driver = try SpawnedProcess(
            SpawnPlan(
                executable: "/usr/bin/chromedriver",
                arguments: ["--port=0"],
                environment: [
                    "PATH": "/usr/bin:/bin", "HOME": home, "TMPDIR": home, "LC_ALL": "C.UTF-8",
                    "TZ": ConsoleHouse.noon,
                ],
                standardOutput: output.number,
                standardError: output.number,
                startsSession: true
            )
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
        let wanted: JSONValue = ["capabilities": ["alwaysMatch": ["goog:chromeOptions": options]]]
        session = try call("POST", "/session", wanted)["sessionId"]?.string ?? ""
    }

    func end() {
        _ = try? call("DELETE", "/session/\(session)")
        driver.signalGroup(SIGKILL)
        _ = driver.wait(deadlineMs: 5_000)
    }

    @discardableResult
    private func call(_ method: String, _ path: String, _ body: JSONValue? = nil) throws -> JSONValue {
        let text = body.map { String(decoding: $0.text, as: UTF8.self) } ?? ""
        let connection = try HTTPConnection(port: port)
        let answer = connection.call(method, path, ["Host": "127.0.0.1:\(port)"], body: text)
        guard let answer, let value = try? JSONValue(text: Array(answer.body.utf8))["value"] else {
            throw NotYet("chromedriver does not answer to \(method) \(path)")
        }
        guard answer.status == 200 else {
            throw NotYet("\(path): \(value["message"]?.string ?? "") \(value["error"]?.string ?? "")")
        }
        return value
    }

    @discardableResult
    private func act(_ path: String, _ body: JSONValue = [:]) throws -> JSONValue {
        try call("POST", "/session/\(session)\(path)", body)
    }

    // MARK: - What a person does

    func open(_ address: String) throws { try act("/url", ["url": .string(address)]) }

    /// Waits until the element is there, as a person does, and clicks in its middle.
    func click(_ selector: String) throws {
        try eventuallyBlocking(within: .seconds(30), "\(selector) can be clicked") {
            _ = try act("/element/\(element(selector))/click")
        }
    }

    func type(_ text: String, into selector: String) throws {
        try eventuallyBlocking(within: .seconds(30), "\(selector) takes keys") {
            let found = try element(selector)
            try act("/element/\(found)/clear")
            _ = try act("/element/\(found)/value", ["text": .string(text)])
        }
    }

    /// By its first letters, because a list that a click opens takes the next click, too.
    func choose(_ letters: String, in selector: String) throws {
        try act("/element/\(element(selector))/value", ["text": .string(letters)])
    }

    private func element(_ selector: String) throws -> String {
        let found = try act("/element", ["using": "css selector", "value": .string(selector)])
        guard case .object(let members) = found, let id = members.values.first?.string else {
            throw NotYet("no \(selector)")
        }
        return id
    }

    // MARK: - What a person sees

    @discardableResult
    func run(_ script: String) throws -> JSONValue {
        try act("/execute/sync", ["script": .string(script), "args": []])
    }

    func runAsync(_ script: String) throws -> JSONValue {
        try act("/execute/async", ["script": .string(script), "args": []])
    }

    func text(_ selector: String = "body") throws -> String {
        try run("return document.querySelector(\"\(selector)\")?.innerText ?? ''").string ?? ""
    }

    /// Waits until the text of the page, or of an element, has all of these.
    func shows(_ words: String..., in selector: String = "body", within limit: Duration = .seconds(30)) throws
    {
        try eventuallyBlocking(within: limit, "the page says \(words)") {
            let text = try text(selector)
            if let missing = words.first(where: { !text.contains($0) }) {
                throw NotYet("no “\(missing)” in \(text)")
            }
        }
    }

    /// For people to look at, where `SCREENTIME_PICTURES` says.
    func keepPicture(_ name: String) throws {
        guard let folder = ProcessEnvironment.current()["SCREENTIME_PICTURES"] else { return }
        guard let picture = try call("GET", "/session/\(session)/screenshot").string,
            let bytes = Base64.decode(picture)
        else { throw NotYet("no picture") }
        try AtomicFile.write(bytes, to: "\(folder)/\(name).png")
    }
}
