package import STContracts
package import STEngine

/// What other services say that panels are about: questions to people, and notifications of our own rules.
///
/// Nothing of it is kept: it is worth a minute. Questions that were asked before this process began it asks for.
package struct PanelFollowing: Sendable {
    package enum News: Sendable, Equatable {
        case asked(AuthQuestion)
        case posted(PostedNotification)
    }

    private let heard: @Sendable (News) -> Void

    package init(_ heard: @escaping @Sendable (News) -> Void) { self.heard = heard }

    /// For whoever follows one of these streams already: each is followed once.
    package func take(_ event: WireEvent) throws {
        switch event.header.type {
        case AuthQuestionChanged.type: heard(.asked(try event.decoded(AuthQuestionChanged.self)))
        case NotificationPosted.type:
            let posted = try event.decoded(NotificationPosted.self)
            if posted.app == BuiltInRules.app { heard(.posted(posted)) }
        default: return
        }
    }

    package var notifications: Subscription<DesktopState> { following(.notifier, .notification) }

    private func following(_ source: ServiceName, _ stream: StreamName) -> Subscription<DesktopState> {
        Subscription(
            source: source,
            stream: stream,
            reset: { _, _ in },
            apply: { _, event, _ in try take(event) }
        )
    }
}
