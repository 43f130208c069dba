import STContracts

/// Pages like those of reports.
enum SamplePages {
    static let gray = PageColor(light: "#8E8E93FF", dark: "#8E8E93FF")
    /// Friday, 20 November 2026, at midnight in Seoul.
    static let midnight: Int64 = 1_795_100_400_000
    static let hour: Int64 = 3_600_000

    static let filter = ReportFilter(
        segment: .day,
        fromWallMs: midnight,
        toWallMs: midnight + 24 * hour,
        applications: [],
        categories: [],
        webDomains: []
    )

    static let categories: [(english: String, korean: String, seconds: Double, color: PageColor)] = [
        ("Games", "게임", 6600, PageColor(light: "#0A84FFFF", dark: "#409CFFFF")),
        ("Social", "소셜", 4980, PageColor(light: "#FF9F0AFF", dark: "#FFB340FF")),
        ("Productivity", "생산성", 3300, PageColor(light: "#30B0C7FF", dark: "#40CBE0FF")),
        ("Reading & Reference", "읽기 및 참고", 1500, PageColor(light: "#AF52DEFF", dark: "#DA8FFFFF")),
        ("Other", "기타", 780, PageColor(light: "#8E8E93FF", dark: "#98989DFF")),
    ]

    static func pick(_ language: String, english: String, korean: String) -> String {
        language == "ko" ? korean : english
    }

    static func series(_ language: String) -> [PageSeries] {
        categories.map {
            PageSeries(name: pick(language, english: $0.english, korean: $0.korean), color: $0.color)
        }
    }

    /// Bars by hour, stacked by category.
    static func hours(_ language: String) -> PageChart {
        var marks: [PageMark] = []
        for index in 7..<23 {
            for (place, series) in series(language).prefix(4).enumerated()
            where (index * (place + 3)) % 5 != 0 {
                marks.append(
                    PageMark(
                        kind: .bar,
                        series: series.name,
                        x: PageDatum(wallMs: midnight + Int64(index) * hour),
                        y: PageDatum(number: Double((index * 137 + place * 411) % 900 + 60))
                    )
                )
            }
        }
        return PageChart(
            marks: marks,
            series: Array(series(language).prefix(4)),
            x: PageAxis(unit: .date, from: Double(midnight), to: Double(midnight + 24 * hour), step: .hour),
            y: PageAxis(unit: .duration),
            summary: pick(
                language,
                english: "Use by hour, most of it at 6 PM.",
                korean: "시간별 사용 시간, 18시에 가장 많음"
            ),
            valueName: pick(language, english: "Time", korean: "시간"),
            keyName: pick(language, english: "Hour", korean: "시각")
        )
    }

    static func pie(_ language: String, control: Int? = nil, chosen: Int = 0) -> PageChart {
        let marks = categories.enumerated().map { index, category in
            PageMark(
                kind: .sector,
                series: pick(language, english: category.english, korean: category.korean),
                angle: category.seconds,
                inner: PageRadius(kind: .ratio, value: 0.62),
                outer: PageRadius(kind: .ratio, value: chosen == index + 1 ? 1 : 0.92),
                inset: 1.5,
                corner: 5,
                opacity: chosen == 0 || chosen == index + 1 ? 1 : 0.35
            )
        }
        return PageChart(
            marks: marks,
            series: series(language),
            y: PageAxis(unit: .duration),
            control: control,
            summary: pick(
                language,
                english: "Use by category; games lead.",
                korean: "카테고리별 사용 시간, 게임이 가장 많음"
            ),
            valueName: pick(language, english: "Time", korean: "시간"),
            keyName: pick(language, english: "Category", korean: "카테고리")
        )
    }

    static func apps(_ language: String) -> PageChart {
        let names = [
            "Minetest", pick(language, english: "Web", korean: "웹"), "LibreOffice",
            pick(language, english: "Text Editor", korean: "텍스트 편집기"),
            pick(language, english: "An application with a very long name", korean: "이름이 아주 긴 응용 프로그램입니다"),
        ]
        let marks = names.enumerated().map { index, name in
            PageMark(
                kind: .bar,
                x: PageDatum(number: Double(7200 / (index + 1))),
                y: PageDatum(text: name),
                corner: 4,
                note: pick(language, english: "\(120 / (index + 1))m", korean: "\(120 / (index + 1))분")
            )
        }
        return PageChart(
            marks: marks,
            series: [],
            x: PageAxis(isHidden: true, unit: .duration),
            y: PageAxis(unit: .category),
            valueName: pick(language, english: "Time", korean: "시간"),
            keyName: pick(language, english: "App", korean: "앱")
        )
    }

    /// A day like in a built-in report.
    static func day(_ language: String) -> Page {
        var maker = PageMaker()
        maker.vertical(.leading, spacing: 24) { page in
            page.vertical(.leading, spacing: 2) { head in
                head.text(
                    pick(language, english: "Screen time", korean: "스크린 타임"),
                    size: 15,
                    weight: 600,
                    color: gray,
                    heading: 1
                )
                head.text(pick(language, english: "4h 46m", korean: "4시간 46분"), size: 34, weight: 700)
                head.text(
                    pick(language, english: "21% more than yesterday", korean: "어제보다 21% 많음"),
                    size: 15,
                    weight: nil,
                    color: gray
                )
            }
            page.chart(hours(language), height: 220)
            page.text(
                pick(language, english: "Most used", korean: "가장 많이 사용"),
                size: 17,
                weight: 600,
                heading: 2
            )
            page.chart(apps(language), height: 180)
            page.text(
                pick(language, english: "By category", korean: "카테고리별"),
                size: 17,
                weight: 600,
                heading: 2
            )
            page.chart(pie(language), height: 220)
            page.text(pick(language, english: "Pickups", korean: "화면 깨우기"), size: 17, weight: 600, heading: 2)
            page.inside(PageNode(kind: .list)) { list in
                for (category, count) in zip(categories, [31, 12, 8, 4, 1]) {
                    list.horizontal { row in
                        row.text(pick(language, english: category.english, korean: category.korean))
                        row.add(PageNode(kind: .spacer))
                        row.text("\(count)", size: 17, weight: nil, color: gray)
                    }
                }
            }
        }
        return maker.page(language, title: pick(language, english: "Today", korean: "오늘"))
    }

    /// A page like that of an app: a switch between two reports, and a pie with a selection.
    static func app(_ language: String) -> Page {
        var variants: [PageVariant] = []
        for mode in 0...1 {
            for chosen in 0...5 where mode == 0 || chosen == 0 {
                variants.append(
                    PageVariant(
                        chosen: [mode, chosen],
                        nodes: appNodes(language, mode: mode, chosen: chosen)
                    )
                )
            }
        }
        let names =
            [pick(language, english: "Nothing", korean: "없음")]
            + categories.map { pick(language, english: $0.english, korean: $0.korean) }
        let modes = [
            pick(language, english: "Categories", korean: "카테고리"),
            pick(language, english: "Hours", korean: "시간대"),
        ]
        return Page(
            title: pick(language, english: "This week", korean: "이번 주"),
            language: language,
            zone: "Asia/Seoul",
            controls: [
                PageControl(
                    kind: .choice,
                    label: pick(language, english: "Show", korean: "보기"),
                    options: modes,
                    chosen: 0
                ),
                PageControl(
                    kind: .selection,
                    label: pick(language, english: "Category", korean: "카테고리"),
                    options: names,
                    chosen: 0
                ),
            ],
            variants: variants
        )
    }

    private static func appNodes(_ language: String, mode: Int, chosen: Int) -> [PageNode] {
        var maker = PageMaker()
        maker.vertical(.center, spacing: 20) { page in
            page.add(PageNode(kind: .control, control: 0))
            if mode == 1 {
                page.chart(hours(language), height: 260)
            } else {
                page.inside(PageNode(kind: .over)) { ring in
                    ring.box(PageBox(frame: PageFrame(height: 280, fillsWidth: true))) {
                        var chart = pie(language, control: 1, chosen: chosen)
                        chart.legend = .hidden
                        $0.add(PageNode(kind: .chart, chart: chart))
                    }
                    ring.vertical(.center, spacing: 2) { middle in
                        let category = chosen > 0 ? categories[chosen - 1] : nil
                        middle.text(
                            category.map { pick(language, english: $0.english, korean: $0.korean) }
                                ?? pick(language, english: "All", korean: "전체"),
                            size: 15,
                            weight: nil,
                            color: gray
                        )
                        middle.text("\(Int((category?.seconds ?? 17_160) / 60))m", size: 28, weight: 700)
                    }
                }
            }
            page.horizontal(12) { row in
                for (symbol, name, color) in [
                    ("hourglass", pick(language, english: "Limit", korean: "한도"), "#0A84FF26"),
                    ("moon.fill", pick(language, english: "Downtime", korean: "다운타임"), "#5E5CE633"),
                ] {
                    row.box(
                        PageBox(
                            padding: PageEdges(top: 14, leading: 14, bottom: 14, trailing: 14),
                            frame: PageFrame(fillsWidth: true, align: .leading),
                            background: PagePaint(kind: .color, color: PageColor(light: color, dark: color)),
                            radius: 14
                        )
                    ) { card in
                        card.vertical(.leading, spacing: 6) { column in
                            column.add(
                                PageNode(
                                    kind: .image,
                                    image: PageImage(kind: .system, name: symbol, font: PageFont(size: 20))
                                )
                            )
                            column.text(name, size: 15, weight: 600)
                            column.add(PageNode(kind: .progress, value: 0.7, label: name))
                        }
                    }
                }
            }
        }
        return maker.nodes
    }
}
