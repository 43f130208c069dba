package import STPlatform

/// The callback's function has returned.
package struct ExtensionReturned: WireBody, Codable, Equatable {
    /// Of the call.
    package var id: String
    /// What the callback answers, where it answers something.
    package var result: JSONValue?
    /// Why it could not be called, such as a method this extension has never heard of.
    package var failure: Problem?

    package init(id: String, result: JSONValue? = nil, failure: Problem? = nil) {
        self.id = id
        self.result = result
        self.failure = failure
    }
}
