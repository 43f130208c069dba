import STContracts
import STPlatform

/// Use of one device that is sent in one request, with the lines it stands in.
struct ImportBatch {
    /// With room for what stands around the rows.
    private static let bytesMax = BusLimits.requestBodyBytes - 16 * 1024

    /// Nil: this one.
    var device: ImportedDevice?
    private(set) var rows: [(line: Int64, row: Segment)] = []
    private(set) var notified: [(line: Int64, row: NotificationCount)] = []
    private var bytes = 0

    init(_ device: ImportedDevice?) { self.device = device }

    var isEmpty: Bool { rows.isEmpty && notified.isEmpty }

    /// Whether a line of so many bytes still fits.
    func hasRoom(for count: Int) -> Bool {
        rows.count + notified.count < UsageImport.batchMax && bytes + count <= Self.bytesMax
    }

    mutating func add(_ row: Segment, _ line: Int64, bytes count: Int) {
        rows.append((line, row))
        bytes += count
    }

    mutating func add(_ row: NotificationCount, _ line: Int64, bytes count: Int) {
        notified.append((line, row))
        bytes += count
    }

    func request(isDryRun: Bool) -> UsageImport.Request {
        .init(
            device: device,
            rows: rows.map(\.row),
            notifications: notified.map(\.row),
            dryRun: isDryRun ? true : nil
        )
    }

    /// What stands before a line.
    func before(_ line: Int64) -> ImportBatch {
        var part = self
        part.rows.removeAll { $0.line >= line }
        part.notified.removeAll { $0.line >= line }
        return part
    }

    /// The line that a problem's field means, such as `/rows/17/zone`.
    func line(of field: String?) -> Int64? {
        let parts = (field ?? "").split(separator: "/")
        guard parts.count >= 2, let index = Int(parts[1]), index >= 0 else { return nil }
        switch parts[0] {
        case "rows": return index < rows.count ? rows[index].line : nil
        case "notifications": return index < notified.count ? notified[index].line : nil
        default: return nil
        }
    }
}
