import STContracts
package import STPlatform

/// The answer to a question of another machine.
package struct RelayedReply: WireBody, Codable {
    /// A part of this size fits into a letter after base64 is applied twice.
    private static let partBytes = 112 * 1024

    package var body: String?
    package var problem: Problem?

    package init(body: String? = nil, problem: Problem? = nil) {
        self.body = body
        self.problem = problem
    }

    package func parts(to letter: String) throws -> [RelayedReplyPart] {
        let bytes = try encodedBody()
        let starts = stride(from: 0, to: max(1, bytes.count), by: Self.partBytes)
        let count = Int64((max(1, bytes.count) + Self.partBytes - 1) / Self.partBytes)
        return starts.enumerated().map { number, start in
            RelayedReplyPart(
                answers: letter,
                part: Int64(number),
                parts: count,
                text: Base64.encode(Array(bytes[start..<min(bytes.count, start + Self.partBytes)]))
            )
        }
    }
}

/// A part of an answer, which is sealed and sent as one letter.
package struct RelayedReplyPart: WireBody, Codable {
    /// The letter that contained the question.
    package var answers: String
    var part: Int64
    var parts: Int64
    /// A part of the encoded answer, in base64.
    var text: String
}

/// The parts of an answer that have arrived.
package struct PartialReply: Sendable {
    private static let partsMax: Int64 = 16

    /// The public key of the machine that received the question.
    private let key: [UInt8]
    private var parts: [[UInt8]?] = []

    package init(from key: [UInt8]) { self.key = key }

    /// Ignores parts from machines other than the one that received the question.
    package mutating func insert(_ part: RelayedReplyPart, from sender: [UInt8]) throws {
        guard sender == key else { return }
        guard (1...Self.partsMax).contains(part.parts), (0..<part.parts).contains(part.part),
            let bytes = Base64.decode(part.text)
        else { throw OpenedMessage.unreadable }
        if parts.count != Int(part.parts) { parts = Array(repeating: nil, count: Int(part.parts)) }
        parts[Int(part.part)] = bytes
    }

    /// The answer, once all of its parts have arrived.
    package var whole: RelayedReply? {
        guard !parts.isEmpty, !parts.contains(where: { $0 == nil }) else { return nil }
        return (try? RelayedReply.decodedBody(parts.flatMap { $0 ?? [] }))
            ?? RelayedReply(problem: OpenedMessage.unreadable)
    }
}
