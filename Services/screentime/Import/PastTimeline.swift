import STCommandCore
import STContracts
import STDomain
import STPlatform

/// A continuous use of one app, or an absence, in the records of another program.
struct ImportedInterval: Sendable, Equatable {
    var start: WallTime
    var end: WallTime
    var presence = Presence.active
    var app: String?
    var domain: String?

    var length: Duration { end - start }

    /// Upper bound on the length of a row in the usage records. Longer use is split.
    private static let lengthMax: Duration = .seconds(7 * 86_400)

    private func isSame(_ other: ImportedInterval) -> Bool {
        presence == other.presence && app == other.app && domain == other.domain
    }

    /// Returns the uses in order without overlaps. The earlier of two overlapping uses is kept completely.
    ///
    /// Equal uses without a gap become one. `lost` is the sum of the overlaps.
    static func withoutOverlaps(_ stretches: [ImportedInterval]) -> (
        stretches: [ImportedInterval], lost: Duration
    ) {
        var found: [ImportedInterval] = []
        var lost: Duration = .zero
        for stretch in stretches.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
            var stretch = stretch
            let last = found.indices.last
            if let last, stretch.start < found[last].end {
                lost += min(stretch.end, found[last].end) - stretch.start
                stretch.start = found[last].end
            }
            guard stretch.start < stretch.end else { continue }
            if let last, found[last].end == stretch.start, found[last].isSame(stretch),
                stretch.end - found[last].start <= lengthMax
            {
                found[last].end = stretch.end
            } else {
                found.append(stretch)
            }
        }
        return (found, lost)
    }
}

/// The records of another program from one computer.
struct ImportSource: Sendable {
    /// The computer's name, shortened for ids and without control characters.
    let name: String
    /// True for this computer. The usage is then added to the computer's own records.
    let isHere: Bool
    var intervals: [ImportedInterval]

    init(name: String, isHere: Bool, stretches: [ImportedInterval]) {
        let plain = ImportFindings.name(String(name.map { $0 == "/" ? "-" : $0 })) ?? "unknown"
        self.name = TextFormat.truncated(plain, bytes: 60)
        self.isHere = isHere
        self.intervals = stretches
    }
}

/// The records and limits that were read from the files of another program.
struct ImportFindings: Sendable {
    /// The account of this computer to which the files belong, if they belong to one.
    var account: String?
    var devices: [ImportSource] = []
    /// The reason why something is not imported.
    enum Reason: String, CaseIterable {
        case damaged, future, otherWatcher, twice
    }

    private(set) var skipped: [Reason: Int64] = [:]
    var rules: [RuleSpec] = []
    /// Further information for the person.
    var remarks: [String] = []

    mutating func skip(_ reason: Reason, _ count: Int64) {
        if count > 0 { skipped[reason, default: 0] += count }
    }

    /// Leaves out usage that ends in the future.
    mutating func skipFuture(after now: WallTime) {
        for index in devices.indices {
            let known = devices[index].intervals
            devices[index].intervals = known.filter { $0.end <= now }
            skip(.future, Int64(known.count - devices[index].intervals.count))
        }
        devices.removeAll { $0.intervals.isEmpty }
    }

    /// Records overlaps of a minute or more.
    mutating func skip(twice overlap: Duration) { skip(.twice, overlap >= .seconds(60) ? 1 : 0) }

    /// Returns a valid name for the usage records. Returns `nil` if no character is valid.
    static func name(_ text: String) -> String? {
        let plain = String(
            String.UnicodeScalarView(text.unicodeScalars.filter { !DisplayWidth.isControl($0) })
        )
        let short = TextFormat.truncated(plain, bytes: UsageObserve.nameBytesMax)
        return short.isEmpty ? nil : short
    }

    /// Returns `example.com` for `https://www.example.com:8080/path`. Returns `nil` if the address is not a page of a site.
    static func domain(ofPage address: String) -> String? {
        guard address.hasPrefix("http://") || address.hasPrefix("https://"),
            let slashes = address.firstIndex(of: "/")
        else { return nil }
        var host = address[slashes...].dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            host = host[...end]
        } else {
            host = host.prefix { $0 != ":" }
        }
        var name = DomainName.shown(String(host))
        if name.hasPrefix("www.") { name = String(name.dropFirst(4)) }
        return name.isEmpty || name.utf8.count > DomainName.bytesMax ? nil : Self.name(name)
    }
}
