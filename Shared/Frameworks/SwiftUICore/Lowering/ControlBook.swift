import STContracts

/// What can be changed on a page, as it was found.
@MainActor
final class ControlBook {
    /// More of them are shown as they are.
    private static let controlsMax = 100

    /// Of those that can be changed, as whoever shows a page has it.
    private static let shownMax = 8

    @MainActor
    struct Entry {
        var request: ControlRequest
        /// What was chosen when it was found.
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

    /// Its number; the same in each evaluation.
    ///
    /// What can be chosen stays as it was found: numbers of options would mean something else otherwise.
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

    /// Keeps a place in their order for a control that has to look within itself first.
    func reserve(_ key: AnyHashable) {
        _ = register(
            key,
            ControlRequest(kind: .choice, label: "", options: [], weight: 0, chosen: { 0 }, set: { _ in })
        )
    }

    /// Those that somebody can change, of which all combinations together are not too many.
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
