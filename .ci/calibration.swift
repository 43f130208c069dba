// Compiled by .ci/run to measure how fast a machine compiles. Its figures in costs.tsv are only comparable while this file and
// the compiler stay the same.

protocol Shape {
    associatedtype Value: Hashable & Comparable
    var name: String { get }
    func values(from seed: Value) -> [Value]
}

struct Ladder<Value: FixedWidthInteger & Hashable>: Shape {
    var name = "ladder"
    var steps: [Value]

    func values(from seed: Value) -> [Value] {
        steps.enumerated().map { index, step in seed &+ step &* Value(truncatingIfNeeded: index) }
    }
}

struct Mirrored<Inner: Shape>: Shape {
    var name: String { "mirrored " + inner.name }
    var inner: Inner

    func values(from seed: Inner.Value) -> [Inner.Value] {
        let found = inner.values(from: seed)
        return found.sorted() + found.reversed()
    }
}

enum Message: Codable, Hashable {
    case empty
    case text(String, importance: Int)
    case numbers([Int], labels: [String: Double])
    case nested([Message])

    var weight: Int {
        switch self {
        case .empty: 0
        case .text(let text, let importance): text.utf8.count * importance
        case .numbers(let numbers, let labels): numbers.reduce(labels.count, +)
        case .nested(let messages): messages.map(\.weight).reduce(1, +)
        }
    }
}

struct Record: Codable, Hashable, Comparable {
    var id: Int
    var title: String
    var tags: Set<String>
    var history: [Message]
    var scores: [String: [Double]]
    var parent: Int?

    static func < (one: Record, other: Record) -> Bool { (one.title, one.id) < (other.title, other.id) }
}

actor Ledger {
    private var records: [Int: Record] = [:]
    private var waiting: [CheckedContinuation<Record, Never>] = []

    func add(_ record: Record) {
        records[record.id] = record
        for continuation in waiting { continuation.resume(returning: record) }
        waiting = []
    }

    func next() async -> Record { await withCheckedContinuation { waiting.append($0) } }

    func summary() -> [(key: String, count: Int, mean: Double)] {
        let pairs = records.values.flatMap { record in record.tags.map { ($0, record) } }
        return Dictionary(grouping: pairs, by: \.0)
            .map { tag, found in
                let scores = found.flatMap { $0.1.scores.values.joined() }
                return (tag, found.count, scores.reduce(0, +) / Double(max(1, scores.count)))
            }
            .sorted { ($0.2, $0.0) < ($1.2, $1.0) }
    }
}

func played(_ count: Int) async -> String {
    let ledger = Ledger()
    for index in 0..<count {
        let shape = Mirrored(inner: Ladder<Int32>(steps: [1, 2, 3, Int32(index)]))
        let values = shape.values(from: Int32(index)).map(Int.init)
        let message = Message.nested([.numbers(values, labels: [shape.name: Double(index)]), .text("\(values)", importance: index)])
        await ledger.add(
            Record(
                id: index,
                title: values.map(String.init).joined(separator: ", "),
                tags: Set(values.map { "tag \($0 % 7)" }),
                history: [message, .empty],
                scores: ["weight": [Double(message.weight)]],
                parent: index > 0 ? index - 1 : nil
            )
        )
    }
    return await ledger.summary().map { "\($0.key): \($0.count), \($0.mean)" }.joined(separator: "\n")
}

@main
struct Calibration {
    static func main() async { print(await played(100)) }
}
