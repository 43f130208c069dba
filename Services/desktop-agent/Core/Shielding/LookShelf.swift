import STContracts

/// The last look of each app that was shielded: a second shield is painted before anybody is asked.
struct LookShelf: Sendable {
    static let looksMax = 64
    /// Icons may be in them.
    static let bytesMax = 2 << 20

    private var looks: [String: (look: KnownLook, bytes: Int, used: Int64)] = [:]
    private var bytes = 0
    private var uses: Int64 = 0

    var count: Int { looks.count }

    subscript(app: String) -> KnownLook? { looks[app]?.look }

    mutating func add(_ look: KnownLook, app: String) {
        let size = 512 + (look.view.look.icon?.data?.utf8.count ?? 0)
        bytes += size - (looks[app]?.bytes ?? 0)
        uses += 1
        looks[app] = (look, size, uses)
        while looks.count > 1, looks.count > Self.looksMax || bytes > Self.bytesMax,
            let oldest = looks.min(by: { $0.value.used < $1.value.used })
        {
            bytes -= oldest.value.bytes
            looks[oldest.key] = nil
        }
    }
}
