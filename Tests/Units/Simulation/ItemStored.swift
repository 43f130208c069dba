import STContracts

enum ItemStored: EventType {
    typealias Body = Item

    static let stream = StreamName("alpha")
    static let type = "alpha.item.stored"
    static let summary = "An item is kept."
}
