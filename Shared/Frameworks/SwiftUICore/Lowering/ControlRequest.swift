package import STContracts

/// Something on a page that can be changed.
@MainActor
package struct ControlRequest {
    package var kind: PageControlKind
    package var label: String
    package var options: [String]
    /// Which option is the one of now.
    package var chosen: () -> Int
    package var set: (Int) -> Void
    /// When there are too many, those with more stay.
    package var weight: Int

    package init(
        kind: PageControlKind,
        label: String,
        options: [String],
        weight: Int = 1,
        chosen: @escaping () -> Int,
        set: @escaping (Int) -> Void
    ) {
        self.kind = kind
        self.label = label
        self.options = options
        self.weight = weight
        self.chosen = chosen
        self.set = set
    }
}
