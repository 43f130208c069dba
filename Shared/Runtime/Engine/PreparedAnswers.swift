package import STContracts

/// What other services have said for a request, by the routes that were asked.
package struct PreparedAnswers: Sendable {
    package var bodies: [String: [UInt8]]

    package init(_ bodies: [String: [UInt8]] = [:]) { self.bodies = bodies }

    /// Nil when it was not asked, or a companion had no answer.
    package func of<Asked: Route>(_ asked: Asked.Type) throws -> Asked.Reply? {
        guard let body = bodies[Asked.name], !body.isEmpty else { return nil }
        return try Asked.Reply.decodedBody(body)
    }
}
