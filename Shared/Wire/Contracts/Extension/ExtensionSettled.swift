/// No work that the call began is left; only now is the call over.
package struct ExtensionSettled: WireBody, Codable, Equatable {
    /// Of the call.
    package var id: String

    package init(id: String) { self.id = id }
}
