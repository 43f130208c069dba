package import STContracts

/// The controls of a page, in the order of their registration.
@MainActor
final class ControlBook {
    /// The maximum number of registered controls. Further controls cannot be changed.
    private static let controlsMax = 100

    /// The maximum number of controls that can be changed on a page.
    private static let shownMax = 8

    @MainActor
    struct Entry {
        var request: ControlRequest
        /// The option that was chosen when the control was registered.
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

    /// Registers a control and returns its number, which is the same in each evaluation.
    ///
    /// The options of a control do not change after its registration, because their numbers would otherwise change their meaning.
    func register(_ key: AnyHashable, _ request: ControlRequest) -> Int? {
        if let id = ids[key] {
            // A picker has better names for the options than the tabs that it switches.
            if request.weight > entries[id].request.weight { entries[id] = Entry(request) }
            return id
        }
        guard entries.count < Self.controlsMax else { return nil }
        entries.append(Entry(request))
        ids[key] = entries.count - 1
        return entries.count - 1
    }

    /// Reserves a number for a control whose content is evaluated before its registration.
    func reserve(_ key: AnyHashable) {
        _ = register(
            key,
            ControlRequest(kind: .choice, label: "", options: [], weight: 0, chosen: { 0 }, set: { _ in })
        )
    }

    /// Returns the controls that can be changed. The number of their combinations does not exceed the variants of a page.
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

/// The description of a control that a view adds.
@MainActor
package struct ControlRequest {
    package var kind: PageControlKind
    package var label: String
    package var options: [String]
    /// The options that can be chosen. Each of them results in a variant of the page.
    package var choices: [Int]
    /// Returns the option that is currently chosen.
    package var chosen: () -> Int
    package var set: (Int) -> Void
    /// The priority of the control. If there are too many controls, those with a greater weight can be changed.
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
