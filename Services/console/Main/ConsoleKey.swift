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
    static let linkLifetime: Duration = .seconds(60 * 2)
    static let cookieLifetime: Duration = .seconds(30 * 86_400)
    static let cookieName = "screentime"
    private static let bytes = 32

    private let secret: Secret
    private let used = Mutex<[String: WallTime]>([:])

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
    func link(now: WallTime) throws -> String { try signed("link", until: now + Self.linkLifetime) }

    func redeem(_ link: String, now: WallTime) -> Bool {
        guard let end = expiry(of: link, "link", now) else { return false }
        return used.withLock { used in
            used = used.filter { $0.value > now }
            return used.updateValue(end, forKey: link) == nil
        }
    }

    func cookie(now: WallTime) throws -> String { try signed("cookie", until: now + Self.cookieLifetime) }

    /// Returns the valid cookie of a browser among all cookies for this computer, or `nil`.
    func visitor(_ cookies: String, now: WallTime) -> String? {
        for cookie in cookies.split(separator: ";") {
            let parts = cookie.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0] == Self.cookieName else { continue }
            if expiry(of: String(parts[1]), "cookie", now) != nil { return String(parts[1]) }
        }
        return nil
    }

    /// Returns the token that a page sends with a change, so that other pages cannot make the browser send one.
    func token(of cookie: String) -> String { code("token", cookie) }

    func isToken(_ token: String, of cookie: String) -> Bool { Self.areSame(token, self.token(of: cookie)) }

    private func signed(_ kind: String, until end: WallTime) throws -> String {
        let body = "\(end.ms).\(try Secret.random(count: 16).withBytes { Self.text(Array($0)) })"
        return "\(body).\(code(kind, body))"
    }

    private func expiry(of text: String, _ kind: String, _ now: WallTime) -> WallTime? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let end = Int64(parts[0]).map(WallTime.init), end > now,
            Self.areSame(String(parts[2]), code(kind, "\(parts[0]).\(parts[1])"))
        else { return nil }
        return end
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
