import STContracts
import SwiftUICore

/// The selection of a chart. A tap on a mark sets the binding to the value of the mark.
@MainActor
struct ChartSelection {
    enum Axis {
        case angle, x, y
    }

    /// The upper bound on selectable marks. The empty selection also uses one of the page's variants.
    private static let marksMost = PageLimits.variants - 1

    private let axis: Axis
    private let read: () -> PlotDatum?
    private let write: (PlotDatum?) -> Void
    /// Returns true if the binding can hold the value.
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

    /// Registers the selection as a control and returns the number of the control.
    func control(on page: PageWriter, marks: [MarkDraft], label: String) -> Int? {
        let spans = spans(marks)
        let values = marks.indices.map { value(at: $0, marks: marks, spans: spans) }
        let chosen = { read().flatMap { place(of: $0, values: values, spans: spans) } }
        let places = Self.places(values, chosen())
        guard let last = places.last else { return nil }
        // Option n is mark n, even if some marks cannot be selected.
        let names = (0...last).map { Self.name(marks[$0], values[$0]) }
        return register(
            page,
            ControlRequest(
                kind: .selection,
                label: label,
                options: [""] + names,
                choices: [0] + places.map { $0 + 1 },
                weight: 0
            ) {
                (chosen() ?? -1) + 1
            } set: { option in
                write(values.indices.contains(option - 1) ? values[option - 1] : nil)
            }
        )
    }

    /// Returns the indices of the marks that can be selected. Of several marks with the same value, only the first can be
    /// selected, because all of them result in the same page.
    private static func places(_ values: [PlotDatum?], _ chosen: Int?) -> [Int] {
        var seen: Set<PlotDatum> = []
        let distinct = values.indices.filter { index in
            values[index].map { seen.insert($0).inserted } ?? false
        }
        let first = distinct.prefix(marksMost)
        // Always include the initial selection, even if it is not among the first marks.
        guard let chosen, distinct.contains(chosen), !first.contains(chosen) else { return Array(first) }
        return first.dropLast() + [chosen]
    }

    /// Returns the range of each sector if all sectors are placed end to end.
    private func spans(_ marks: [MarkDraft]) -> [Range<Double>] {
        var sum = 0.0
        return marks.map { mark in
            let size = mark.kind == .sector ? mark.angle?.size ?? 0 : 0
            defer { sum += size }
            return sum..<sum + size
        }
    }

    private func value(at index: Int, marks: [MarkDraft], spans: [Range<Double>]) -> PlotDatum? {
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

    private func place(of now: PlotDatum, values: [PlotDatum?], spans: [Range<Double>]) -> Int? {
        if let exact = values.firstIndex(of: now) { return exact }
        guard axis == .angle, let number = now.number else { return nil }
        return values.indices.first { spans[$0].contains(number) }
    }

    private static func name(_ mark: MarkDraft, _ value: PlotDatum?) -> String {
        mark.says ?? mark.style?.start.name ?? mark.x?.start.name ?? mark.y?.start.name ?? value?.name ?? ""
    }
}
