import STContracts
import STCrypto
import STPlatform
import STStore
import STTestKit
import Testing

@testable import STShieldCore

@Suite("Codes from a guardian's phone")
struct OfflineCodeTests {
    private let desk: RequestDesk

    init() throws {
        desk = try RequestDesk()
        _ = try desk.setUpCodes()
    }

    private func refusal(_ code: String, for request: String = "R1") throws -> Problem? {
        try desk.bench.refusal(RequestCode.self, .init(request: request, code: code))
    }

    @Test("Setting up codes requires a guardian's passcode and a child, and returns an `otpauth` address")
    func setUp() throws {
        let reply = try desk.setUpCodes()
        let secret = try #require(reply.secret)
        #expect(secret.count == 32)
        #expect(
            reply.uri
                == "otpauth://totp/Screen%20Time:kid%40desk?secret=\(secret)&issuer=Screen%20Time"
                + "&algorithm=SHA1&digits=6&period=30"
        )
        let without = RequestCodeSetup.Request(member: "kid")
        #expect(try desk.bench.refusal(RequestCodeSetup.self, without)?.code == "auth.proof_needed")
        let wrong = try desk.setUpCodes("kid", "wrong")
        #expect(wrong.refusal?.code == "auth.wrong_passcode" && wrong.secret == nil && wrong.uri == nil)
        let owner = RequestCodeSetup.Request(member: "owner", passcode: "x")
        #expect(
            try desk.bench.refusal(RequestCodeSetup.self, owner)?.code == "request.codes_for_child"
        )
    }

    @Test("A valid code grants the waiting request")
    func good() throws {
        try desk.add()
        let reply = try desk.give(try desk.code(), for: "R1")
        #expect(reply.refusal == nil)
        #expect(reply.request.state == .granted)
        #expect(reply.request.answeredBy == OfflineCodes.answeredBy)
        #expect(try desk.told() == ["1 grant/R1 granted"])
    }

    @Test("A code grants at most an hour, and is refused for a request for everything")
    func capped() throws {
        _ = try desk.setUpCodes()
        try desk.add("kid", minutes: 24 * 60)
        let granted = try desk.give(try desk.code(), for: "R1").request
        #expect(granted.state == .granted)
        #expect(granted.untilWallMs == RequestDesk.noonMs + OfflineCodes.grantMax.ms)
        #expect(granted.answer?.english == "A code grants at most 1 h.")
        try desk.add("kid", minutes: 15, items: [])
        try desk.pass(minutes: 1)
        let request = RequestCode.Request(request: "R2", code: try desk.code())
        #expect(
            try desk.bench.refusal(RequestCode.self, request)?.code == "request.code_not_for_everything"
        )
        #expect(try desk.view("R2").state == .waiting)
    }

    @Test("A code is accepted with a space and 30 s early or late, but not 60 s ahead")
    func tolerance() throws {
        try desk.add()
        let early = try desk.code(atMs: RequestDesk.noonMs - 30_000)
        let spaced = "\(early.prefix(3)) \(early.suffix(3))"
        #expect(try desk.give(spaced, for: "R1").request.state == .granted)
        try desk.add("kid", minutes: 5)
        let late = try desk.code(atMs: RequestDesk.noonMs + 30_000)
        #expect(try desk.give(late, for: "R2").request.state == .granted)
        try desk.add("kid", minutes: 5, items: [RequestDesk.app("code")])
        let tooLate = try desk.code(atMs: RequestDesk.noonMs + 60_000)
        #expect(try desk.give(tooLate, for: "R3").refusal?.code == "request.wrong_code")
    }

    @Test("A code is accepted once, and earlier codes are then refused with `request.code_used`")
    func once() throws {
        for id in ["a", "b", "c"] { try desk.add("kid", minutes: 5, items: [RequestDesk.app(id)]) }
        let before = try desk.code(atMs: RequestDesk.noonMs - 30_000)
        let code = try desk.code()
        #expect(try desk.give(code, for: "R1").refusal == nil)
        #expect(try desk.give(code, for: "R2").refusal?.code == "request.code_used")
        #expect(try desk.give(before, for: "R2").refusal?.code == "request.code_used")
        try desk.restart()
        #expect(try desk.give(code, for: "R2").refusal?.code == "request.code_used")
        desk.time.advance(byMs: 30_000)
        #expect(try desk.give(code, for: "R2").refusal?.code == "request.code_used")
        #expect(try desk.give(try desk.code(), for: "R2").refusal == nil)
        #expect(try desk.view("R3").state == .waiting)
    }

    @Test("A code of another computer or of an earlier setup is refused with `request.wrong_code`")
    func another() throws {
        try desk.add()
        let other = try RequestDesk()
        _ = try other.setUpCodes()
        #expect(try desk.give(try other.code(), for: "R1").refusal?.code == "request.wrong_code")
        let old = try desk.code()
        _ = try desk.setUpCodes()
        #expect(try desk.give(old, for: "R1").refusal?.code == "request.wrong_code")
        #expect(try desk.view("R1").state == .waiting)
    }

    @Test("An old code is still refused after the clock is set back to its time")
    func steppedBack() throws {
        try desk.add()
        let seen = try desk.code()
        desk.time.advance(byMs: 600_000)
        #expect(try desk.give(seen, for: "R1").refusal?.code == "request.wrong_code")
        desk.time.stepWall(byMs: -600_000)
        #expect(desk.time.now().wallMs == RequestDesk.noonMs)
        let reply = try desk.give(seen, for: "R1")
        #expect(reply.refusal?.code == "request.wrong_code")
        #expect(reply.refusal?.message.contains("request setup kid") == true)
        // A code of the true time is accepted, although this computer's clock is set back.
        let right = try desk.code(atMs: RequestDesk.noonMs + 600_000)
        #expect(try desk.give(right, for: "R1").refusal == nil)
    }

    @Test("An old code is refused after a reboot with the clock set back to its time")
    func rebooted() throws {
        let seen = try desk.code(atMs: RequestDesk.noonMs + 30_000)
        // Two hours without a request, then a reboot with the clock set back.
        try desk.pass(minutes: 60)
        try desk.pass(minutes: 60)
        try desk.reboot(wallMs: RequestDesk.noonMs)
        try desk.add()
        #expect(try desk.give(seen, for: "R1").refusal?.code == "request.wrong_code")
        desk.time.stepWall(byMs: 2 * 3_600_000 + 60_000)
        #expect(try desk.give(try desk.code(), for: "R1").refusal == nil)
    }

    @Test("Setting up codes again adopts the current time after the clock was a year ahead")
    func ahead() throws {
        desk.time.stepWall(byMs: 365 * 86_400_000)
        try desk.add()
        desk.time.stepWall(byMs: -365 * 86_400_000)
        #expect(try desk.give(try desk.code(), for: "R1").refusal?.code == "request.wrong_code")
        _ = try desk.setUpCodes()
        #expect(try desk.give(try desk.code(), for: "R1").refusal == nil)
    }

    @Test("Five wrong codes are recorded and lock further codes, also after a restart")
    func limited() throws {
        try desk.add()
        let good = try desk.code()
        let wrong = good == "000000" ? "000001" : "000000"
        for left in (0...4).reversed() {
            #expect(try desk.give(wrong, for: "R1").refusal?.details["tries_left"] == String(left))
        }
        #expect(try refusal(good)?.code == "auth.locked")
        try desk.restart()
        #expect(try refusal(good)?.code == "auth.locked")
        let rows = try desk.bench.database.query("SELECT member, request, uid FROM request_attempts") {
            "\(try $0.text(0)) \(try $0.text(1)) \(try $0.int(2))"
        }
        #expect(rows == Array(repeating: "kid R1 1000", count: 5))
        desk.time.stepWall(byMs: 80_000_000)
        #expect(try refusal(good)?.code == "auth.locked")
        desk.time.stepWall(byMs: -80_000_000)
        desk.time.advance(byMs: 60_000)
        #expect(try desk.give(wrong, for: "R1").refusal?.details["retry_after_ms"] == "120000")
    }

    @Test(
        "Text that is not six digits is refused and not counted as a wrong code",
        arguments: ["", "12345", "1234567", "12345a", "１２３４５６", "-12345"]
    )
    func noCode(text: String) throws {
        try desk.add()
        #expect(try refusal(text)?.code == "request.bad_code")
        #expect(desk.book.keys["kid"]?.wrongAttempts == 0)
    }

    @Test("A code is refused if codes are not set up, or if the request is unknown or already answered")
    func missing() throws {
        try desk.add("owner", minutes: 5)
        #expect(try refusal("123456")?.code == "request.no_codes")
        #expect(try refusal("123456", for: "R9")?.code == "request.not_found")
        try desk.add()
        try desk.approve("R2")
        #expect(try refusal(try desk.code(), for: "R2")?.code == "request.not_waiting")
    }

    @Test("Restarting the service keeps the key of a child's codes")
    func start() throws {
        let before = desk.book
        try desk.restart()
        #expect(desk.book == before)
    }
}
