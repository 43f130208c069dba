import STContracts

/// One thing that can be chosen.
@MainActor
struct ChoiceOption<Value: Hashable> {
    let value: Value
    let words: String

    /// Nil for what nobody gave a value of the right kind.
    init?(_ element: PageElement, words: String? = nil) {
        guard let tag = element.traits.tag ?? element.traits.implicitTag,
            // An optional is chosen with what is in it, too.
            let value = tag.base as? Value ?? tag as? Value
        else { return nil }
        self.value = value
        self.words = words ?? element.words
    }
}

extension PageWriter {
    /// Adds a switch between things, or what is chosen when nothing can be switched.
    func choice<Value: Hashable>(
        _ binding: Binding<Value>,
        _ label: String,
        _ options: [ChoiceOption<Value>],
        weight: Int
    ) throws {
        let id = control(of: binding, Self.request(binding, label, options, weight: weight))
        let now = options.first { $0.value == binding.wrappedValue }?.words ?? ""
        try add(PageNode(kind: .control, control: id)) {
            let words = look(hides: label) + [now]
            try add(
                PageNode(
                    kind: .text,
                    runs: [PageRun(text: words.filter { !$0.isEmpty }.joined(separator: ": "))]
                )
            )
        }
    }

    private func look(hides label: String) -> [String] { environment.look.hidesLabels ? [] : [label] }

    static func request<Value: Hashable>(
        _ binding: Binding<Value>,
        _ label: String,
        _ options: [ChoiceOption<Value>],
        weight: Int
    ) -> ControlRequest {
        let values = options.map(\.value)
        // What is chosen at first may be nothing of it: then that is a choice, too.
        let first = values.firstIndex(of: binding.wrappedValue)
        let other = first == nil ? binding.wrappedValue : nil
        let shift = other == nil ? 0 : 1
        return ControlRequest(
            kind: .choice,
            label: label,
            options: (other == nil ? [] : ["–"]) + options.map(\.words),
            weight: weight,
            chosen: { values.firstIndex(of: binding.wrappedValue).map { $0 + shift } ?? 0 },
            set: { option in
                if let other, option == 0 {
                    binding.wrappedValue = other
                } else if values.indices.contains(option - shift) {
                    binding.wrappedValue = values[option - shift]
                }
            }
        )
    }
}
