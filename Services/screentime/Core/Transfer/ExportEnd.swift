import STContracts

/// The last line: without it the file was cut off.
struct ExportEnd: WireBody, Codable, Equatable {
    /// When it was written.
    var end: String
    /// How many lines stand before it.
    var lines: Int64
    /// Services that did not answer, so that what they keep is not in the file.
    var missing: [String]?
}
