package import STContracts
package import STPlatform

/// The foreground apps from morning to night, with a line for each app or person.
enum TimelineTemplate {
    /// A shorter day does not fill the whole width.
    private static let hoursMin: Int64 = 6

    static func page(_ input: ReportInput) -> Page {
        let people = Set(input.source.intervals.map(\.member))
        let byPerson = people.count > 1
        let (stretches, period) = (input.source.intervals, input.period.from..<input.period.to)
        let pieces = TimelineMerger.merged(stretches, in: period, byPerson: byPerson)
        let unbroken = TimelineMerger.unbroken(stretches, in: period, byPerson: byPerson)
        return ReportFrame(template: .timeline, input: input).page { page in
            input.figure(&page)
            let lanes = rows(pieces, byPerson: byPerson, input)
            let chart = chart(pieces, lanes: lanes, input: input)
            page.chart(chart, height: input.height(ofBars: lanes.names.count) + 60)
            page.vertical(6) { block in
                input.heading(input.strings.say("report.longest-stretches", "Longest intervals"), &block)
                for piece in longest(unbroken, input) { line(piece, input: input, block: &block) }
            }
        }
    }

    /// The lines from top to bottom, and the line of each lane.
    private struct TimelineRowSet {
        var names: [String] = []
        var places: [TimelineMerger.TimelineRow: String] = [:]
    }

    private static func rows(_ pieces: [TimelineMerger.MergedInterval], byPerson: Bool, _ input: ReportInput)
        -> TimelineRowSet
    {
        var sums: [TimelineMerger.TimelineRow: Duration] = [:]
        for piece in pieces { sums[piece.row, default: .zero] += piece.used }
        let used = sums.filter { isUse($0.key) }.sorted { left, right in
            (right.value, name(left.key, input)) < (left.value, name(right.key, input))
        }.map(\.key)
        var lanes = TimelineRowSet()
        for (place, lane) in used.enumerated() {
            lanes.places[lane] =
                byPerson || place < input.top
                ? DisplayWidth.sanitized(name(lane, input)) : input.strings.others
        }
        for lane in [TimelineMerger.TimelineRow.away, .shield, .unobserved] where sums[lane] != nil {
            lanes.places[lane] = name(lane, input)
        }
        for lane in used + [.away, .shield, .unobserved] {
            guard let name = lanes.places[lane], !lanes.names.contains(name) else { continue }
            lanes.names.append(name)
        }
        return lanes
    }

    private static func isUse(_ lane: TimelineMerger.TimelineRow) -> Bool {
        switch lane {
        case .app, .person: true
        case .away, .unobserved, .shield: false
        }
    }

    private static func name(_ lane: TimelineMerger.TimelineRow, _ input: ReportInput) -> String {
        switch lane {
        case .app(let id):
            input.names.name(
                id: id,
                label: input.usage.segments.lazy.flatMap(\.rows).first { $0.app == id }?.label,
                key: .app
            )
        case .person(let name): name
        case .away: input.strings.say("report.away", "Away")
        case .unobserved: input.strings.say("report.not-seen", "Not observed")
        case .shield: input.strings.say("report.shield", "Shield")
        }
    }

    private static func chart(
        _ pieces: [TimelineMerger.MergedInterval],
        lanes: TimelineRowSet,
        input: ReportInput
    )
        -> PageChart
    {
        let range = range(pieces, input)
        var marks: [PageMark] = []
        for piece in pieces where piece.start < range.upperBound && piece.end > range.lowerBound {
            guard let lane = lanes.places[piece.row] else { continue }
            let (name, _) = style(piece, input)
            marks.append(
                PageMark(
                    kind: .bar,
                    series: name,
                    x: PageDatum(wallMs: max(piece.start, range.lowerBound).ms),
                    xEnd: PageDatum(wallMs: min(piece.end, range.upperBound).ms),
                    y: PageDatum(text: lane),
                    corner: 2,
                    says: "\(lane), \(span(piece, input)): \(input.dates.duration(piece.used))"
                )
            )
        }
        return PageChart(
            marks: marks,
            series: series(pieces, input),
            x: PageAxis(
                unit: .date,
                from: Double(range.lowerBound.ms),
                to: Double(range.upperBound.ms),
                step: .hour
            ),
            y: PageAxis(unit: .category, categories: lanes.names),
            legend: .bottom,
            summary: summary(pieces, input),
            valueName: input.strings.time,
            keyName: input.names.kind(.app)
        )
    }

    /// Returns the series, most used first. Lanes without usage come last.
    private static func series(_ pieces: [TimelineMerger.MergedInterval], _ input: ReportInput)
        -> [PageSeries]
    {
        var sums: [String: Duration] = [:]
        var colors: [String: PageColor] = [:]
        var others: [String] = []
        for piece in pieces {
            let (name, color) = style(piece, input)
            colors[name] = color
            if isUse(piece.row) {
                sums[name, default: .zero] += piece.used
            } else if !others.contains(name) {
                others.append(name)
            }
        }
        let used = sums.keys.sorted { (sums[$1] ?? .zero, $0) < (sums[$0] ?? .zero, $1) }
        return (used + others).map { PageSeries(name: $0, color: colors[$0] ?? ReportColors.rest) }
    }

    /// Returns the range from the hour of the first usage to the hour of the last. Nights are not drawn.
    private static func range(_ pieces: [TimelineMerger.MergedInterval], _ input: ReportInput) -> Range<
        WallTime
    > {
        let hour = Duration.seconds(3_600)
        let used = pieces.filter { isUse($0.row) }
        let first = input.clock.startOfHour(used.first?.start ?? input.period.from)
        let end = used.map(\.end).max() ?? input.period.to
        let last = input.clock.startOfHour(end - .milliseconds(1)) + hour
        let from = max(input.period.from, min(first, last - hour * hoursMin))
        return from..<max(last, min(input.period.to, from + hour * hoursMin))
    }

    private static func style(_ piece: TimelineMerger.MergedInterval, _ input: ReportInput) -> (
        String, PageColor
    ) {
        switch piece.row {
        case .app, .person:
            return (
                input.names.name(id: piece.category, label: nil, key: .category),
                ReportColors.of(category: piece.category)
            )
        case .away: return (name(.away, input), ReportColors.before)
        case .unobserved: return (name(.unobserved, input), ReportColors.warning)
        case .shield: return (name(.shield, input), ReportColors.secondary)
        }
    }

    private static func summary(_ pieces: [TimelineMerger.MergedInterval], _ input: ReportInput) -> String? {
        let used = pieces.filter { isUse($0.row) }
        guard let first = used.first, let end = used.map(\.end).max() else { return nil }
        let (from, to) = (input.clock.time(first.start), input.clock.time(end))
        return input.strings.say("report.from-to", "From \(from, "from") to \(to, "to").")
    }

    private static func span(_ piece: TimelineMerger.MergedInterval, _ input: ReportInput) -> String {
        "\(input.clock.time(piece.start)) – \(input.clock.time(piece.end))"
    }

    private static func longest(_ pieces: [TimelineMerger.MergedInterval], _ input: ReportInput)
        -> [TimelineMerger.MergedInterval]
    {
        let used = pieces.filter { isUse($0.row) }.sorted {
            ($1.used, $0.start) < ($0.used, $1.start)
        }
        return Array(used.prefix(input.top))
    }

    /// Returns the app's name. On a timeline by person, returns the person and the category.
    private static func subjectName(_ piece: TimelineMerger.MergedInterval, _ input: ReportInput) -> String {
        guard case .person(let person) = piece.row else { return name(piece.row, input) }
        return
            "\(DisplayWidth.sanitized(person)) · \(input.names.name(id: piece.category, label: nil, key: .category))"
    }

    private static func line(
        _ piece: TimelineMerger.MergedInterval,
        input: ReportInput,
        block: inout PageComposer
    ) {
        block.horizontal(12) { row in
            row.text(span(piece, input), size: 15, color: ReportColors.secondary)
            row.text(subjectName(piece, input), size: 15)
            row.add(PageNode(kind: .spacer))
            row.text(input.dates.duration(piece.used), size: 15, color: ReportColors.secondary)
        }
    }
}

/// Joins the usage of a day into few enough pieces for a drawing. Neighbours of one kind become one piece.
package enum TimelineMerger {
    /// The line to which a piece belongs.
    package enum TimelineRow: Hashable, Sendable {
        /// An app. `nil` if only the desktop was in the foreground.
        case app(String?)
        case person(String)
        case away
        case unobserved
        case shield
    }

    package struct MergedInterval: Equatable, Sendable {
        package var row: TimelineRow
        package var category: String?
        package var start: WallTime
        package var end: WallTime

        /// The usage without the gaps in the piece.
        package var used: Duration
        /// The person and the device. Only pieces of one owner follow each other.
        var owner: Owner

        struct Owner: Hashable, Sendable {
            var member: String
            var device: String?
        }
    }

    /// A gap that is too short to see in a picture of a day.
    private static let firstGap: Duration = .seconds(20)
    package static let piecesMax = 600

    package static func merged(
        _ stretches: [Segment],
        in period: Range<WallTime>,
        byPerson: Bool
    ) -> [MergedInterval] {
        let pieces = sorted(stretches, period: period, byPerson: byPerson)
        var gap = firstGap
        var folded = fold(pieces, gap: gap, by: \.row)
        while folded.count > piecesMax {
            gap *= 2
            folded = fold(pieces, gap: gap, by: \.row)
            // No more pieces can be joined. The longest ones represent all.
            if gap > .seconds(86_400) {
                return Array(folded.sorted { $0.used > $1.used }.prefix(piecesMax)).sorted {
                    $0.start < $1.start
                }
            }
        }
        return folded
    }

    /// Returns usage without interruption. In contrast to `pieces`, short usage of other apps interrupts it.
    package static func unbroken(
        _ stretches: [Segment],
        in period: Range<WallTime>,
        byPerson: Bool
    ) -> [MergedInterval] {
        fold(sorted(stretches, period: period, byPerson: byPerson), gap: firstGap, by: \.owner)
    }

    private static func sorted(_ stretches: [Segment], period: Range<WallTime>, byPerson: Bool)
        -> [MergedInterval]
    {
        stretches.compactMap { interval($0, period: period, byPerson: byPerson) }.sorted {
            ($0.start, $0.end) < ($1.start, $1.end)
        }
    }

    private static func interval(_ stretch: Segment, period: Range<WallTime>, byPerson: Bool)
        -> MergedInterval?
    {
        let start = max(period.lowerBound, WallTime(ms: stretch.startWallMs))
        let end = min(period.upperBound, WallTime(ms: stretch.startWallMs + stretch.durationMs))
        guard start < end else { return nil }
        let lane: TimelineRow
        switch stretch.presence {
        case .active where stretch.shielded == true: lane = .shield
        case .active: lane = byPerson ? .person(stretch.member) : .app(stretch.app)
        case .unobserved, .unknown: lane = .unobserved
        case .idle, .locked, .away, .suspended: lane = .away
        }
        let category: String?
        switch lane {
        case .app, .person: category = stretch.category
        case .away, .unobserved, .shield: category = nil
        }
        return MergedInterval(
            row: lane,
            category: category,
            start: start,
            end: end,
            used: end - start,
            owner: MergedInterval.Owner(member: stretch.member, device: stretch.device)
        )
    }

    /// Joins each piece to the last one of the same key if lane and category are equal and the gap is short.
    private static func fold<Key: Hashable>(
        _ pieces: [MergedInterval],
        gap: Duration,
        by key: (MergedInterval) -> Key
    )
        -> [MergedInterval]
    {
        var folded: [MergedInterval] = []
        var last: [Key: Int] = [:]
        for piece in pieces {
            if let place = last[key(piece)], folded[place].row == piece.row,
                folded[place].category == piece.category, piece.start - folded[place].end <= gap
            {
                folded[place].join(piece)
            } else {
                last[key(piece)] = folded.count
                folded.append(piece)
            }
        }
        return folded
    }
}

extension TimelineMerger.MergedInterval {
    fileprivate mutating func join(_ other: Self) {
        end = max(end, other.end)
        used += other.used
    }
}
