import Glibc
import STCrypto
import STTestSupport
import Testing

@Suite("One-time codes")
struct OneTimeCodeTests {
    private static func secret(_ text: String) throws -> Secret {
        var bytes = Array(text.utf8)
        return try Secret(wiping: &bytes)
    }

    /// RFC 6238, appendix B, for SHA-1: the last six of the eight digits.
    @Test(
        "One-time codes match the values of RFC 6238",
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"), (20_000_000_000, "353130"),
        ] as [(Int64, String)]
    )
    func vectors(seconds: Int64, code: String) throws {
        let secret = try Self.secret("12345678901234567890")
        #expect(OneTimeCode.code(secret, step: OneTimeCode.step(ofWallMs: seconds * 1000)) == code)
    }

    @Test("One-time codes match those of oathtool for the same secret")
    func reference() throws {
        for round in 0..<20 {
            let secret = try OneTimeCode.newSecret()
            let step = Int64(50_000_000 + round * 1_234_567)
            let output = try Self.oathtool(OneTimeCode.text(secret), seconds: step * 30 + Int64(round))
            #expect(output == OneTimeCode.code(secret, step: step))
        }
    }

    @Test("A complete code is accepted for one time step before and after its own")
    func tolerance() throws {
        let secret = try Self.secret("12345678901234567890")
        let now: Int64 = 40_000_000
        for distance in -3...3 {
            let code = OneTimeCode.code(secret, step: now + Int64(distance))
            let found = OneTimeCode.step(of: code, secret, around: now)
            #expect(found == (abs(distance) <= 1 ? now + Int64(distance) : nil))
        }
        let code = OneTimeCode.code(secret, step: now)
        for wrong in ["", String(code.dropLast()), code + "0", String(repeating: "é", count: 3)] {
            #expect(OneTimeCode.step(of: wrong, secret, around: now) == nil)
        }
        #expect(OneTimeCode.step(of: OneTimeCode.code(secret, step: 0), secret, around: 0) == 0)
    }

    @Test("Different secrets give different codes")
    func other() throws {
        let step: Int64 = 59_000_000
        let codes = try (0..<10).map { _ in OneTimeCode.code(try OneTimeCode.newSecret(), step: step) }
        #expect(Set(codes).count > 5)
    }

    @Test("The URI for an authenticator app has all parts, also with unusual names")
    func uri() throws {
        let secret = try Self.secret("12345678901234567890")
        #expect(OneTimeCode.text(secret) == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        #expect(
            OneTimeCode.uri(secret, account: "아이 & co@desk", issuer: "Screen Time")
                == "otpauth://totp/Screen%20Time:%EC%95%84%EC%9D%B4%20%26%20co%40desk"
                + "?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Screen%20Time&algorithm=SHA1&digits=6&period=30"
        )
        var odd: [UInt8] = [0xff]
        #expect(OneTimeCode.text(try Secret(wiping: &odd)) == "74")
    }

    private static func oathtool(_ secret: String, seconds: Int64) throws -> String {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let path = scratch.file("code")
        let line = "TZ=UTC oathtool --totp --base32 --now=\"@\(seconds)\" \(secret) > \(path)"
        #expect(system(line) == 0)
        return String(ScratchDirectory.text(path).prefix { $0 != "\n" })
    }
}
