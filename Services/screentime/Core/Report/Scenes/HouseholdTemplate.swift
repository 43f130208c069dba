import STContracts
import STPlatform

/// The usage of all people side by side.
enum HouseholdTemplate {
    private static let columns = 2

    static func page(_ input: ReportInput) -> Page {
        ReportFrame(template: .household, input: input).page { page in
            page.text(input.dates.duration(input.totals.used), size: 34, weight: 700)
            let people = people(input)
            page.chart(chart(people, input), height: input.height(ofBars: people.count) + 40)
            page.inside(PageNode(kind: .grid, align: .topLeading, spacing: 16, columns: columns)) { grid in
                for person in people { card(person, input: input, grid: &grid) }
            }
        }
    }

    /// Returns the people with usage, and the known people without usage.
    private static func people(_ input: ReportInput) -> [ReportPart] {
        var people = ReportParts.of(input.usage.segments, by: .member)
        for known in input.source.coverage?.members ?? []
        where !people.contains(where: { $0.id == known.member }) {
            people.append(ReportPart(id: known.member))
        }
        return people.filter { $0.id != nil }
    }

    private static func rows(_ segments: [ReportUsageSegment], of person: ReportPart) -> [ReportUsageRow] {
        segments.flatMap(\.rows).filter { $0.member == person.id }
    }

    private static func chart(_ people: [ReportPart], _ input: ReportInput) -> PageChart {
        let shown = ReportParts.of(input.usage.segments, by: .category).filter { $0.used > .zero }
        let names = input.labels(people, .member)
        var marks: [PageMark] = []
        for (person, name) in zip(people, names) {
            let own = ReportParts.sums(rows(input.usage.segments, of: person), by: .category)
            for part in shown {
                guard let used = own.first(where: { $0.id == part.id })?.used, used > .zero else { continue }
                let category = input.names.name(part, .category)
                marks.append(
                    PageMark(
                        kind: .bar,
                        series: category,
                        x: PageDatum(number: input.seconds(used)),
                        y: PageDatum(text: name),
                        says: "\(name), \(category): \(input.dates.duration(used))"
                    )
                )
            }
        }
        let top = people.first.map { (names[0], input.dates.duration($0.used)) }
        return PageChart(
            marks: marks,
            series: shown.map {
                PageSeries(name: input.names.name($0, .category), color: ReportColors.of(category: $0.id))
            },
            x: PageAxis(unit: .duration, from: 0),
            y: PageAxis(unit: .category, categories: names),
            legend: .bottom,
            summary: top.map { name, used in
                input.strings.say("report.most-with", "Most: \(name, "name"), with \(used, "used").")
            },
            valueName: input.strings.time,
            keyName: input.names.kind(.member)
        )
    }

    private static func card(_ person: ReportPart, input: ReportInput, grid: inout PageComposer) {
        let edges = PageEdges(top: 14, leading: 14, bottom: 14, trailing: 14)
        let box = PageBox(
            padding: edges,
            frame: PageFrame(fillsWidth: true, align: .topLeading),
            background: PagePaint(kind: .color, color: ReportColors.ground),
            radius: 12
        )
        let words = input.strings
        let apps = ReportParts.sums(rows(input.source.second?.segments ?? [], of: person), by: .app)
        let shown = Array(apps.filter { $0.used > .zero }.prefix(input.top))
        grid.boxed(box) { box in
            box.vertical(4) { card in
                card.text(input.names.name(person, .member), size: 17, weight: 600, heading: 2)
                card.text(input.dates.duration(person.used), size: 28, weight: 700)
                let counts = [words.pickups(person.pickups), words.notifications(person.notifications)]
                card.text(counts.joined(separator: " · "), size: 13, color: ReportColors.secondary)
                for (part, name) in zip(shown, input.labels(shown, .app)) {
                    card.horizontal(8) { row in
                        row.text(name, size: 15)
                        row.add(PageNode(kind: .spacer))
                        row.text(input.dates.duration(part.used), size: 15, color: ReportColors.secondary)
                    }
                }
                if shown.isEmpty { card.text(words.nothing, size: 15, color: ReportColors.secondary) }
            }
        }
    }
}
