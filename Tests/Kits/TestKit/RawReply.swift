package import STContracts
package import STPlatform
import STTestSupport

/// What came back for a raw request.
package struct RawReply: Sendable {
    package var header: ReplyHeader
    package var body: [UInt8]

    /// Nil when the frames are no reply.
    ///
    /// The empty frame of a REQ envelope may stand in front.
    package init?(_ frames: [[UInt8]]) {
        let content = frames.first?.isEmpty == true ? Array(frames.dropFirst()) : frames
        guard content.count == 2, let header = ReplyHeader.read(content[0]) else { return nil }
        self.header = header
        body = content[1]
    }

    /// Nil for a success.
    package var problem: Problem? { header.ok ? nil : try? Problem.decodedBody(body) }
}

extension RawPeer {
    /// Sends one well-formed request and takes the next reply.
    package func ask(
        _ route: String,
        _ body: [UInt8] = [UInt8]("{}".utf8),
        id: String = "1",
        key: String? = nil,
        withinMs: Int64 = 10_000
    ) throws -> RawReply {
        let header = RequestHeader(id: id, route: route, idempotencyKey: key)
        return try exchange([header.encoded(), body], withinMs: withinMs)
    }

    /// Sends frames as they are and takes the next reply.
    package func exchange(_ frames: [[UInt8]], withinMs: Int64 = 10_000) throws -> RawReply {
        guard send(frames, withinMs: Int32(clamping: withinMs)) else {
            throw NotYet("nobody took the request")
        }
        guard let answer = receive(withinMs: withinMs) else { throw NotYet("no answer came") }
        guard let reply = RawReply(answer) else {
            throw NotYet("the answer is no reply: \(answer.map { String(decoding: $0, as: UTF8.self) })")
        }
        return reply
    }
}
