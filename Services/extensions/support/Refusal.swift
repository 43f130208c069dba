import Foundation

/// Why an app does not do what it was asked for.
package struct Refusal: LocalizedError, Equatable {
    package let status: ExitStatus
    /// What is wrong and what to do about it.
    package let sentence: String

    package init(_ status: ExitStatus, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }

    package var errorDescription: String? { sentence }
}
