package enum PageMarkKind: String, WireEnum {
    case sector
    case bar
    case line
    case area
    case point
    case rule
    case unknown
}

/// A value in a chart. Exactly one of its three properties is set.
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

/// A length in a chart, like Apple's `MarkDimension`.
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
    /// The chart's series to which the mark belongs, if colours distinguish the series.
    package var series: String?
    package var x: PageDatum?
    package var xEnd: PageDatum?
    package var y: PageDatum?
    package var yEnd: PageDatum?
    /// For `sector`: its amount of the whole.
    package var angle: Double?
    package var inner: PageRadius?
    package var outer: PageRadius?
    /// For `sector`: the gap to the next sector.
    package var inset: Double?
    /// For `bar`: the thickness.
    package var width: PageRadius?
    package var corner: Double?
    /// For `bar`: the name of a group. Bars of different groups are side by side, and bars of one group are stacked.
    package var group: String?
    /// The colour or gradient of the mark. `nil` means the colour of its series.
    package var paint: PagePaint?
    package var opacity: Double?
    /// The text beside the mark.
    package var note: String?
    /// The amount in the app's own words, for lists of numbers. `nil` means that it is made from the values.
    package var value: String?
    /// The text for screen readers. `nil` means that it is made from the values.
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

/// The units of the numbers on an axis.
package enum PageUnit: String, WireEnum {
    case number
    case duration
    case percent
    case date
    case category
    case unknown
}

/// The distance between the marks on an axis of dates.
package enum PageDateStep: String, WireEnum {
    case hour
    case day
    case week
    case month
    case unknown
}

/// A marked value on an axis.
package struct PageTick: WireBody, Codable, Equatable {
    package var at: PageDatum
    /// The label. `nil` draws only a line.
    package var label: String?

    package init(at: PageDatum, label: String? = nil) {
        self.at = at
        self.label = label
    }
}

/// One axis of a chart.
package struct PageAxis: WireBody, Codable, Equatable {
    package var isHidden: Bool?
    package var label: String?
    /// The unit of the values. A duration is in seconds, and a percentage is a fraction of 1.
    package var unit: PageUnit?
    /// The start of the axis. Dates are in milliseconds. `to` is the end of the axis.
    package var from: Double?
    package var to: Double?
    package var step: PageDateStep?
    /// The categories in their order, including those without a mark.
    package var categories: [String]?
    /// The marked values, with the app's own labels. `nil` means that the renderer chooses them.
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

/// A series of a chart and its colour.
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
    /// The index of the control that a selection of a mark changes. Option 0 is no selection, and option n is mark n.
    package var control: Int?
    /// A sentence that describes the content of the chart.
    package var summary: String?
    /// The heading of the values in the table beside the chart, such as "Time".
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
