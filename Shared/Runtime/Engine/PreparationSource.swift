package import STContracts

/// Who is asked what a request needs to know.
package enum PreparationSource: Sendable, Hashable {
    /// A request that gets no answer is refused.
    case service(ServiceName)
    /// What this process does beside answering, such as calling extensions.
    ///
    /// The handler does without when there is no answer: it finds none.
    case companion
}
