import STContracts

/// A part of a list of sites.
struct ExportedList: WireBody, Codable, Equatable {
    var name: String
    var category: String
    /// Of all its parts.
    var count: Int64
    var domains: [String]

    static let partBytes = 32 * 1024
}
