import STContracts

struct Note: WireBody, Codable, Equatable {
    var text: String
    /// How many notes there are, in a reply.
    var count: Int64?

    init(_ text: String, count: Int64? = nil) {
        self.text = text
        self.count = count
    }
}
