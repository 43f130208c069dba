import STContracts

/// The one write of the simulated world.
enum ItemPut: Route {
    struct Reply: WireBody, Codable, Equatable {
        var n: Int64
        var rows: Int64
    }

    typealias Request = Item

    static let name = "item.put"
    static let kind = RouteKind.write
    static let summary = "Keeps a numbered item."
}
