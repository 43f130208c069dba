import STPlatform

/// The problems of a request that a service could not finish.
enum EngineProblem {
    static let notCommitted = Problem(
        "internal",
        "An internal step did not finish; please report this.",
        key: "internal.the-step-was"
    )
    static let replyTooLarge = Problem(
        "reply.too_large",
        "The reply would be too large, so nothing was done.",
        key: "reply.too_large.the-answer-would"
    )
    static let deadlinePassed = Problem(
        "deadline.exceeded",
        "The deadline passed while the request waited, so nothing was done.",
        key: "deadline.exceeded.the-deadline-passed",
        retryable: true
    )
}
