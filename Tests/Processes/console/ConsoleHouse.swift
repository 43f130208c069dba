import Glibc
import STCommandCore
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

/// Real services with the web page, as started by `screentime console`.
struct ConsoleHouse {
    static let services: [ServiceName] = [.auth, .activity, .monitor, .shield, .report, .notifier, .desktop]

    /// A time zone in which it is about noon, so that usage of some minutes ago is today's.
    static let noon: String = {
        let hour = Int(SystemTimeSource().now().wallMs / 3_600_000 % 24)
        return "Etc/GMT\(hour > 12 ? "+" : "-")\(abs(hour - 12))"
    }()

    let system: TestSystem
    let port: UInt16
    var origin: String { "http://127.0.0.1:\(port)" }

    static func run(_ body: (ConsoleHouse) async throws -> Void) async throws {
        try await TestSystem.run(
            services: services,
            options: TestSystemOptions(environment: ["TZ": noon])
        ) { system in
            let link = try link(system)
            let port = link.split(separator: "/").dropFirst().first?.split(separator: ":").last.flatMap {
                UInt16($0)
            }
            let house = ConsoleHouse(system: system, port: port ?? 0)
            system.atEnd { try? house.stop() }
            try await body(house)
        }
    }

    /// Returns a new address, which opens the page once.
    func link() throws -> String { try Self.link(system) }

    private static func link(_ system: TestSystem) throws -> String {
        let output = system.scratch.file("link")
        let number = open(output, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        let process = try system.command(
            ["console", "--print"],
            output: OwnedDescriptor(number),
            environment: ["TZ": noon, "XDG_DATA_HOME": system.scratch.file("data")]
        )
        let end = process.wait(deadlineMs: 60_000)
        let said = ScratchDirectory.text(output)
        guard end == .exited(0), said.hasPrefix("http://127.0.0.1:") else {
            throw NotYet("\(said) \(system.log("console"))")
        }
        return String(said.dropLast())
    }

    /// Returns the server's own process.
    func server() throws -> Int32 {
        let lock = ScratchDirectory.text(system.directories.run + "/console/lock")
        guard let pid = Int32(lock.prefix { $0.isNumber }) else { throw NotYet("no server: \(lock)") }
        return pid
    }

    func stop() throws {
        let pid = try server()
        guard Glibc.kill(pid, SIGKILL) == 0 else { return }
        try eventuallyBlocking(within: .seconds(20), "the server has ended") {
            if Glibc.kill(pid, 0) == 0, ProcFile.link("/proc/\(pid)/exe") != nil { throw NotYet("it runs") }
        }
    }

    /// Returns a browser with access to the page.
    func browser(
        _ name: String,
        _ kind: WebDriver.Kind = .chromium,
        isDark: Bool = false,
        width: Int = 1_000
    ) async throws -> WebDriver {
        let driver = try await WebDriver(system.scratch, name: name, kind, isDark: isDark, width: width)
        try driver.open(try link())
        try driver.shows("Today")
        return driver
    }

    // MARK: - As a browser would

    /// Returns the cookie for a link.
    func enter() throws -> String {
        let address = try link()
        let answer = try #require(try get(String(address.dropFirst(origin.count))))
        let cookie = try #require(answer.headers["set-cookie"])
        return String(cookie.prefix { $0 != ";" })
    }

    func get(_ path: String, _ cookie: String = "", host: String? = nil) throws -> HTTPAnswer? {
        try HTTPConnection(port: port).call(
            "GET",
            path: path,
            headers: ["Host": host ?? "127.0.0.1:\(port)", "Cookie": cookie]
        )
    }

    func ask(_ request: CommandRequest, _ cookie: String) throws -> HTTPAnswer? {
        let text = try request.encodedBody()
        let query = text.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return try get("/ask?request=\(query)", cookie)
    }

    /// Sends a change. `changes` replace the headers that the page would send.
    func change(
        _ request: CommandRequest,
        cookie: String,
        passcode: String? = nil,
        changes: [String: String] = [:]
    )
        throws -> HTTPAnswer?
    {
        let start = try #require(try get("/start", cookie))
        let token = try JSONValue(text: Array(start.body.utf8))["token"]?.string ?? ""
        var body: [String: JSONValue] = ["request": try JSONValue(text: request.encodedBody())]
        if let passcode { body["passcode"] = .string(passcode) }
        return try HTTPConnection(port: port).call(
            "POST",
            path: changes["path"] ?? "/change",
            headers: [
                "Host": changes["host"] ?? "127.0.0.1:\(port)", "Origin": changes["origin"] ?? origin,
                "Cookie": cookie, "X-Screen-Time": changes["token"] ?? token,
                "Content-Type": changes["type"] ?? "application/json",
                "Sec-Fetch-Site": changes["site"] ?? "same-origin",
            ],
            body: changes["body"] ?? String(decoding: JSONValue.object(body).text, as: UTF8.self)
        )
    }

    // MARK: - The household

    /// Records usage of the first member that ends now and lasted `ms`.
    func use(_ app: String, ms: Int64, member: String? = nil) async throws {
        let first = try await system.client.call(MemberList.self, Empty()).members.first?.name ?? ""
        _ = try await system.client.call(
            DesktopPlay.self,
            .init(member: member ?? first, agoMs: ms, steps: [.init(app: app, forMs: ms + 600_000)])
        )
    }

    /// Adds a child and a guardian, and returns the guardian's passcode.
    func family() async throws -> String {
        _ = try await system.client.call(MemberAdd.self, Member(name: "kid", role: .child))
        _ = try await system.client.call(MemberAdd.self, Member(name: "guardian", role: .guardian))
        let code = system.passcode(of: "guardian")
        _ = try await system.client.call(MemberPasscode.self, .init(member: "guardian", passcode: code))
        return code
    }
}
