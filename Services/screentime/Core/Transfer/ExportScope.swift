import STContracts
import STPlatform

/// Which part of the past is exported.
struct ExportScope: Equatable {
    var fromWallMs: Int64?
    var toWallMs: Int64?
    var member: String?

    var isWhole: Bool { self == ExportScope() }

    func holds(member name: String) -> Bool { member == nil || member == name }

    func holds(_ name: String, wallMs: Int64) -> Bool {
        holds(member: name) && wallMs >= fromWallMs ?? .min && wallMs < toWallMs ?? .max
    }
}
