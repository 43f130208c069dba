package import STContracts
import STCrypto

/// The end of the chain of hashes: each row's link covers its content and the link before it.
///
/// It finds damage and careless edits. It has no key, so whoever can write the file can write the chain anew; only a
/// link that was noted down elsewhere shows that.
package struct LedgerChain: Sendable, Equatable {
    package private(set) var row: Int64
    package private(set) var link: [UInt8]

    package init(row: Int64 = 0, link: [UInt8] = [UInt8](repeating: 0, count: Digest.bytes)) {
        self.row = row
        self.link = link
    }

    package mutating func append(content: [UInt8]) {
        row += 1
        link = Digest.blake2b(link + content)
    }

    /// BLAKE2b over every field: whole numbers as eight bytes, little end first; texts with their length in front;
    /// what is absent as a length that no text has.
    ///
    /// What was in front of a shield is hashed as another format, so that every row from before there were shields
    /// still says what it said; so is what was lived on another device.
    package static func content(_ segment: Segment) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        let isShielded = segment.shielded == true
        bytes.append(segment.device != nil ? deviceVersion : isShielded ? shieldedVersion : formatVersion)
        for text in [segment.segment, segment.agent, segment.run] { append(text, &bytes) }
        append(segment.sequence, &bytes)
        for text in [segment.member, segment.presence.rawValue] { append(text, &bytes) }
        for text in [segment.app, segment.domain, segment.category] { append(text, &bytes) }
        append(segment.bootId, &bytes)
        for number in [segment.startBootMs, segment.endBootMs, segment.startWallMs] { append(number, &bytes) }
        append(segment.zone, &bytes)
        append(segment.knownBy?.rawValue, &bytes)
        append(segment.stepMs == nil ? 0 : 1, &bytes)
        append(segment.stepMs ?? 0, &bytes)
        if let device = segment.device {
            append(device, &bytes)
            append(isShielded ? 1 : 0, &bytes)
        }
        return Digest.blake2b(bytes)
    }

    private static let formatVersion: UInt8 = 1
    private static let shieldedVersion: UInt8 = 2
    private static let deviceVersion: UInt8 = 3

    private static func append(_ number: Int64, _ bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func append(_ text: String?, _ bytes: inout [UInt8]) {
        let length = text.map { UInt32(truncatingIfNeeded: $0.utf8.count) } ?? .max
        withUnsafeBytes(of: length.littleEndian) { bytes.append(contentsOf: $0) }
        if let text { bytes.append(contentsOf: text.utf8) }
    }
}
