/// What a person answers to a question in a window of ours.
package struct QuestionAnswer: Sendable, Equatable {
    package var request: String
    package var allow: Bool
    package var by: String?
    package var passcode: TypedPasscode?

    package init(request: String, allow: Bool, by: String? = nil, passcode: TypedPasscode? = nil) {
        self.request = request
        self.allow = allow
        self.by = by
        self.passcode = passcode
    }
}
