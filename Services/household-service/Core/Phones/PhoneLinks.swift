import STContracts
import STCrypto
package import STPlatform

/// Links that no phone has opened yet, by the digests of their secrets.
package struct PhoneLinks: Sendable {
    package struct Link: Sendable {
        package let pairing: PhonePairing
        fileprivate let digest: [UInt8]
        fileprivate let untilBootMs: Int64
    }

    private struct Body: WireBody, Codable { var key: String }

    private var links: [[UInt8]: Link] = [:]

    package init() {}

    /// Adds a link and returns its secret.
    package mutating func add(_ pairing: PhonePairing, nowBootMs: Int64) throws -> [UInt8] {
        links = links.filter { $0.value.untilBootMs > nowBootMs }
        guard links.count < MachineAdmission.invitationsMax else { throw MachineAdmission.tooManyInvitations }
        let secret = try KeyPair.make().secret
        let untilBootMs = nowBootMs + HouseholdPhone.lastsMs
        restore(Link(pairing: pairing, digest: Digest.blake2b(secret), untilBootMs: untilBootMs))
        return secret
    }

    /// Removes and returns the link whose secret the body of a request contains.
    package mutating func redeem(_ body: [UInt8], nowBootMs: Int64) throws(Problem) -> Link {
        guard let secret = (try? Body.decodedBody(body)).flatMap({ TextFormat.bytes(hex: $0.key) }),
            let found = links.removeValue(forKey: Digest.blake2b(secret)), found.untilBootMs > nowBootMs
        else {
            throw Problem(
                "phone.link_over",
                """
                This link was used, or is older than ten minutes. Make a new one on the household's hub: \
                screentime household phone NAME
                """
            )
        }
        return found
    }

    /// Adds a link. If pairing fails, its link is added again.
    package mutating func restore(_ link: Link) { links[link.digest] = link }
}
