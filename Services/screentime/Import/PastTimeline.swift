import STCommandCore
import STContracts
import STDomain
import STPlatform

/// A continuous use of one app, or an absence, in the records of another program.
struct PastStretch: Sendable, Equatable {
    var startMs: Int64
    var endMs: Int64
    var presence = Presence.active
    var app: String?
    var domain: String?

    var lengthMs: Int64 { endMs - startMs }

    /// Upper bound on the length of a row in the usage records. Longer use is split.
    private static let lengthMsMax: Int64 = 7 * 86_400_000

    private func isSame(_ other: PastStretch) -> Bool {
        presence == other.presence && app == other.app && domain == other.domain
    }

    /// Returns the uses in order without overlaps. The earlier of two overlapping uses is kept completely.
    ///
    /// Equal uses without a gap become one. `lostMs` is the sum of the overlaps.
    static func inOrder(_ stretches: [PastStretch]) -> (stretches: [PastStretch], lostMs: Int64) {
        var found: [PastStretch] = []
        var lostMs: Int64 = 0
        for stretch in stretches.sorted(by: { ($0.startMs, $0.endMs) < ($1.startMs, $1.endMs) }) {
            var stretch = stretch
            let last = found.indices.last
            if let last, stretch.startMs < found[last].endMs {
                lostMs += min(stretch.endMs, found[last].endMs) - stretch.startMs
                stretch.startMs = found[last].endMs
            }
            guard stretch.startMs < stretch.endMs else { continue }
            if let last, found[last].endMs == stretch.startMs, found[last].isSame(stretch),
                stretch.endMs - found[last].startMs <= lengthMsMax
            {
                found[last].endMs = stretch.endMs
            } else {
                found.append(stretch)
            }
        }
        return (found, lostMs)
    }
}

/// The records of another program from one computer.
struct PastDevice: Sendable {
    /// The computer's name, shortened for ids and without control characters.
    let name: String
    /// True for this computer. The usage is then added to the computer's own records.
    let isHere: Bool
    var stretches: [PastStretch]

    init(name: String, isHere: Bool, stretches: [PastStretch]) {
        let plain = PastFindings.name(String(name.map { $0 == "/" ? "-" : $0 })) ?? "unknown"
        self.name = TextFormat.fitting(plain, bytes: 60)
        self.isHere = isHere
        self.stretches = stretches
    }
}

/// The records and limits that were read from the files of another program.
struct PastFindings: Sendable {
    /// The account of this computer to which the files belong, if they belong to one.
    var account: String?
    var devices: [PastDevice] = []
    /// The reason why something is not imported.
    enum Reason: String, CaseIterable {
        case damaged, future, otherWatcher, twice
    }

    private(set) var leftOut: [Reason: Int64] = [:]
    var rules: [RuleSpec] = []
    /// Further information for the person.
    var remarks: [String] = []

    mutating func leave(_ reason: Reason, _ count: Int64) {
        if count > 0 { leftOut[reason, default: 0] += count }
    }

    /// Leaves out usage that ends in the future.
    mutating func leaveFuture(afterMs nowMs: Int64) {
        for index in devices.indices {
            let known = devices[index].stretches
            devices[index].stretches = known.filter { $0.endMs <= nowMs }
            leave(.future, Int64(known.count - devices[index].stretches.count))
        }
        devices.removeAll { $0.stretches.isEmpty }
    }

    /// Records overlaps of a minute or more.
    mutating func leave(twiceMs: Int64) { leave(.twice, twiceMs >= 60_000 ? 1 : 0) }

    /// Returns a valid name for the usage records. Returns `nil` if no character is valid.
    static func name(_ text: String) -> String? {
        let plain = String(
            String.UnicodeScalarView(text.unicodeScalars.filter { !DisplayWidth.isControl($0) })
        )
        let short = TextFormat.fitting(plain, bytes: UsageObserve.nameBytesMax)
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
