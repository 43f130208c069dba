import Glibc
import STCommandCore
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

@Suite("Access to the page's server", .serialized)
struct ConsoleSafetyTests {
    private func code(_ answer: HTTPAnswer?) -> String {
        let body = answer.flatMap { try? JSONValue(text: Array($0.body.utf8)) }
        return body?["code"]?.string ?? "\(answer?.status ?? 0)"
    }

    @Test(
        "A link admits one browser once, a forged link none, and cookies survive a restart of the server"
    )
    func links() async throws {
        try await ConsoleHouse.run { house in
            let path = String(try house.link().dropFirst(house.origin.count))
            let first = try #require(try house.get(path))
            #expect(first.status == 303 && first.headers["location"] == "/today")
            let cookie = String(try #require(first.headers["set-cookie"]).prefix { $0 != ";" })
            #expect(first.headers["set-cookie"]?.contains("HttpOnly; SameSite=Strict") == true)
            let again = try #require(try house.get(path))
            #expect(again.headers["location"] == "/closed" && again.headers["set-cookie"] == nil)
            for forged in [
                "/open", "/open?link=", "/open?link=9999999999999.a.b", path + "a",
                path.replacing("link=1", with: "link=2"),
            ] {
                let answer = try #require(try house.get(forged))
                #expect(answer.headers["set-cookie"] == nil, "\(forged)")
            }
            // A cookie is not a link, and a link is not a cookie.
            #expect(
                try house.get("/open?link=\(cookie.dropFirst("screentime=".count))")?.headers["set-cookie"]
                    == nil
            )
            #expect(
                code(try house.get("/start", "screentime=" + path.dropFirst("/open?link=".count)))
                    == "console.closed"
            )

            #expect(try house.get("/start", "other=1; \(cookie)")?.status == 200)
            for wrong in [
                "", "screentime=", "screentime=1.2.3", String(cookie.dropLast()),
                cookie.replacing("=1", with: "=2"),
            ] {
                #expect(code(try house.get("/start", wrong)) == "console.closed", "\(wrong)")
            }
            for path in ["/ask", "/read", "/report", "/icon", "/live", "/trace"] {
                #expect(code(try house.get(path)) == "console.closed", "\(path)")
            }
            try house.stop()
            _ = try house.link()
            #expect(try house.get("/start", cookie)?.status == 200)
        }
    }

    @Test("Requests with a wrong host, origin, method or type are refused with their codes")
    func others() async throws {
        try await ConsoleHouse.run { house in
            let cookie = try house.enter()
            for host in ["localhost:\(house.port)", "127.0.0.1", "evil.example:\(house.port)", ""] {
                #expect(
                    code(try house.get("/ask?request={}", cookie, host: host)) == "console.wrong_host",
                    "\(host)"
                )
            }
            let limit = CommandRequest("limit add", subjects: ["alpha", "30m"], options: ["anyway": ""])
            let refusals: [([String: String], String)] = [
                (["origin": "http://evil.example"], "console.other_page"),
                (["origin": "null"], "console.other_page"),
                (["token": "none"], "console.other_page"), (["site": "cross-site"], "console.other_page"),
                (["site": "same-site"], "console.other_page"), (["type": "text/plain"], "console.wrong_type"),
                (["host": "evil.example"], "console.wrong_host"), (["body": "{"], "console.bad_request"),
                (["body": "[]"], "console.bad_request"),
                (["body": #"{"request": "limit"}"#], "console.bad_request"),
                (
                    ["body": #"{"request": {"command": "limit add", "subjects": "alpha", "options": {}}}"#],
                    "console.bad_request"
                ),
                (["body": String(repeating: "[", count: 60_000)], "console.bad_request"),
                (["body": String(repeating: " ", count: 65_537)], "page.body_too_large"),
            ]
            for (changes, expected) in refusals {
                #expect(
                    code(try house.change(limit, cookie: cookie, changes: changes)) == expected,
                    "\(changes.keys)"
                )
            }
            for method in ["PUT", "DELETE", "OPTIONS", "HEAD", "TRACE"] {
                let answer = try HTTPConnection(port: house.port).call(
                    method,
                    path: "/today",
                    headers: ["Host": "127.0.0.1:\(house.port)"]
                )
                #expect(answer?.status == 405, "\(method)")
            }
            for path in [
                "/nothing", "/page/", "/page/../Main/Main.swift", "/page/%2e%2e/x", "/page/index.html/..",
                "//today",
            ] {
                #expect(try house.get(path, cookie)?.status == 404, "\(path)")
            }
            #expect(try await house.system.client.call(RuleList.self, .init()).rules.isEmpty)
            let page = try #require(try house.get("/today"))
            #expect(
                page.headers["content-security-policy"]?.contains("default-src 'none'; script-src 'self'")
                    == true
            )
            #expect(page.headers["x-content-type-options"] == "nosniff")
            #expect(page.headers["access-control-allow-origin"] == nil)
        }
    }

    @Test(
        "The page's server runs only the commands of its list and accesses no files of the computer"
    )
    func commands() async throws {
        try await ConsoleHouse.run { house in
            let cookie = try house.enter()
            let file = house.system.scratch.file("stolen")
            for request in [
                CommandRequest("system down"), .init("data export", subjects: [file]),
                .init("report", subjects: [], options: ["png": file]),
                .init("report", subjects: [], options: ["html": file]),
                .init("report", subjects: [], options: ["follow": ""]),
                .init("report", subjects: [], options: ["open": ""]),
                .init("bus call", subjects: ["health.ping", "{}"]), .init("setup"),
                .init("rule delay", subjects: ["1h"]),
                .init("request edit", subjects: [], options: ["delay": "0"]),
                .init("member passcode", subjects: ["kid"]), .init("limit add", subjects: ["alpha", "30m"]),
                .init("console"),
            ] {
                // Some of these commands have no option --json.
                let refused = code(try house.ask(request, cookie))
                #expect(
                    ["console.not_here", "usage.unknown_option"].contains(refused),
                    "\(request) \(refused)"
                )
            }
            #expect(access(file, F_OK) != 0)
            #expect(code(try house.change(.init("report"), cookie: cookie)) == "console.not_here")
            for request in [
                CommandRequest(
                    "limit add",
                    subjects: ["alpha", "30m"],
                    options: ["selection": "/etc/passwd"]
                ),
                .init("import activitywatch", subjects: ["/etc/passwd"]),
                .init("import csv", subjects: ["/etc/passwd"]),
                .init("import activitywatch", subjects: [], options: ["server": "http://127.0.0.1:9"]),
                .init("import timekpr", subjects: ["kid"], options: ["folder": "/etc"]),
                .init("export activitywatch", subjects: [file]),
            ] {
                #expect(code(try house.change(request, cookie: cookie)) == "console.not_here", "\(request)")
                #expect(code(try house.ask(request, cookie)) == "console.not_here", "\(request)")
            }
            #expect(code(try house.ask(.init("no such"), cookie)).hasPrefix("usage."))
            for spelling in ["member  passcode", " member passcode", "member passcode "] {
                let secret = CommandRequest(spelling, subjects: ["kid"], options: ["by": "kid"])
                #expect(code(try house.change(secret, cookie: cookie)).hasPrefix("usage."), "\(spelling)")
            }
            // A subject is never read as an option.
            #expect(
                code(try house.change(.init("report", subjects: ["--png=" + file]), cookie: cookie))
                    == "usage.subject_extra"
            )
            #expect(try house.ask(.init("rule list"), cookie)?.status == 200)
            let made = try #require(
                try house.change(
                    .init("limit add", subjects: ["alpha", "30m"], options: ["anyway": ""]),
                    cookie: cookie
                )
            )
            #expect(made.status == 200 && made.body.contains("30 min of alpha a day"))
            #expect(try await house.system.client.call(RuleList.self, .init()).rules.count == 1)
        }
    }

    @Test("Loosening a child's rule on the page requires the guardian's passcode, and wrong ones are counted")
    func passcodes() async throws {
        try await ConsoleHouse.run { house in
            let code = try await house.family()
            let cookie = try house.enter()
            #expect(
                try house.change(
                    .init("limit add", subjects: ["alpha", "1h"], options: ["member": "kid", "anyway": ""]),
                    cookie: cookie
                )?.status == 200
            )
            let looser = CommandRequest("limit edit", subjects: ["alpha", "3h"])
            let by = looser.adding(["by": "guardian"])
            #expect(self.code(try house.change(looser, cookie: cookie)).hasPrefix("auth."))
            #expect(self.code(try house.change(by, cookie: cookie)) == "auth.proof_needed")
            // A correct passcode is valid for a while, only in this browser and for this guardian, until it is locked.
            #expect(try house.change(by, cookie: cookie, passcode: code)?.status == 200)
            #expect(
                try house.change(
                    .init("limit edit", subjects: ["alpha", "4h"], options: ["by": "guardian"]),
                    cookie: cookie
                )?.status
                    == 200
            )
            let other = try house.enter()
            let more = CommandRequest("limit edit", subjects: ["alpha", "5h"], options: ["by": "guardian"])
            #expect(self.code(try house.change(more, cookie: other)) == "auth.proof_needed")
            #expect(try house.change(.init(""), cookie: cookie, changes: ["path": "/lock"])?.status == 200)
            #expect(self.code(try house.change(more, cookie: cookie)) == "auth.proof_needed")
            #expect(
                try house.change(.init("limit edit", subjects: ["alpha", "1h"]), cookie: cookie)?.status
                    == 200
            )
            #expect(
                self.code(try house.change(by, cookie: cookie, passcode: "a guess")) == "auth.wrong_passcode"
            )
            for _ in 0..<10 { _ = try house.change(by, cookie: cookie, passcode: "another guess") }
            #expect(self.code(try house.change(by, cookie: cookie, passcode: code)) == "auth.locked")
            let rules = try await house.system.client.call(RuleList.self, .init()).rules
            #expect(rules.map(\.rule.durationMs) == [3_600_000])
        }
    }

    @Test("The page's server still answers after 380 open connections, half requests and random bytes")
    func floods() async throws {
        try await ConsoleHouse.run { house in
            let cookie = try house.enter()
            var random = SeededRandom(seed: 20)
            for _ in 0..<200 {
                let bytes = (0..<Int.random(in: 1...300, using: &random)).map { _ in
                    UInt8.random(in: 0...127, using: &random)
                }
                try HTTPConnection(port: house.port).send(String(decoding: bytes, as: UTF8.self))
            }
            var held: [HTTPConnection] = []
            for _ in 0..<380 {
                // Connections beyond its limit wait in the kernel's queue.
                guard let one = try? HTTPConnection(port: house.port) else { break }
                one.send("GET /today HTTP/1.1\r\nHost: 127.0")
                held.append(one)
                if held.count == 200 { #expect(try house.get("/start", cookie)?.status == 200) }
            }
            held = []
            try await eventually(within: .seconds(60), "it answers again") {
                guard try house.get("/start", cookie)?.status == 200 else { throw NotYet("no answer") }
            }
            let endless = try HTTPConnection(port: house.port)
            endless.send(
                "POST /change HTTP/1.1\r\nHost: 127.0.0.1:\(house.port)\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            for _ in 0..<40 { endless.send("1000\r\n\(String(repeating: "x", count: 4_096))\r\n") }
            #expect(endless.receive(withinMs: 30_000).hasPrefix("HTTP/1.1 200") == false)
            #expect(try house.get("/start", cookie)?.status == 200)
        }
    }

    @Test("A live listener receives changes, also after activity-center was killed")
    func live() async throws {
        try await ConsoleHouse.run { house in
            let cookie = try house.enter()
            let line = try HTTPConnection(port: house.port)
            line.send("GET /live HTTP/1.1\r\nHost: 127.0.0.1:\(house.port)\r\nCookie: \(cookie)\r\n\r\n")
            #expect(
                line.receive(withinMs: 20_000) { $0.contains("retry: 1000") }.contains("text/event-stream")
            )
            try await house.use("alpha", ms: 60_000)
            #expect(
                line.receive(withinMs: 20_000) { $0.contains("event: changed") }.contains("event: changed")
            )
            try house.system.kill(.activity)
            #expect(try house.ask(.init(""), cookie)?.status != nil)
            try house.system.waitUntilReady()
            // The first data may be older.
            _ = line.receive(withinMs: 1_000)
            let rule = RuleSpec(
                kind: .limit,
                targets: [TokenItem(kind: .application, id: "alpha")],
                durationMs: 60_000
            )
            _ = try await house.system.client.call(RuleAdd.self, .init(rule))
            #expect(
                line.receive(withinMs: 30_000) { $0.contains("event: changed") }.contains("event: changed")
            )
        }
    }
}

@Suite(
    "The page and other accounts",
    .enabled(if: RootAccount.isHere, "needs root: connects as another account")
)
struct ConsoleAccountRootTests {
    @Test("A program of another account gets no reply from the page's server")
    func accounts() async throws {
        try await ConsoleHouse.run { house in
            let cookie = try house.enter()
            let script = """
                exec 3<>/dev/tcp/127.0.0.1/\(house.port)
                printf 'GET /start HTTP/1.1\\r\\nHost: 127.0.0.1:\(house.port)\\r\\nCookie: \(cookie)\\r\\n\\r\\n' >&3
                timeout 10 cat <&3
                """
            for (uid, isAnswered) in [(65_534, false), (0, true)] {
                let output = house.system.scratch.file("other-\(uid)")
                let number = open(output, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
                let file = OwnedDescriptor(number)
                let process = try SpawnedProcess(
                    SpawnPlan(
                        executable: "/usr/bin/setpriv",
                        arguments: ["--reuid=\(uid)", "--clear-groups", "/bin/bash", "-c", script],
                        environment: ["PATH": "/usr/bin:/bin"],
                        standardOutput: file.number,
                        standardError: file.number
                    )
                )
                try eventuallyBlocking(within: .seconds(30), "an answer, or none") {
                    if process.wait(deadlineMs: 100) == nil, !ScratchDirectory.text(output).contains("token")
                    {
                        throw NotYet(ScratchDirectory.text(output))
                    }
                }
                process.signalGroup(SIGKILL)
                #expect(ScratchDirectory.text(output).contains("token") == isAnswered, "\(uid)")
            }
        }
    }
}
