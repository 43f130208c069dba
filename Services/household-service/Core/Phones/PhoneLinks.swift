import STContracts
import STCrypto
package import STPlatform

/// Links that no phone has opened yet, by the digests of their secrets.
package struct PhoneLinks: Sendable {
    package struct Link: Sendable {
        package let pairing: PhonePairing
        fileprivate let digest: [UInt8]
        fileprivate let until: BootTime
    }

    private struct Body: WireBody, Codable { var key: String }

    private var links: [[UInt8]: Link] = [:]

    package init() {}

    /// Adds a link and returns its secret.
    package mutating func add(_ pairing: PhonePairing, at now: BootTime) throws -> [UInt8] {
        links = links.filter { $0.value.until > now }
        guard links.count < MachineAdmission.invitationsMax else { throw MachineAdmission.tooManyInvitations }
        let secret = try KeyPair.make().secret
        let until = now + .milliseconds(HouseholdPhone.lastsMs)
        restore(Link(pairing: pairing, digest: Digest.blake2b(secret), until: until))
        return secret
    }

    /// Removes and returns the link whose secret the body of a request contains.
    package mutating func redeem(_ body: [UInt8], at now: BootTime) throws(Problem) -> Link {
        guard let secret = (try? Body.decodedBody(body)).flatMap({ TextFormat.bytes(hex: $0.key) }),
            let found = links.removeValue(forKey: Digest.blake2b(secret)), found.until > now
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
