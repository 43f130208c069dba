import Glibc
import STCOath

/// Codes that are valid for half a minute (TOTP of RFC 6238, as authenticator apps make them): SHA-1, 30 s, six digits.
package enum OneTimeCode {
    /// 160 random bits, as RFC 4226 recommends.
    package static let secretBytes = 20
    package static let stepMs: Int64 = 30_000
    package static let digits = 6

    package static func newSecret() throws -> Secret { try .random(count: secretBytes) }

    /// The number of the half minute since 1970 that contains a moment.
    package static func step(ofWallMs wallMs: Int64) -> Int64 { max(0, wallMs) / stepMs }

    /// The code of one half minute.
    package static func code(_ secret: Secret, step: Int64) -> String {
        Oath.prepare()
        var text = [CChar](repeating: 0, count: digits + 1)
        let result = secret.withBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                oath_totp_generate(
                    $0.baseAddress,
                    $0.count,
                    Int(clamping: step * (stepMs / 1000)),
                    UInt32(stepMs / 1000),
                    0,
                    UInt32(digits),
                    &text
                )
            }
        }
        precondition(result == Int32(OATH_OK.rawValue), "liboath makes codes of six digits")
        return String(decoding: text.prefix(digits).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns the half minute that a code belongs to: `step`, or one of its `tolerance` neighbours on either side. Otherwise
    /// `nil`.
    ///
    /// All candidates are compared in full, so the duration reveals nothing about the code.
    package static func step(of code: String, _ secret: Secret, around step: Int64, tolerance: Int64 = 1)
        -> Int64?
    {
        let given = Array(code.utf8)
        guard given.count == digits else { return nil }
        var found: Int64?
        for candidate in max(0, step - tolerance)...(step + tolerance) {
            let expected = self.code(secret, step: candidate).utf8
            let difference = zip(given, expected).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
            if difference == 0 { found = candidate }
        }
        return found
    }

    /// The `otpauth` address that an authenticator app reads, as text or as a QR code.
    package static func uri(_ secret: Secret, account: String, issuer: String) -> String {
        let label = "\(escaped(issuer)):\(escaped(account))"
        return "otpauth://totp/\(label)?secret=\(text(secret))&issuer=\(escaped(issuer))"
            + "&algorithm=SHA1&digits=\(digits)&period=\(stepMs / 1000)"
    }

    /// The secret as a person types it into an authenticator app: base32 of RFC 4648 without padding.
    package static func text(_ secret: Secret) -> String {
        var output: UnsafeMutablePointer<CChar>?
        var count = 0
        let result = secret.withBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                oath_base32_encode($0.baseAddress, $0.count, &output, &count)
            }
        }
        guard result == Int32(OATH_OK.rawValue), let output else { preconditionFailure("no memory") }
        defer {
            explicit_bzero(output, count)
            free(output)
        }
        let letters = UnsafeBufferPointer(start: output, count: count).map(UInt8.init(bitPattern:))
        return String(decoding: letters.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    }

    /// Percent-encodes every byte except the unreserved characters of RFC 3986.
    private static func escaped(_ text: String) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                escaped.append(byte)
            default: escaped += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}

/// liboath, initialised once for the process.
private enum Oath {
    private static let isReady = oath_init() == Int32(OATH_OK.rawValue)

    static func prepare() { precondition(isReady, "liboath cannot be set up") }
}
