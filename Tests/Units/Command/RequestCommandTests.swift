import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import STTestSupport
import Testing

@Suite("Commands of requests for more time")
struct RequestCommandTests {
    @Test("`request add` sends the request and prints its state and the next command")
    func add() async throws {
        let house = RequestHouse()
        let (code, output) = try await house.run(
            ["request", "add", "firefox", "site:reddit.com", "15m", "--because", "homework"]
        )
        #expect(code == .done)
        #expect(
            output.standard.hasPrefix("R7: 15 min of firefox and reddit.com, will be granted ")
        )
        #expect(output.standard.contains("screentime request revoke R7"))
        let asked = try #require(try house.last(RequestAdd.self))
        #expect(asked.durationMs == 900_000)
        #expect(asked.because == "homework")
        #expect(asked.items.map(\.kind) == [.application, .domain])

        let (_, child) = try await house.run(["request", "add", "everything", "1h", "--member", "kid"])
        #expect(child.standard.contains("1 h of everything, waiting for a guardian"))
        #expect(child.standard.contains("screentime request approve R7"))
        #expect(child.standard.contains("Note: No guardian can answer yet."))
    }

    @Test(
        "A mistyped command about requests is rejected with a correction",
        arguments: [
            (["request", "add", "15m", "firefox"], "screentime request add firefox 15m"),
            (["request", "add", "firefox"], "DURATION is missing: the additional time, such as 15m"),
            (["request", "add", "firefox", "15"], "screentime request add firefox 15m"),
            (["request", "add", "reddit.com", "15m"], "screentime request add site:reddit.com 15m"),
            (["request", "firefox", "15m"], "screentime request add firefox 15m"),
            (["request", "grant", "R7"], "screentime request approve R7"),
            (["request", "reject", "R7"], "screentime request deny R7"),
            (["request", "cancel", "R7"], "screentime request revoke R7"),
            (["request", "aprove", "R7"], "screentime request approve R7"),
            (["requests"], "screentime request list"),
            (["approve", "R7"], "screentime request approve R7"),
            (["grant", "R7"], "screentime request approve R7"),
            (["revoke", "R7"], "screentime request revoke R7"),
            (["revoke", "promise"], "screentime app access promise off"),
            (["request", "edit", "--a-day", "many"], "--a-day 4"),
            (["request", "list", "--state", "open"], "--state waiting"),
            (["rule", "delay", "1"], "screentime rule delay 1h"),
            (["request", "add", "firefox", "15m", "--member", "kit"], "--member kid"),
        ]
    )
    func nearMiss(line: [String], expected: String) async throws {
        let (code, output) = try await RequestHouse().run(line)
        #expect(code != .done)
        #expect(output.error.contains(expected), "\(output.error)")
    }

    @Test("`request list` prints one line for each request and filters by state")
    func list() async throws {
        let house = RequestHouse([
            RequestHouse.view("R3", .waiting, because: "homework"), RequestHouse.view("R2", .granted),
            RequestHouse.view("R1", .denied),
        ])
        let (_, output) = try await house.run(["request", "list"])
        let lines = output.standard.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[0].hasPrefix("REQUEST  FOR  WHAT               STATE"))
        #expect(lines[1].contains("waiting for a guardian") && lines[1].hasSuffix("homework"))
        #expect(lines[2].contains("granted until "))
        #expect(lines[3].contains("denied by guardian: “dinner”"))

        let (_, waiting) = try await house.run(["request", "list", "--state", "waiting", "--json"])
        #expect(waiting.standard.contains("\"R3\"") && !waiting.standard.contains("\"R2\""))
        let (_, none) = try await RequestHouse().run(["request", "list"])
        #expect(
            none.standard.hasPrefix(
                "There are no requests. To make one, for example: screentime request add"
            )
        )
    }

    @Test("`request show` prints a request without control characters and rejects an unknown number")
    func show() async throws {
        let house = RequestHouse([RequestHouse.view("R7", .granted, because: "home\u{1B}work")])
        let (code, output) = try await house.run(["request", "show", "r7"])
        #expect(code == .done)
        #expect(output.standard.hasPrefix("R7: 15 min of firefox for kid\n"))
        #expect(output.standard.contains("Granted by guardian "))
        #expect(!output.standard.contains("\u{1B}"))
        let (no, other) = try await house.run(["request", "show", "R8"])
        #expect(no == .no)
        #expect(other.error.contains("The latest is R7."))
    }

    @Test("`request approve` hides the typed passcode and prompts again after a wrong passcode")
    func approve() async throws {
        let house = RequestHouse()
        let terminal = try PseudoTerminal()
        let (code, output) = try await house.run(
            ["request", "approve", "R7", "--for", "10m"],
            keyboard: terminal
        ) {
            try await $0.answer("Passcode of guardian:", "wrong", isHidden: true)
            try await $0.answer("Passcode of guardian:", "right", count: 2, isHidden: true)
        }
        #expect(code == .done, "\(output.error)")
        #expect(output.standard.hasPrefix("R7: kid has firefox until "))
        #expect(try house.last(RequestApprove.self)?.durationMs == 600_000)
        #expect(!terminal.screen.contains("right"))
        #expect(terminal.screen.contains("Wrong, 4 left."))
    }

    @Test("`request deny` sends the reason after the passcode, and `request revoke` needs no passcode")
    func denyAndRevoke() async throws {
        let house = RequestHouse()
        let terminal = try PseudoTerminal()
        let (code, output) = try await house.run(
            ["request", "deny", "R7", "--because", "dinner"],
            keyboard: terminal
        ) { try await $0.answer("Passcode of guardian:", "right", isHidden: true) }
        #expect(code == .done)
        #expect(output.standard == "R7: 15 min of firefox is denied.\n")
        #expect(try house.last(RequestDeny.self)?.because == "dinner")
        let (_, revoked) = try await house.run(["request", "revoke", "R7"])
        #expect(revoked.standard == "R7: 15 min of firefox is revoked.\n")
    }

    @Test("`request code` accepts a code in two groups and rejects a wrong code")
    func code() async throws {
        let house = RequestHouse()
        let (code, output) = try await house.run(["request", "code", "R7", "123", "456"])
        #expect(code == .done)
        #expect(output.standard.hasPrefix("R7: kid has firefox until "))
        let (wrong, text) = try await house.run(["request", "code", "R7", "000000"])
        #expect(wrong == .notAllowed)
        #expect(text.error == "Wrong, 4 left.\n")
        let (_, json) = try await house.run(["request", "code", "R7", "000000", "--json"])
        #expect(json.standard.contains("request.wrong_code"))
    }

    @Test("`request setup` prints the address, the key and a notice that they are shown only once")
    func setUp() async throws {
        let terminal = try PseudoTerminal()
        let (code, output) = try await RequestHouse().run(["request", "setup", "kid"], keyboard: terminal) {
            try await $0.answer("Passcode of guardian:", "right", isHidden: true)
        }
        #expect(code == .done)
        #expect(output.standard.contains("otpauth://totp/Screen%20Time:kid%40desk?secret="))
        #expect(output.standard.contains("GEZD GNBV GY3T QOJQ"))
        #expect(output.standard.contains("shown only once"))
        // No picture where no eye is.
        #expect(!output.standard.contains("█"))
    }

    @Test("`request edit` prints the rule in words and changes only the given values")
    func rule() async throws {
        let house = RequestHouse()
        let (_, output) = try await house.run(["request", "edit"])
        #expect(
            output.standard
                == "4 times a day, owner can get up to 15 min more without a guardian.\n"
                + "The first request waits 1 min. "
                + "Each further request that day waits twice as long as the one before.\n"
        )
        #expect(try house.last(RequestRuleSet.self) == nil)
        _ = try await house.run(["request", "edit", "--delay", "0", "--growth", "50%", "--a-day", "2"])
        let rule = try #require(try house.last(RequestRuleSet.self)?.rule)
        #expect(rule.delayMs == 0 && rule.growthPercent == 50 && rule.aDay == 2 && rule.mostMs == 900_000)
    }

    @Test("`request edit` prints a pending looser rule and the command that keeps the current rule")
    func looser() async throws {
        var next = RequestHouse.standard
        next.aDay = 9
        let house = RequestHouse(
            rule: RequestRuleState(
                rule: RequestHouse.standard,
                next: next,
                nextFromWallMs: 1_795_172_400_000,
                grantedToday: 2
            )
        )
        let (_, output) = try await house.run(["request", "edit"])
        #expect(output.standard.contains("Requests granted so far today: 2."))
        #expect(output.standard.contains("  9 times a day, owner can get up to 15 min"))
        #expect(
            output.standard.contains(
                "screentime request edit --delay 1m --growth 100% --most 15m --a-day 4"
            )
        )
    }

    @Test("`rule delay` prints the delay in words and the command that restores it")
    func delay() async throws {
        let (_, none) = try await RequestHouse().run(["rule", "delay"])
        #expect(none.standard == "Every change to a rule for owner takes effect immediately.\n")
        let waiting = RuleDelay.Reply(
            member: "owner",
            delayMs: 3_600_000,
            nextDelayMs: 0,
            nextFromWallMs: 1_795_172_400_000
        )
        let house = RequestHouse(delay: waiting)
        let (_, output) = try await house.run(["rule", "delay", "0"])
        #expect(output.standard.contains("A change that loosens a rule for owner takes effect after 1 h"))
        #expect(output.standard.contains("screentime rule delay 1h"))
        #expect(try house.last(RuleDelay.self)?.delayMs == 0)
    }

    @Test("A QR code is a square that begins with a light line, and its SVG has as many dark squares")
    func picture() throws {
        let lines = try #require(
            QRPicture.lines("otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ", isColoured: false)
        )
        let widths = Set(lines.map(\.count))
        #expect(widths.count == 1)
        // Two rows in each line.
        #expect(lines.count == ((widths.first ?? 0) + 1) / 2)
        #expect(lines[0].allSatisfy { $0 == "█" })
        #expect(QRPicture.lines(String(repeating: "x", count: 5_000), isColoured: true) == nil)
        // The page's is the same squares, with the key to type below.
        let svg = try #require(QRPicture.svg("otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ", below: "GEZD GNBV"))
        let light = lines.joined().reduce(0) { $0 + ["█": 2, "▀": 1, "▄": 1][$1, default: 0] }
        let side = widths.first ?? 0
        // The last line has a row of dark below the picture's edge where the number of rows is odd.
        #expect(
            svg.split(separator: "h1v1h-1z").count - 1 == side * side - light + (side % 2 == 1 ? side : 0)
        )
        #expect(svg.contains(">GEZD GNBV</text>"))
    }
}
