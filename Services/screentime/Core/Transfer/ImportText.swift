import STContracts
import STPlatform

/// Says what came of a file.
enum ImportText {
    private static let faultsShown = 10

    static func lines(_ tally: ImportTally, _ header: ExportHeader, isDryRun: Bool, _ terminal: Terminal)
        -> [String]
    {
        let name = DisplayWidth.harmless(header.device.name)
        let title =
            "\(isDryRun ? "What would come of the" : "The") export of \(name) of \(LocalTime.text(wire: header.exportedAt)):"
        var table = TextTable([
            (isDryRun ? "WOULD BE ADDED" : "ADDED", .right), ("THERE ALREADY", .right), ("LEFT OUT", .right),
            ("", .left),
        ])
        for kind in ExportLine.Kind.allCases where kind.whyLeft == nil && kind != .device {
            let count = tally[kind]
            guard count.lines > 0 else { continue }
            table.add([
                .init(String(count.added)), .init(String(count.duplicates)), .init(String(count.left)),
                .init(TransferWords.name(kind, 2)),
            ])
        }
        var lines = [title, ""] + table.lines(columns: terminal.columns, terminal)
        let read = ExportLine.Kind.allCases.compactMap { kind in
            kind.whyLeft.map { (kind, tally[kind].lines, $0) }
        }.filter { $0.1 > 0 }
        if !read.isEmpty {
            lines += ["", "For reading only, and not brought back:"]
            lines += read.map { "  \($1) \(TransferWords.name($0, $1)): \($2)" }
        }
        if tally.faultCount > 0 {
            lines += ["", "Left out:"]
            lines += tally.faults.prefix(faultsShown).map { "  line \($0.line): \($0.text) [\($0.code)]" }
            let more = tally.faultCount - Int64(min(faultsShown, tally.faults.count))
            if more > 0 {
                lines.append("  and \(more) more; --json names the first \(ImportTally.faultsMax)")
            }
        }
        return lines
    }

    static func json(_ tally: ImportTally, _ header: ExportHeader, _ path: String, isDryRun: Bool) throws
        -> JSONValue
    {
        var counts: [String: JSONValue] = [:]
        for (kind, count) in tally.counts {
            counts[kind.rawValue] = [
                "lines": .integer(count.lines), "added": .integer(count.added),
                "duplicates": .integer(count.duplicates), "left": .integer(count.left),
            ]
            if let why = kind.whyLeft {
                counts[kind.rawValue] = ["lines": .integer(count.lines), "not_brought_back": .string(why)]
            }
        }
        return [
            "file": .string(path), "dry_run": .bool(isDryRun),
            "exported_at": .string(header.exportedAt), "device": .string(header.device.id),
            "counts": .object(counts), "left": .integer(tally.faultCount),
            "faults": .array(
                tally.faults.map {
                    ["line": .integer($0.line), "code": .string($0.code), "message": .string($0.text)]
                }
            ),
        ]
    }
}
