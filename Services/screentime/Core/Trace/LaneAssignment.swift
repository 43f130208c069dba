/// Puts spans of one process into lanes in which they only ever nest.
///
/// A viewer draws overlapping slices of one lane wrongly. Spans must come in the order of their start.
struct LaneAssignment {
    /// Per service, per lane, the ends of the spans that are still open.
    private var lanes: [String: [[Int64]]] = [:]

    mutating func lane(_ service: String, startUs: Int64, endUs: Int64) -> Int64 {
        var own = lanes[service] ?? []
        defer { lanes[service] = own }
        for index in own.indices {
            while let end = own[index].last, end <= startUs { own[index].removeLast() }
            guard let end = own[index].last else {
                own[index] = [endUs]
                return Int64(index + 1)
            }
            if end >= endUs {
                own[index].append(endUs)
                return Int64(index + 1)
            }
        }
        own.append([endUs])
        return Int64(own.count)
    }
}
