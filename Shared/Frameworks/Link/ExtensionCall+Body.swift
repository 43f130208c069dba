package import STContracts
package import STPlatform

extension ExtensionCall {
    /// What the callback is told.
    package func decoded<Body: WireBody>() throws -> Body { try Body.decodedBody(body.text) }

    /// For a method that is not of this kind of extension, or of a later version.
    package var unknownMethod: Problem {
        Problem(
            "extension.unknown_method",
            "This extension does not know “\(method.prefix(60))”. Build it with a newer version of the frameworks."
        )
    }
}

extension JSONValue {
    /// What a callback answers.
    package init(wire body: some WireBody) throws { self = try JSONValue(text: body.encodedBody()) }
}
