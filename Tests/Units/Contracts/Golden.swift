import FoundationEssentials
import STContracts
import STPlatform
import STTestSupport
import Testing

/// A payload that every later version must read, with the functions that decode and encode it.
struct Golden: Sendable, CustomTestStringConvertible {
    var name: String
    var schema: JSONValue
    var recode: @Sendable ([UInt8]) throws -> [UInt8]

    var testDescription: String { name }

    var path: String { Self.folder + "/" + name + ".json" }

    func text() throws -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Problem(
                "test.no_golden",
                verbatim:
                    "\(name) has no golden file. Add Tests/Golden/Contracts/\(name).json with every field it has."
            )
        }
        return String(decoding: data, as: UTF8.self)
    }

    static let folder = BuiltTree.source("Tests/Golden/Contracts")

    static let all: [Golden] = routes + events + others

    private static let routes = (Catalogue.common + Catalogue.entries.flatMap(\.routes)).flatMap { info in
        [
            Golden(name: info.name + ".request", schema: info.requestSchema(), recode: info.recodeRequest),
            Golden(name: info.name + ".reply", schema: info.replySchema(), recode: info.recodeReply),
        ]
    }

    private static let events = Catalogue.entries.flatMap(\.events).map { info in
        Golden(name: info.type, schema: info.bodySchema(), recode: info.recodeBody)
    }

    private static let others = [
        Golden(name: "problem", schema: Problem.schema) { try Problem.decodedBody($0).encodedBody() },
        Golden(name: "trace.span", schema: TraceSpan.schema) { try TraceSpan.decodedBody($0).encodedBody() },
        Golden(name: "stream.point", schema: StreamPoint.schema) { StreamPoint.read($0)?.encoded() ?? [] },
        Golden(name: "request.header", schema: SchemaRecorder.schema(of: RequestHeader.self)) { bytes in
            let partial = try RequestHeader.read(bytes)
            var header = partial.rest
            header.v = partial.v ?? 0
            header.id = partial.id ?? ""
            header.route = partial.route ?? ""
            return header.encoded()
        },
        Golden(name: "reply.header", schema: [:]) { ReplyHeader.read($0)?.encoded() ?? [] },
        Golden(name: "event.header", schema: [:]) { EventHeader.read($0)?.encoded() ?? [] },
    ]
}
