import STContracts
import STPlatform

/// What came of the lines of a file so far.
struct ImportTally: Sendable, Equatable {
    struct Count: Sendable, Equatable {
        var lines: Int64 = 0
        var added: Int64 = 0
        var duplicates: Int64 = 0
        /// For a reason that stands among the faults.
        var left: Int64 = 0
    }

    /// Why a line was left out, which the others do not suffer from.
    struct Fault: Sendable, Equatable {
        var line: Int64
        var code: String
        var text: String
    }

    /// As many are told one by one.
    static let faultsMax = 100

    private(set) var counts: [ExportLine.Kind: Count] = [:]
    private(set) var faults: [Fault] = []
    /// Also those that are not told one by one.
    private(set) var faultCount: Int64 = 0

    subscript(kind: ExportLine.Kind) -> Count {
        get { counts[kind] ?? Count() }
        set { counts[kind] = newValue }
    }

    mutating func leave(_ kind: ExportLine.Kind, _ line: Int64, _ code: String, _ text: String) {
        self[kind].left += 1
        faultCount += 1
        if faults.count < Self.faultsMax { faults.append(Fault(line: line, code: code, text: text)) }
    }
}
