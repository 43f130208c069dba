import STContracts

/// What a subscriber publishes on what it applies.
enum ItemEchoed: EventType {
    typealias Body = Item

    static let stream = StreamName("beta")
    static let type = "beta.item.echoed"
    static let summary = "An item was heard of."
}
