import STContracts
import SwiftUICore

/// What somebody can choose on a chart: a binding gets what a tap on a mark would give it.
@MainActor
struct ChartSelection {
    enum Axis {
        case angle, x, y
    }

    /// The combinations of a page are few, and nothing is an option, too.
    private static let marksMost = PageLimits.variants - 1

    private let axis: Axis
    private let read: () -> PlotDatum?
    private let write: (PlotDatum?) -> Void
    /// Whether the binding takes such a value.
    private let takes: (PlotDatum) -> Bool
    private let register: (PageWriter, ControlRequest) -> Int?

    init<P: Plottable>(_ axis: Axis, _ binding: Binding<P?>) {
        self.axis = axis
        read = { binding.wrappedValue.map { PlotDatum($0) } }
        write = { binding.wrappedValue = $0.flatMap { $0.value() } }
        takes = { datum in
            let value: P? = datum.value()
            return value != nil
        }
        register = { page, request in page.control(of: binding, request) }
    }

    /// The number of the control.
    func control(_ page: PageWriter, _ marks: [MarkDraft], _ label: String) -> Int? {
        let spans = spans(marks)
        let values = Array(marks.indices.prefix(Self.marksMost)).map { value($0, marks, spans) }
        guard values.contains(where: { $0 != nil }) else { return nil }
        let names = values.indices.map { Self.name(marks[$0], values[$0]) }
        return register(
            page,
            ControlRequest(kind: .selection, label: label, options: [""] + names, weight: 0) {
                guard let now = read() else { return 0 }
                return (place(of: now, values, marks, spans) ?? -1) + 1
            } set: { option in
                write(option == 0 || option > values.count ? nil : values[option - 1])
            }
        )
    }

    /// Where each sector begins and ends, when all are laid one after the other.
    private func spans(_ marks: [MarkDraft]) -> [Range<Double>] {
        var sum = 0.0
        return marks.map { mark in
            let size = mark.kind == .sector ? mark.angle?.size ?? 0 : 0
            defer { sum += size }
            return sum..<sum + size
        }
    }

    private func value(_ index: Int, _ marks: [MarkDraft], _ spans: [Range<Double>]) -> PlotDatum? {
        let mark = marks[index]
        let candidates: [PlotDatum?] =
            switch axis {
            case .angle:
                [.number((spans[index].lowerBound + spans[index].upperBound) / 2), mark.style?.start]
            case .x: [mark.x?.start]
            case .y: [mark.y?.start]
            }
        return candidates.compactMap { $0 }.first { $0.isDrawable && takes($0) }
    }

    private func place(
        of now: PlotDatum,
        _ values: [PlotDatum?],
        _ marks: [MarkDraft],
        _ spans: [Range<Double>]
    ) -> Int? {
        if let exact = values.firstIndex(of: now) { return exact }
        guard axis == .angle, let number = now.number else { return nil }
        return values.indices.first { spans[$0].contains(number) }
    }

    private static func name(_ mark: MarkDraft, _ value: PlotDatum?) -> String {
        mark.says ?? mark.style?.start.name ?? mark.x?.start.name ?? mark.y?.start.name ?? value?.name ?? ""
    }
}
