import STContracts
import STEngine

/// What the checker remembers of a run.
struct SimChecks {
    /// The furthest that each log (stream and epoch) has ever come.
    var heads: [String: Int64] = [:]
    /// Items that a restored backup took away.
    var lost: Set<Int64> = []
    var asked = 0

    mutating func committed(_ service: SimService) {
        guard !service.definition.streams.isEmpty, let found = try? service.store?.heads() else { return }
        for head in found {
            heads[Self.log(head), default: 0] = max(heads[Self.log(head)] ?? 0, head.sequence)
        }
    }

    static func log(_ point: StreamPoint) -> String { "\(point.stream)/\(point.epoch)" }
}
