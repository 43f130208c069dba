import STContracts
import STPlatform

/// A reply, read.
struct Answer {
    var header: ReplyHeader
    var body: [UInt8]

    init?(_ frames: [[UInt8]]) {
        guard frames.count == 2, let header = ReplyHeader.read(frames[0]) else { return nil }
        self.header = header
        body = frames[1]
    }

    var problem: Problem? { header.ok ? nil : try? Problem.decodedBody(body) }

    func page() throws -> EventPage { try EventPage.decodedBody(body) }

    func note() throws -> Note { try Note.decodedBody(body) }
}
