import STContracts
import STCrypto
import STPlatform
import Synchronization

/// Authenticates browsers by a secret that only this account can read.
///
/// Links and cookies contain their end and a code made from the secret. Therefore a restarted console still accepts its browsers.
/// A used link is stored until it would end anyway.
final class ConsoleKey: Sendable {
    /// Long enough for a slow browser to start.
    static let linkMs: Int64 = 2 * 60_000
    static let cookieMs: Int64 = 30 * 86_400_000
    static let cookieName = "screentime"
    private static let bytes = 32

    private let secret: Secret
    private let used = Mutex<[String: Int64]>([:])

    /// Creates a key from `kept`, the key of an earlier run. Any other value creates a new one.
    init(kept: String? = nil) throws {
        if var bytes = kept.flatMap(Base64.decode), bytes.count == Self.bytes {
            secret = try Secret(wiping: &bytes)
        } else {
            secret = try .random(count: Self.bytes)
        }
    }

    /// The key as text, for a file that only this account can read.
    var text: String { secret.withBytes { Base64.encode(Array($0)) } }

    /// Returns a link that a browser can open once within two minutes.
    func link(nowMs: Int64) throws -> String { try signed("link", untilMs: nowMs + Self.linkMs) }

    func redeem(_ link: String, nowMs: Int64) -> Bool {
        guard let untilMs = expiryMs(of: link, "link", nowMs) else { return false }
        return used.withLock { used in
            used = used.filter { $0.value > nowMs }
            return used.updateValue(untilMs, forKey: link) == nil
        }
    }

    func cookie(nowMs: Int64) throws -> String { try signed("cookie", untilMs: nowMs + Self.cookieMs) }

    /// Returns the valid cookie of a browser among all cookies for this computer, or `nil`.
    func visitor(_ cookies: String, nowMs: Int64) -> String? {
        for cookie in cookies.split(separator: ";") {
            let parts = cookie.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0] == Self.cookieName else { continue }
            if expiryMs(of: String(parts[1]), "cookie", nowMs) != nil { return String(parts[1]) }
        }
        return nil
    }

    /// Returns the token that a page sends with a change, so that other pages cannot make the browser send one.
    func token(of cookie: String) -> String { code("token", cookie) }

    func isToken(_ token: String, of cookie: String) -> Bool { Self.areSame(token, self.token(of: cookie)) }

    private func signed(_ kind: String, untilMs: Int64) throws -> String {
        let body = "\(untilMs).\(try Secret.random(count: 16).withBytes { Self.text(Array($0)) })"
        return "\(body).\(code(kind, body))"
    }

    private func expiryMs(of text: String, _ kind: String, _ nowMs: Int64) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let untilMs = Int64(parts[0]), untilMs > nowMs,
            Self.areSame(String(parts[2]), code(kind, "\(parts[0]).\(parts[1])"))
        else { return nil }
        return untilMs
    }

    private func code(_ kind: String, _ text: String) -> String {
        Self.text(Digest.blake2b(Array("\(kind) \(text)".utf8), key: secret))
    }

    /// Compares in a time that does not depend on the first difference.
    private static func areSame(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Returns base64 with the characters that addresses and cookies allow.
    private static func text(_ bytes: [UInt8]) -> String {
        Base64.encode(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
