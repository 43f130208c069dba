import STContracts

/// The first line.
struct ExportHeader: WireBody, Codable, Equatable {
    struct Origin: WireBody, Codable, Equatable {
        var id: String
        var name: String
        var model: ReportModel
    }

    static let mark = "export"

    var screentime: String
    var version: Int64
    var exportedAt: String
    var device: Origin
    /// What of the past it holds; nil is all of it.
    var fromWallMs: Int64?
    var toWallMs: Int64?
    var member: String?
}
