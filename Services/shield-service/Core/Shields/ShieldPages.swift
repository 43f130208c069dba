/// What shield-service must know to ask apps about their shields: their extensions.
package struct ShieldPages: Sendable, Equatable {
    /// By app.
    package var programs: [String: ShieldPrograms] = [:]
}

/// The shield extensions of one app, by absolute paths.
package struct ShieldPrograms: Sendable, Equatable {
    /// As the app calls itself.
    package var name: String
    package var bundle: String
    /// Says what its shields look like.
    package var configuration: String?
    /// Answers when a button is pressed.
    package var action: String?
    /// Distinguishes one installation from the next.
    package var installedAt: String
}
