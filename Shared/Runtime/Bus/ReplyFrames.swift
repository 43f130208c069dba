import STContracts
package import STPlatform

/// Puts replies together.
///
/// Nothing is answered with silence, so this also answers what could not be read.
package enum ReplyFrames {
    package static func success(
        id: String?,
        envelope: [[UInt8]],
        body: [UInt8],
        repeated: Bool = false
    ) -> [[UInt8]] {
        guard body.count <= BusLimits.replyBodyBytes else {
            let problem = Problem(
                "reply.too_large",
                "The answer is larger than a reply may be. Ask for fewer rows with `limit`."
            )
            return failure(id: id, envelope: envelope, problem)
        }
        return envelope + [ReplyHeader(id: id, ok: true, repeated: repeated).encoded(), body]
    }

    package static func failure(id: String?, envelope: [[UInt8]], _ problem: Problem) -> [[UInt8]] {
        let body = (try? problem.encodedBody()) ?? Array("{\"code\":\"internal\",\"message\":\"\"}".utf8)
        return envelope + [ReplyHeader(id: id, ok: false).encoded(), body]
    }
}
