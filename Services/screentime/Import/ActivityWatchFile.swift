import Glibc
import STCommandCore
import STContracts
import STPlatform
import STWire

/// Reads an export of ActivityWatch and joins its buckets in the same way as ActivityWatch's own queries.
///
/// The result is that of aw-core 0.5.18 for the page of a day, day by day from midnight. Short gaps are closed. Windows count
/// only while the person was present, and sites only while their browser was in the foreground. One fault is not copied: the loss
/// of events that began over a day before. Titles and paths are used for comparison only and are not stored.
struct ActivityWatchFile {
    /// Enough for a person's year, which has about 100 MB.
    static let bytesMax = 2_000_000_000
    private static let depthMax = 64
    /// ActivityWatch closes gaps up to the first length, and overlaps below the second.
    private static let floodUs: Int64 = 5_000_000
    private static let overlapUs: Int64 = 100_000
    /// Upper bound on the length of an event. Watchers write no longer ones.
    private static let lengthMsMax: Int64 = 31 * 86_400_000
    /// The years 2000 to 2099. Events outside come from a computer with a wrong clock.
    private static let momentsMs: Range<Int64> = 946_684_800_000..<4_102_444_800_000

    private enum Kind {
        case window, presence, web
    }

    /// An event. Times are in microseconds, as in ActivityWatch.
    private struct Event {
        var start: Int64
        var end: Int64
        /// A hash that is equal for events with equal data. The text is not kept.
        var data: Int
        /// The app, the domain, `afk` or `not-afk`.
        var value: String?

        var length: Int64 { end - start }

        /// Returns the moment in whole milliseconds. ActivityWatch stores starts in milliseconds and lengths in microseconds.
        static func cut(_ moment: Int64) -> Int64 { moment - ((moment % 1000) + 1000) % 1000 }
    }

    private struct Bucket {
        var id: String
        var kind: Kind?
        var host = ""
        var events: [Event] = []
    }

    private var buckets: [Bucket] = []
    private(set) var findings = ImportFindings()

    /// Reads an export. `here` contains the current and former names of this computer.
    static func read(_ bytes: [UInt8], here: Set<String>) throws -> ImportFindings {
        var file = ActivityWatchFile()
        do {
            try bytes.withUnsafeBufferPointer { base in
                var cursor = JSONCursor(base, depthLimit: depthMax)
                var hasBuckets = false
                try cursor.object { key, cursor in
                    guard cursor.isKey(key, "buckets") else { return _ = try cursor.skipValue() }
                    hasBuckets = true
                    try cursor.object { key, cursor in try file.read(bucket: try cursor.text(key), &cursor) }
                }
                guard hasBuckets else { throw JSONFault.malformed(at: 0) }
                cursor.skipSpace()
                guard cursor.isAtEnd else { throw JSONFault.malformed(at: cursor.index) }
            }
        } catch let fault as JSONFault {
            throw Problem(
                "import.not_activitywatch",
                """
                This is not an ActivityWatch export, or the file is incomplete: \(fault, "fault"). Nothing \
                was imported. To create an export, open ActivityWatch's page and choose Raw Data, Export all \
                buckets as JSON.
                """,
                help: "screentime import activitywatch FILE"
            )
        }
        file.join(here)
        return file.findings
    }

    // MARK: - Reading

    private mutating func read(bucket id: String, _ cursor: inout JSONCursor) throws {
        var bucket = Bucket(id: id)
        // The type of a bucket may follow its events.
        var kept: [(start: Int64, end: Int64, data: Range<Int>)] = []
        var damaged: Int64 = 0
        try cursor.object { key, cursor in
            if cursor.isKey(key, "type") {
                bucket.kind =
                    switch try cursor.stringIfPresent() ?? "" {
                    case "currentwindow": .window
                    case "afkstatus": .presence
                    case "web.tab.current": .web
                    default: nil
                    }
            } else if cursor.isKey(key, "hostname") {
                bucket.host = try cursor.stringIfPresent() ?? ""
            } else if cursor.isKey(key, "events") {
                try cursor.array { cursor in
                    if let event = try Self.event(&cursor) { kept.append(event) } else { damaged += 1 }
                }
            } else {
                try cursor.skipValue()
            }
        }
        findings.skip(.damaged, damaged)
        guard let kind = bucket.kind else { return findings.skip(.otherWatcher, Int64(kept.count)) }
        var words: [String: String?] = [:]
        bucket.events.reserveCapacity(kept.count)
        for each in kept {
            let (data, text) = try Self.word(of: each.data, kind, cursor)
            var word = text
            if let text {
                if let known = words[text] {
                    word = known
                } else {
                    word = kind == .web ? ImportFindings.domain(ofPage: text) : ImportFindings.name(text)
                    words[text] = word
                }
            }
            bucket.events.append(Event(start: each.start, end: each.end, data: data, value: word))
        }
        bucket.events.sort { ($0.start, $0.length) < ($1.start, $1.length) }
        buckets.append(bucket)
    }

    private static func event(_ cursor: inout JSONCursor) throws -> (
        start: Int64, end: Int64, data: Range<Int>
    )? {
        var startMs: Int64?
        var seconds: Double?
        var data: Range<Int>?
        guard try cursor.kind() == .object else {
            try cursor.skipValue()
            return nil
        }
        try cursor.object { key, cursor in
            if cursor.isKey(key, "timestamp") {
                startMs = try cursor.stringIfPresent().flatMap { RFC3339.wallMs($0) }
            } else if cursor.isKey(key, "duration") {
                let text = try cursor.skipValue()
                seconds = Double(String(decoding: cursor.bytes(text), as: UTF8.self))
            } else if cursor.isKey(key, "data") {
                let isObject = try cursor.kind() == .object
                let range = try cursor.skipValue()
                data = isObject ? range : nil
            } else {
                try cursor.skipValue()
            }
        }
        guard let startMs, let seconds, let data, momentsMs.contains(startMs), seconds >= 0,
            seconds * 1000 <= Double(lengthMsMax)
        else {
            return nil
        }
        return (startMs * 1000, startMs * 1000 + Int64((seconds * 1_000_000).rounded()), data)
    }

    /// Returns a hash of an event's data, and the part that is used. The site of a private window is left out.
    private static func word(of range: Range<Int>, _ kind: Kind, _ cursor: JSONCursor) throws -> (
        Int, String?
    ) {
        let bytes = cursor.bytes(range)
        var word: String?
        var isPrivate = false
        try bytes.withUnsafeBufferPointer { base in
            var cursor = JSONCursor(base, depthLimit: depthMax)
            try cursor.object { key, cursor in
                switch kind {
                case .window where cursor.isKey(key, "app"), .presence where cursor.isKey(key, "status"),
                    .web where cursor.isKey(key, "url"):
                    word = try cursor.stringIfPresent()
                case .web where cursor.isKey(key, "incognito"):
                    isPrivate = try cursor.boolIfPresent() ?? false
                default: try cursor.skipValue()
                }
            }
        }
        return (bytes.hashValue, isPrivate ? nil : word)
    }

    // MARK: - Joining

    private mutating func join(_ here: Set<String>) {
        let windows = Dictionary(grouping: buckets.filter { $0.kind == .window }, by: \.host)
        let sizes = windows.mapValues { $0.reduce(0) { $0 + $1.events.count } }
        let main = sizes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        for (host, own) in windows.sorted(by: { $0.key < $1.key }) {
            let presence = buckets.filter { $0.kind == .presence && $0.host == host }
            // Browsers do not know the computer's name, but the bucket's name may contain it.
            let web = buckets.filter {
                $0.kind == .web
                    && ($0.host == host || $0.id.hasSuffix("_\(host)")
                        || !isOfOther($0, windows) && host == main)
            }
            let stretches = Self.joined(own, presence: presence, web: web)
            findings.skip(twice: stretches.lost)
            guard !stretches.stretches.isEmpty else { continue }
            findings.devices.append(
                ImportSource(name: host, isHere: here.contains(host), stretches: stretches.stretches)
            )
        }
        if windows.isEmpty {
            findings.remarks.append(
                Speech.say(
                    "import.the-export-has-no",
                    "The export has no aw-watcher-window bucket, so it contains no usage of apps."
                )
            )
        }
    }

    private func isOfOther(_ bucket: Bucket, _ windows: [String: [Bucket]]) -> Bool {
        windows.keys.contains { bucket.host == $0 || bucket.id.hasSuffix("_\($0)") }
    }

    private static func joined(_ windows: [Bucket], presence: [Bucket], web: [Bucket]) -> (
        stretches: [ImportedInterval], lost: Duration
    ) {
        let all = (windows + presence + web).flatMap(\.events)
        guard let first = windows.flatMap(\.events).map(\.start).min(), let last = all.map(\.end).max() else {
            return ([], .zero)
        }
        var windows = windows.map { DayReader($0.events) }
        var presence = presence.map { DayReader($0.events) }
        var web = web.map { (family: family(of: $0.id), events: DayReader($0.events)) }
        let clock = ZonedClock.here
        var day = clock.day(WallTime(ms: first / 1000))
        var found: [ImportedInterval] = []
        var lost: Duration = .zero
        while clock.start(of: day).ms * 1000 <= last {
            let next = day.adding(days: 1)
            let (start, end) = (clock.start(of: day).ms * 1000, clock.start(of: next).ms * 1000)
            day = next
            let states = presence.indices.flatMap { presence[$0].day(start, end) }.sorted {
                $0.start < $1.start
            }
            var used = windows.indices.flatMap { windows[$0].day(start, end) }.sorted { $0.start < $1.start }
            if !presence.isEmpty { used = common(used, states.filter { $0.value == "not-afk" }) }
            let active = ImportedInterval.withoutOverlaps(
                used.filter { $0.value != nil }.map { interval($0, app: $0.value) }
            )
            lost += active.lost
            var stretches = active.stretches
            for index in web.indices {
                let pages = web[index].events.day(start, end).filter { $0.value != nil }
                stretches = withSites(stretches, pages: pages, family: web[index].family)
            }
            let away = states.filter { $0.value == "afk" }.map { event in
                var away = interval(event)
                away.presence = .idle
                return away
            }
            found += without(away, stretches)
        }
        return (ImportedInterval.withoutOverlaps(found).stretches, lost)
    }

    private static func interval(_ event: Event, app: String? = nil, domain: String? = nil)
        -> ImportedInterval
    {
        ImportedInterval(
            start: WallTime(ms: (event.start + 500) / 1000),
            end: WallTime(ms: (event.end + 500) / 1000),
            app: app,
            domain: domain
        )
    }

    /// Returns the events of a bucket day by day, cut at midnight and with closed gaps.
    private struct DayReader {
        private let events: [Event]
        private var index = 0
        /// The events that began but had not ended at the end of the last day.
        private var open: [Event] = []

        /// `events` must be in the order of their starts.
        init(_ events: [Event]) { self.events = events }

        mutating func day(_ start: Int64, _ nextStart: Int64) -> [Event] {
            // ActivityWatch's periods end a millisecond late.
            let end = nextStart + 1000
            while index < events.count, events[index].start <= end {
                open.append(events[index])
                index += 1
            }
            let touching = open.filter { Event.cut($0.end + 500) >= start }
            open = touching.filter { Event.cut($0.end + 500) >= nextStart }
            let clipped = touching.map { event in
                var event = event
                event.start = max(event.start, start)
                event.end = min(event.end, end)
                return event
            }
            return ActivityWatchFile.flooded(clipped)
        }
    }

    /// Removes the parts of absence that overlap usage.
    private static func without(_ away: [ImportedInterval], _ used: [ImportedInterval]) -> [ImportedInterval]
    {
        var kept: [ImportedInterval] = []
        var first = 0
        for stretch in away {
            var start = stretch.start
            while first < used.count, used[first].end <= start { first += 1 }
            var index = first
            while index < used.count, used[index].start < stretch.end {
                if start < used[index].start {
                    kept.append(
                        ImportedInterval(start: start, end: used[index].start, presence: .idle)
                    )
                }
                start = used[index].end
                index += 1
            }
            if start < stretch.end {
                kept.append(ImportedInterval(start: start, end: stretch.end, presence: .idle))
            }
        }
        return ImportedInterval.withoutOverlaps(used + kept).stretches
    }

    /// ActivityWatch's `flood`: closes short gaps in the middle and joins equal neighbours.
    ///
    /// The later of two overlapping events is kept completely.
    private static func flooded(_ events: [Event]) -> [Event] {
        var events = events.sorted { ($0.start, $0.length) < ($1.start, $1.length) }
        for index in events.indices.dropLast() { closeGap(&events, index) }
        var found: [Event] = []
        next: for event in events where event.length > 0 {
            while let last = found.indices.last, found[last].end > event.start {
                if found[last].data == event.data {
                    found[last].end = max(found[last].end, event.end)
                    continue next
                }
                found[last].end = event.start
                // A later event may cover an earlier one completely.
                if found[last].length > 0 { break }
                found.removeLast()
            }
            found.append(event)
        }
        return found
    }

    private static func closeGap(_ events: inout [Event], _ index: Int) {
        var (one, two) = (events[index], events[index + 1])
        let gap = two.start - one.end
        guard gap != 0 else { return }
        let isSame = one.data == two.data
        if gap < 0, isSame {
            one.start = min(one.start, two.start)
            one.end = max(one.end, two.end)
            two.start = Event.cut(one.end)
            two.end = two.start
        } else if gap > -overlapUs, gap <= floodUs {
            if !isSame {
                // Half of the gap. Half of an odd number is rounded to the even one.
                let half = gap / 2 + (gap % 2 != 0 && (gap / 2) % 2 != 0 ? gap.signum() : 0)
                let length = two.end - one.end - half
                one.end += half
                two.start = Event.cut(one.end)
                two.end = two.start + length
            } else if one.length >= two.length {
                one.end = two.end
                two.start = Event.cut(two.end)
                two.end = two.start
            } else {
                two.start = one.start
                one.end = one.start
            }
        }
        (events[index], events[index + 1]) = (one, two)
    }

    /// Returns the parts of events that are inside the given times.
    private static func common(_ events: [Event], _ times: [Event]) -> [Event] {
        var found: [Event] = []
        var (index, time) = (0, 0)
        while index < events.count, time < times.count {
            let (event, during) = (events[index], times[time])
            let (start, end) = (max(event.start, during.start), min(event.end, during.end))
            if start < end {
                found.append(Event(start: start, end: end, data: event.data, value: event.value))
            }
            if event.end <= during.end { index += 1 } else { time += 1 }
        }
        return found
    }

    /// Splits the usage of browsers by sites, if the browser reported them.
    private static func withSites(_ stretches: [ImportedInterval], pages: [Event], family: [String])
        -> [ImportedInterval]
    {
        let sites = ImportedInterval.withoutOverlaps(
            pages.map { interval($0, domain: $0.value) }
        ).stretches
        var known: [String: Bool] = [:]
        var found: [ImportedInterval] = []
        var first = 0
        for stretch in stretches {
            let app = stretch.app ?? ""
            let isBrowser = known[app] ?? family.contains { app.lowercased().contains($0) }
            known[app] = isBrowser
            guard isBrowser, stretch.domain == nil else {
                found.append(stretch)
                continue
            }
            while first < sites.count, sites[first].end <= stretch.start { first += 1 }
            var (index, start) = (first, stretch.start)
            while index < sites.count, sites[index].start < stretch.end {
                let from = max(sites[index].start, start)
                if start < from {
                    found.append(ImportedInterval(start: start, end: from, app: stretch.app))
                }
                let to = min(sites[index].end, stretch.end)
                found.append(
                    ImportedInterval(start: from, end: to, app: stretch.app, domain: sites[index].domain)
                )
                start = to
                index += 1
            }
            if start < stretch.end {
                found.append(ImportedInterval(start: start, end: stretch.end, app: stretch.app))
            }
        }
        return found
    }

    /// Returns the browsers of a bucket such as `aw-watcher-web-firefox`, by a part of their windows' names.
    private static func family(of bucket: String) -> [String] {
        let name = bucket.lowercased()
        let families = [
            ["firefox", "nightly"], ["chrome", "chromium"], ["brave"], ["edge"], ["opera"], ["vivaldi"],
            ["librewolf"],
            ["zen"], ["floorp"], ["orion"], ["yandex"], ["safari"],
        ]
        return families.first { $0.contains { name.contains("web-\($0)") } } ?? families.flatMap { $0 }
    }
}
