/// Questions to the display that wait for their answers while something is held.
struct HeldWatch {
    /// More say no more: each of them alone finds out that nobody answers.
    private static let questionsMax = 8

    private var waiting: Set<Int64> = []
    private var last: Int64 = 0
    var timer: UInt64?

    /// Nil: enough are asked already.
    mutating func ask() -> Int64? {
        guard waiting.count < Self.questionsMax else { return nil }
        last += 1
        waiting.insert(last)
        return last
    }

    mutating func answered(_ question: Int64) { waiting.remove(question) }

    func isWaiting(_ question: Int64) -> Bool { waiting.contains(question) }
}
