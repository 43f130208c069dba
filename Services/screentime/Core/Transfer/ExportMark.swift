import STContracts

/// What every version's first line says.
struct ExportMark: WireBody, Codable, Equatable {
    var screentime: String
    var version: Int64
}
