package enum PageMarkKind: String, WireEnum {
    case sector
    case bar
    case line
    case area
    case point
    case rule
    case unknown
}

/// A value of a chart: exactly one of the three.
package struct PageDatum: WireBody, Codable, Equatable {
    package var number: Double?
    package var text: String?
    package var wallMs: Int64?

    package init(number: Double? = nil, text: String? = nil, wallMs: Int64? = nil) {
        self.number = number
        self.text = text
        self.wallMs = wallMs
    }
}

package enum PageRadiusKind: String, WireEnum {
    case automatic
    case ratio
    case inset
    case fixed
    case unknown
}

/// A length in a chart, as `MarkDimension` has it.
package struct PageRadius: WireBody, Codable, Equatable {
    package var kind: PageRadiusKind
    package var value: Double?

    package init(kind: PageRadiusKind, value: Double? = nil) {
        self.kind = kind
        self.value = value
    }
}

/// One mark of a chart.
package struct PageMark: WireBody, Codable, Equatable {
    package var kind: PageMarkKind
    /// Which of the chart's series it belongs to, when colour tells them apart.
    package var series: String?
    package var x: PageDatum?
    package var xEnd: PageDatum?
    package var y: PageDatum?
    package var yEnd: PageDatum?
    /// For `sector`: how much of the whole.
    package var angle: Double?
    package var inner: PageRadius?
    package var outer: PageRadius?
    /// For `sector`: the gap to the next.
    package var inset: Double?
    /// For `bar`: how thick.
    package var width: PageRadius?
    package var corner: Double?
    /// For `bar`: those of different groups stand side by side, those of one stand on each other.
    package var group: String?
    /// Nil: the colour of its series.
    package var paint: PagePaint?
    package var opacity: Double?
    /// Stands at the mark.
    package var note: String?
    /// How much it is, in the app's own words, where numbers are listed; nil is made from the values.
    package var value: String?
    /// What a screen reader says; nil is made from the values.
    package var says: String?

    package init(
        kind: PageMarkKind,
        series: String? = nil,
        x: PageDatum? = nil,
        xEnd: PageDatum? = nil,
        y: PageDatum? = nil,
        yEnd: PageDatum? = nil,
        angle: Double? = nil,
        inner: PageRadius? = nil,
        outer: PageRadius? = nil,
        inset: Double? = nil,
        width: PageRadius? = nil,
        corner: Double? = nil,
        group: String? = nil,
        paint: PagePaint? = nil,
        opacity: Double? = nil,
        note: String? = nil,
        value: String? = nil,
        says: String? = nil
    ) {
        self.kind = kind
        self.series = series
        self.x = x
        self.xEnd = xEnd
        self.y = y
        self.yEnd = yEnd
        self.angle = angle
        self.inner = inner
        self.outer = outer
        self.inset = inset
        self.width = width
        self.corner = corner
        self.group = group
        self.paint = paint
        self.opacity = opacity
        self.note = note
        self.value = value
        self.says = says
    }
}

/// What the numbers of an axis are.
package enum PageUnit: String, WireEnum {
    case number
    case duration
    case percent
    case date
    case category
    case unknown
}

/// How far apart the marks on an axis of dates are.
package enum PageDateStep: String, WireEnum {
    case hour
    case day
    case week
    case month
    case unknown
}

/// A value that is written on an axis.
package struct PageTick: WireBody, Codable, Equatable {
    package var at: PageDatum
    /// Nil: only a line.
    package var label: String?

    package init(at: PageDatum, label: String? = nil) {
        self.at = at
        self.label = label
    }
}

/// One side of a chart.
package struct PageAxis: WireBody, Codable, Equatable {
    package var isHidden: Bool?
    package var label: String?
    /// A duration is in seconds, a percentage is a part of one.
    package var unit: PageUnit?
    /// Where it begins and ends; of dates in milliseconds.
    package var from: Double?
    package var to: Double?
    package var step: PageDateStep?
    /// The categories in their order, also those without a mark.
    package var categories: [String]?
    /// The values that are written, in the app's own words; nil is what looks right.
    package var ticks: [PageTick]?

    package init(
        isHidden: Bool? = nil,
        label: String? = nil,
        unit: PageUnit? = nil,
        from: Double? = nil,
        to: Double? = nil,
        step: PageDateStep? = nil,
        categories: [String]? = nil,
        ticks: [PageTick]? = nil
    ) {
        self.isHidden = isHidden
        self.label = label
        self.unit = unit
        self.from = from
        self.to = to
        self.step = step
        self.categories = categories
        self.ticks = ticks
    }
}

/// One colour of a chart and what it stands for.
package struct PageSeries: WireBody, Codable, Equatable {
    package var name: String
    package var color: PageColor

    package init(name: String, color: PageColor) {
        self.name = name
        self.color = color
    }
}

package enum PageLegend: String, WireEnum {
    case automatic
    case hidden
    case bottom
    case top
    case leading
    case trailing
    case unknown
}

package struct PageChart: WireBody, Codable, Equatable {
    package var marks: [PageMark]
    package var series: [PageSeries]
    package var x: PageAxis?
    package var y: PageAxis?
    package var legend: PageLegend?
    /// The control that its marks choose from: option 0 is nothing, option n is mark n.
    package var control: Int?
    /// One sentence that says what can be seen.
    package var summary: String?
    /// What the values are, for the table beside it: such as "Time".
    package var valueName: String?
    package var keyName: String?

    package init(
        marks: [PageMark],
        series: [PageSeries],
        x: PageAxis? = nil,
        y: PageAxis? = nil,
        legend: PageLegend? = nil,
        control: Int? = nil,
        summary: String? = nil,
        valueName: String? = nil,
        keyName: String? = nil
    ) {
        self.marks = marks
        self.series = series
        self.x = x
        self.y = y
        self.legend = legend
        self.control = control
        self.summary = summary
        self.valueName = valueName
        self.keyName = keyName
    }
}
