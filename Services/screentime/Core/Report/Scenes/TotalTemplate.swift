import STContracts
import STPlatform

/// The total, its comparison, and a bar for each app, category, site, person or device.
enum TotalTemplate {
    static func page(_ input: ReportInput) -> Page {
        ReportFrame(template: .total, input: input).page { page in
            input.figure(&page)
            let all = ReportParts.of(input.usage.segments, by: input.key)
            // Usage outside of sites is not a site.
            let parts = input.key == .site ? all.filter { $0.id != nil } : all
            let told = parts.reduce(Duration.zero) { $0 + $1.used }
            let restCount = input.usage.segments.reduce(0) { $0 + ($1.restCount ?? 0) }
            let restMs = input.usage.segments.reduce(0) { $0 + ($1.restMs ?? 0) }
            let total = told + .milliseconds(restMs)
            let (shown, rest) = input.leading(parts, input.key, of: total, restCount: restCount)
            page.vertical(6) { list in
                input.plot(chart(shown, input), of: shown, input.key, on: &list)
                if let rest { list.text(input.strings.more(rest.count, rest.used), size: 15) }
            }
            if input.key == .site, let elsewhere = all.first(where: { $0.id == nil }), elsewhere.used > .zero
            {
                let used = input.dates.duration(elsewhere.used)
                page.text(
                    input.strings.say("report.outside-of-sites", "Usage without a site: \(used, "used")."),
                    size: 15
                )
            }
        }
    }

    private static func chart(_ parts: [ReportPart], _ input: ReportInput) -> PageChart {
        let words = input.strings
        var chart = input.bars(parts, input.key) { part in
            var notes = [input.dates.duration(part.used)]
            if input.compares {
                let before = input.dates.duration(part.before ?? .zero)
                notes.append(words.say("report.before", "before: \(before, "before")"))
            }
            if part.pickups > 0 { notes.append(words.pickups(part.pickups)) }
            return notes.joined(separator: " · ")
        }
        if let first = parts.first {
            let name = input.labels(parts, input.key)[0]
            let used = input.dates.duration(first.used)
            chart.summary = words.say("report.most-with-2", "Most: \(name, "name"), with \(used, "used").")
        }
        return chart
    }
}
