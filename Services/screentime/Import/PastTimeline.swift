import STCommandCore
import STContracts
import STDomain
import STPlatform

/// A stretch of the past as another program knew it.
struct PastStretch: Sendable, Equatable {
    var startMs: Int64
    var endMs: Int64
    var presence = Presence.active
    var app: String?
    var domain: String?

    var lengthMs: Int64 { endMs - startMs }

    /// What goes on for longer is several rows, of which none is longer than the record of use takes.
    private static let lengthMsMax: Int64 = 7 * 86_400_000

    private func isSame(_ other: PastStretch) -> Bool {
        presence == other.presence && app == other.app && domain == other.domain
    }

    /// Stretches in their order, none over another: of two that overlap the earlier one stays whole, and what goes on is one.
    ///
    /// `lostMs` is the time that stood there twice.
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

/// What another program knew of one computer.
struct PastDevice: Sendable {
    /// Short enough to stand in ids, and with nothing that those may not have.
    let name: String
    /// This computer: its past becomes a part of what was seen here.
    let isHere: Bool
    var stretches: [PastStretch]

    init(name: String, isHere: Bool, stretches: [PastStretch]) {
        let plain = PastFindings.name(String(name.map { $0 == "/" ? "-" : $0 })) ?? "unknown"
        self.name = TextFormat.fitting(plain, bytes: 60)
        self.isHere = isHere
        self.stretches = stretches
    }
}

/// What was found in the files of another program.
struct PastFindings: Sendable {
    /// The account of this computer that the files are about, where they are about one.
    var account: String?
    var devices: [PastDevice] = []
    /// Why something cannot be brought in.
    enum Reason: String, CaseIterable {
        case damaged, future, otherWatcher, twice
    }

    private(set) var leftOut: [Reason: Int64] = [:]
    var rules: [RuleSpec] = []
    /// What else a person should know.
    var remarks: [String] = []

    mutating func leave(_ reason: Reason, _ count: Int64) {
        if count > 0 { leftOut[reason, default: 0] += count }
    }

    /// What ends in the future is none of the past.
    mutating func leaveFuture(afterMs nowMs: Int64) {
        for index in devices.indices {
            let known = devices[index].stretches
            devices[index].stretches = known.filter { $0.endMs <= nowMs }
            leave(.future, Int64(known.count - devices[index].stretches.count))
        }
        devices.removeAll { $0.stretches.isEmpty }
    }

    /// A minute or more in which the files told of two things at once is worth a word.
    mutating func leave(twiceMs: Int64) { leave(.twice, twiceMs >= 60_000 ? 1 : 0) }

    /// A name as the record of use takes it; nil where nothing is left of it.
    static func name(_ text: String) -> String? {
        let plain = String(
            String.UnicodeScalarView(text.unicodeScalars.filter { !DisplayWidth.isControl($0) })
        )
        let short = TextFormat.fitting(plain, bytes: UsageObserve.nameBytesMax)
        return short.isEmpty ? nil : short
    }

    /// `example.com` of `https://www.example.com:8080/path`; nil for what is no page of a site.
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
