import Glibc

/// The UTC offsets of a zone over time, from the system's own files (TZif, RFC 9636).
package struct TimeZoneFile: Sendable, Equatable {
    package struct Change: Sendable, Equatable {
        /// Seconds since 1970.
        package let at: Int64
        /// Seconds east of UTC from then on.
        package let offset: Int64
    }

    /// The offset before the first change.
    package let firstOffset: Int64
    /// In order of time, up to the end of `lastYear`. A change of only the zone's abbreviation is left out.
    package let changes: [Change]

    /// The years for which the rule at the end of a file is expanded into changes.
    package static let firstYear = 1900
    package static let lastYear = 2200
    private static let bytesMax = 256 * 1024

    // MARK: - Names

    /// The zone of a name. `nil` if no file has the name.
    ///
    /// `GMT+0330` and `UTC-2` need no file. Old names of three letters stand for the zones in `oldNames`.
    package static func named(_ name: String, in folder: String = folder) -> TimeZoneFile? {
        if let offset = fixedOffset(name) { return TimeZoneFile(firstOffset: offset, changes: []) }
        let file = oldNames[name] ?? name
        guard isName(file),
            let bytes = try? AtomicFile.read(folder + "/" + file, limitBytes: bytesMax)
        else { return nil }
        return TimeZoneFile(bytes)
    }

    /// The folder of the files: `TZDIR`, as for glibc.
    package static var folder: String {
        getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    }

    /// True if a name can be a zone, which begins with a capital letter.
    ///
    /// `posix/…`, `right/…` (which counts leap seconds), and lists such as `zone.tab` are not zones.
    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else {
            return false
        }
        return name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
            !$0.isEmpty
                && $0.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                        UInt8(ascii: "+"):
                        true
                    default: false
                    }
                }
        }
    }

    private static func fixedOffset(_ name: String) -> Int64? {
        guard name.hasPrefix("GMT") || name.hasPrefix("UTC") else { return nil }
        if name.utf8.count == 3 { return 0 }
        var text = ByteReader(Array(name.utf8.dropFirst(3)))
        guard let sign = text.sign(), let clock = text.clock(), text.isAtEnd else { return nil }
        let seconds = clock.hours * 3600 + clock.minutes * 60
        return seconds <= 18 * 3600 ? sign * seconds : nil
    }

    private static let oldNames = [
        "ACT": "Australia/Darwin", "AET": "Australia/Sydney", "AGT": "America/Argentina/Buenos_Aires",
        "ART": "Africa/Cairo", "AST": "America/Anchorage", "BET": "America/Sao_Paulo", "BST": "Asia/Dhaka",
        "CAT": "Africa/Harare", "CNT": "America/St_Johns", "CST": "America/Chicago", "CTT": "Asia/Shanghai",
        "EAT": "Africa/Addis_Ababa", "ECT": "Europe/Paris", "IET": "America/Indiana/Indianapolis",
        "IST": "Asia/Kolkata", "JST": "Asia/Tokyo", "MIT": "Pacific/Apia", "NET": "Asia/Yerevan",
        "NST": "Pacific/Auckland", "PLT": "Asia/Karachi", "PNT": "America/Phoenix",
        "PRT": "America/Puerto_Rico",
        "PST": "America/Los_Angeles", "SST": "Pacific/Guadalcanal", "VST": "Asia/Ho_Chi_Minh",
    ]

    // MARK: - The file

    private init(firstOffset: Int64, changes: [Change]) {
        self.firstOffset = firstOffset
        self.changes = changes
    }

    /// Parses a file. Fails for version 1, which ends in 2038, for a file with leap seconds, and for any other content.
    package init?(_ bytes: [UInt8]) {
        var file = ByteReader(bytes)
        // The data of version 1 comes first, with times of four bytes.
        guard let old = Header(&file), old.version >= UInt8(ascii: "2"), file.skip(old.bytes(perTime: 4)),
            let header = Header(&file), header.leapSeconds == 0, header.types > 0
        else { return nil }
        var times: [Int64] = []
        for _ in 0..<header.times {
            guard let time = file.integer(8), time > times.last ?? .min else { return nil }
            times.append(time)
        }
        guard let types = file.read(header.times) else { return nil }
        var offsets: [Int64] = []
        for _ in 0..<header.types {
            // Offsets within about a day, as in RFC 9636. The next two bytes are the DST flag and the index of the abbreviation.
            guard let offset = file.integer(4), (-89_999...93_599).contains(offset), file.skip(2) else {
                return nil
            }
            offsets.append(offset)
        }
        guard types.allSatisfy({ Int($0) < offsets.count }),
            file.skip(header.names + header.standards + header.universals), file.skip("\n"),
            let footer = file.line()
        else { return nil }

        var list = ChangeList(firstOffset: offsets[0])
        for (time, type) in zip(times, types) { list.add(Change(at: time, offset: offsets[Int(type)])) }
        if !footer.isEmpty {
            guard let rule = ZoneRule(footer) else { return nil }
            for change in rule.changes where change.at > times.last ?? .min { list.add(change) }
        }
        self.init(firstOffset: list.firstOffset, changes: list.changes)
    }

    private struct ChangeList {
        let firstOffset: Int64
        private(set) var changes: [Change] = []

        init(firstOffset: Int64) { self.firstOffset = firstOffset }

        mutating func add(_ change: Change) {
            // Summer time that lasts all year ends and begins at the same moment.
            if changes.last?.at == change.at { changes.removeLast() }
            if changes.last?.offset ?? firstOffset != change.offset { changes.append(change) }
        }
    }

    private struct Header {
        let version: UInt8
        let universals: Int
        let standards: Int
        let leapSeconds: Int
        let times: Int
        let types: Int
        let names: Int

        init?(_ file: inout ByteReader) {
            guard file.skip("TZif"), let version = file.read(1)?.first, file.skip(15) else { return nil }
            var counts: [Int] = []
            for _ in 0..<6 {
                // No accepted file has room for more.
                guard let count = file.integer(4), (0...Int64(bytesMax)).contains(count) else { return nil }
                counts.append(Int(count))
            }
            self.version = version
            universals = counts[0]
            standards = counts[1]
            leapSeconds = counts[2]
            times = counts[3]
            types = counts[4]
            names = counts[5]
        }

        func bytes(perTime size: Int) -> Int {
            times * (size + 1) + types * 6 + names + leapSeconds * (size + 4) + standards + universals
        }
    }
}

/// The rule for all future changes, from the last line of a zone's file: `CET-1CEST,M3.5.0,M10.5.0/3`.
private struct ZoneRule {
    /// Empty if the clocks are never changed again.
    private(set) var changes: [TimeZoneFile.Change] = []

    init?(_ line: [UInt8]) {
        var text = ByteReader(line)
        guard text.skipName(), let west = text.time() else { return nil }
        let offset = -west
        if text.isAtEnd { return }
        guard text.skipName() else { return nil }
        var summer = offset + 3600
        if text.peek != UInt8(ascii: ",") {
            guard let west = text.time() else { return nil }
            summer = -west
        }
        guard text.skip(","), let start = Day(&text), text.skip(","), let end = Day(&text), text.isAtEnd
        else {
            return nil
        }
        for year in TimeZoneFile.firstYear...TimeZoneFile.lastYear {
            let starting = TimeZoneFile.Change(at: start.seconds(in: year) - offset, offset: summer)
            let ending = TimeZoneFile.Change(at: end.seconds(in: year) - summer, offset: offset)
            changes += starting.at < ending.at ? [starting, ending] : [ending, starting]
        }
        // The end of one year may be the start of the next. The start counts, because it is later in the list.
        guard zip(changes, changes.dropFirst()).allSatisfy({ $0.at <= $1.at }) else { return nil }
    }

    /// A day of each year, and a time on the local clock.
    private struct Day {
        enum Kind {
            /// A day from 1, without February 29.
            case plain(Int)
            /// A day from 0.
            case counted(Int)
            /// A weekday of a month. Week 5 is the last week, and weekday 0 is Sunday.
            case week(month: Int, week: Int, weekday: Int)
        }

        let kind: Kind
        let time: Int64

        init?(_ text: inout ByteReader) {
            if text.skip("J") {
                guard let day = text.number(1...365) else { return nil }
                kind = .plain(day)
            } else if text.skip("M") {
                guard let month = text.number(1...12), text.skip("."), let week = text.number(1...5),
                    text.skip("."), let weekday = text.number(0...6)
                else { return nil }
                kind = .week(month: month, week: week, weekday: weekday)
            } else {
                guard let day = text.number(0...365) else { return nil }
                kind = .counted(day)
            }
            guard text.skip("/") else {
                time = 2 * 3600
                return
            }
            guard let time = text.time() else { return nil }
            self.time = time
        }

        /// Seconds since 1970 on the local clock.
        func seconds(in year: Int) -> Int64 { Int64(date(in: year)) * 86_400 + time }

        private func date(in year: Int) -> Int {
            let newYear = CivilDate(year: year, month: 1, day: 1).daysSinceEpoch
            switch kind {
            case .plain(let day):
                let isAfterLeapDay = day >= 60 && CivilDate.daysIn(month: 2, year: year) == 29
                return newYear + day - (isAfterLeapDay ? 0 : 1)
            case .counted(let day): return newYear + day
            case .week(let month, let week, let weekday):
                let first = CivilDate(year: year, month: month, day: 1)
                var day = 1 + (weekday + 1 - first.weekday + 7) % 7 + (week - 1) * 7
                while day > CivilDate.daysIn(month: month, year: year) { day -= 7 }
                return first.daysSinceEpoch + day - 1
            }
        }
    }
}

/// Reads bytes from outside, from the front. Each method returns `nil` if the next bytes do not match.
private struct ByteReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    var peek: UInt8? { isAtEnd ? nil : bytes[index] }

    mutating func read(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= bytes.count - index else { return nil }
        index += count
        return bytes[index - count..<index]
    }

    mutating func skip(_ count: Int) -> Bool { read(count) != nil }

    mutating func skip(_ text: StaticString) -> Bool {
        guard
            bytes[index...].starts(
                with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            )
        else { return false }
        index += text.utf8CodeUnitCount
        return true
    }

    /// A signed number, most significant byte first.
    mutating func integer(_ count: Int) -> Int64? {
        guard let bytes = read(count), let first = bytes.first else { return nil }
        return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
    }

    /// The bytes up to a line end, which must exist.
    mutating func line() -> [UInt8]? {
        guard let end = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        return read(end - index).map(Array.init)
    }

    /// A number of at most four digits.
    mutating func number(_ range: ClosedRange<Int>) -> Int? {
        let digits = bytes[index...].prefix(4).prefix { $0 >= 48 && $0 <= 57 }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - 48) }
        guard !digits.isEmpty, range.contains(value) else { return nil }
        index += digits.count
        return value
    }

    /// `+` is 1 and `-` is -1.
    mutating func sign() -> Int64? { skip("+") ? 1 : skip("-") ? -1 : nil }

    /// The seconds of `3` or `-167:59:59`.
    mutating func time() -> Int64? {
        let sign = sign() ?? 1
        guard let hours = number(0...167) else { return nil }
        var seconds = hours * 3600
        if skip(":") {
            guard let minutes = number(0...59) else { return nil }
            seconds += minutes * 60
            if skip(":") {
                guard let rest = number(0...59) else { return nil }
                seconds += rest
            }
        }
        return sign * Int64(seconds)
    }

    /// The hours and minutes of `3`, `03`, `3:30` or `0330`.
    mutating func clock() -> (hours: Int64, minutes: Int64)? {
        let start = index
        guard let value = number(0...2359) else { return nil }
        switch index - start {
        case 4: return value % 100 < 60 ? (Int64(value / 100), Int64(value % 100)) : nil
        case 1, 2:
            guard skip(":") else { return (Int64(value), 0) }
            let start = index
            guard let minutes = number(0...59), index - start == 2 else { return nil }
            return (Int64(value), Int64(minutes))
        default: return nil
        }
    }

    /// Skips a name such as `CET` or `<+0330>`.
    mutating func skipName() -> Bool {
        if skip("<") {
            guard let end = bytes[index...].firstIndex(of: UInt8(ascii: ">")), end > index else {
                return false
            }
            index = end + 1
            return true
        }
        let letters = bytes[index...].prefix { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        index += letters.count
        return letters.count >= 3
    }
}
