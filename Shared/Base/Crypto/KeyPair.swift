import STCSodium
package import STPlatform

/// The keys of a machine for connections between machines (Curve25519, as CURVE uses it).
package struct KeyPair: Sendable, Equatable {
    package static let bytes = 32

    package let secret: [UInt8]
    package let publicKey: [UInt8]

    package static func make() throws -> KeyPair {
        var secret = [UInt8](repeating: 0, count: bytes)
        Sodium.prepare()
        randombytes_buf(&secret, bytes)
        return try KeyPair(secret: secret)
    }

    package init(secret: [UInt8]) throws {
        Sodium.prepare()
        var key = [UInt8](repeating: 0, count: Self.bytes)
        guard secret.count == Self.bytes, crypto_scalarmult_base(&key, secret) == 0 else {
            throw Problem(
                "crypto.bad_key",
                "A key must have \(Self.bytes, "bytes") bytes, but this key has \(secret.count, "count")."
            )
        }
        self.secret = secret
        publicKey = key
    }
}

/// The code with which a machine asks to join a household. It holds the server's address and public key, and a secret that works
/// once.
package struct InvitationCode: Sendable, Equatable {
    private static let mark = "st1."

    /// `HOST:PORT`.
    package var address: String
    package var server: [UInt8]
    package var secret: [UInt8]

    package init(address: String, server: [UInt8], secret: [UInt8]) {
        self.address = address
        self.server = server
        self.secret = secret
    }

    package var text: String { Self.mark + TextFormat.hex(server + secret) + "@" + address }

    package init(_ text: String) throws(Problem) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard text.hasPrefix(Self.mark), parts.count == 2,
            let keys = TextFormat.bytes(hex: String(parts[0].dropFirst(Self.mark.count))),
            keys.count == 2 * KeyPair.bytes
        else {
            throw Problem(
                "household.bad_code",
                "That is not a household code. Copy the whole code that `screentime household invite` shows.",
                field: "/code",
                help: "screentime household invite"
            )
        }
        address = try Self.checked(address: String(parts[1]))
        server = Array(keys.prefix(KeyPair.bytes))
        secret = Array(keys.suffix(KeyPair.bytes))
    }

    /// Returns the address if its form is `HOST:PORT`. HOST is a name, an IPv4 address, or an IPv6 address in brackets.
    package static func checked(address: String) throws(Problem) -> String {
        let allowed = address.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: ".-:[]".utf8.contains(byte)
            }
        }
        guard allowed, address.utf8.count <= 270, let colon = address.lastIndex(of: ":"),
            colon != address.startIndex,
            let port = UInt16(address[address.index(after: colon)...]), port > 0
        else {
            throw Problem(
                "household.bad_address",
                "An address consists of the name or IP address of a machine and a port, such as laptop.local:7415.",
                field: "/address"
            )
        }
        return address
    }

    /// Returns the six digits that both machines show. A person compares them and approves the machine that shows the same number.
    package static func number(server: [UInt8], device: [UInt8], invitation: [UInt8]) -> String {
        let hash = Digest.blake2b(server + device + invitation).prefix(8).reduce(UInt64(0)) {
            $0 << 8 | UInt64($1)
        }
        let digits = String(hash % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }
}
