package import STContracts

/// The controls of a page, in the order in which they were found.
@MainActor
final class ControlBook {
    /// Further controls cannot be changed.
    private static let controlsMax = 100

    /// The number of controls that a page may have.
    private static let shownMax = 8

    @MainActor
    struct Entry {
        var request: ControlRequest
        /// The option chosen when the control was found.
        var first: Int

        init(_ request: ControlRequest) {
            self.request = request
            let chosen = request.chosen()
            let choices = request.choices
            first = choices.contains(chosen) ? chosen : choices.last { $0 < chosen } ?? choices.first ?? 0
        }
    }

    private(set) var entries: [Entry] = []
    private var ids: [AnyHashable: Int] = [:]

    /// Returns the control's number, which is the same in each evaluation.
    ///
    /// The options stay as they were found; otherwise their numbers would change meaning.
    func register(_ key: AnyHashable, _ request: ControlRequest) -> Int? {
        if let id = ids[key] {
            // A picker knows better than the tabs it switches what the choices are called.
            if request.weight > entries[id].request.weight { entries[id] = Entry(request) }
            return id
        }
        guard entries.count < Self.controlsMax else { return nil }
        entries.append(Entry(request))
        ids[key] = entries.count - 1
        return entries.count - 1
    }

    /// Keeps a place in the order for a control that evaluates its content first.
    func reserve(_ key: AnyHashable) {
        _ = register(
            key,
            ControlRequest(kind: .choice, label: "", options: [], weight: 0, chosen: { 0 }, set: { _ in })
        )
    }

    /// The controls that can be changed: as many as have no more combinations than a page may have variants.
    func active(atMost count: Int) -> [Int] {
        let order = entries.indices.sorted {
            (-entries[$0].request.weight, $0) < (-entries[$1].request.weight, $1)
        }
        var taken: [Int] = []
        var combinations = 1
        for id in order where entries[id].request.choices.count > 1 && taken.count < min(count, Self.shownMax)
        {
            let more = combinations * entries[id].request.choices.count
            guard more <= PageLimits.variants else { continue }
            combinations = more
            taken.append(id)
        }
        return taken.sorted()
    }
}

/// What a view asks for when it adds a control.
@MainActor
package struct ControlRequest {
    package var kind: PageControlKind
    package var label: String
    package var options: [String]
    /// The options that can be chosen; each makes a variant of the page.
    package var choices: [Int]
    /// The option chosen now.
    package var chosen: () -> Int
    package var set: (Int) -> Void
    /// When there are too many controls, those with more weight stay.
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
