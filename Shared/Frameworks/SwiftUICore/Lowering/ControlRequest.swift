package import STContracts

/// Something on a page that can be changed.
@MainActor
package struct ControlRequest {
    package var kind: PageControlKind
    package var label: String
    package var options: [String]
    /// Those options of which each makes a page of its own; the others cannot be chosen.
    package var choices: [Int]
    /// Which option is the one of now.
    package var chosen: () -> Int
    package var set: (Int) -> Void
    /// When there are too many, those with more stay.
    package var weight: Int

    package init(
        kind: PageControlKind,
        label: String,
        options: [String],
        choices: [Int]? = nil,
        weight: Int = 1,
        chosen: @escaping () -> Int,
        set: @escaping (Int) -> Void
    ) {
        self.kind = kind
        self.label = label
        self.options = options
        self.choices = choices ?? Array(options.indices)
        self.weight = weight
        self.chosen = chosen
        self.set = set
    }
}
