/// How people are told things.
extension ConfigurationKey {
    package static let notifierDesktop = ConfigurationKey(
        section: "notifier",
        name: "desktop",
        fallback: "on",
        expectation: "It is on, or off: then notifications are only written down.",
        accepts: { ["on", "off"].contains($0) }
    )

    static let notifier = [notifierDesktop]
}
