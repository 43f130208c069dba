import STPlatform

extension ServiceSpec {
    /// More is a mistake in a list, not a system.
    private static let countMax = 64

    /// Refuses names that cannot be file names, doubles, unknown predecessors and circles.
    static func check(_ specs: [ServiceSpec]) throws(Problem) {
        guard specs.count <= countMax else {
            throw bad("\(specs.count) services are more than \(countMax); run fewer")
        }
        var names: Set<String> = []
        for spec in specs {
            guard isName(spec.name), spec.name != "supervisor" else {
                throw bad("“\(spec.name)” cannot name a service; use up to 40 of a-z, 0-9 and -")
            }
            guard names.insert(spec.name).inserted else {
                throw bad("two services are named \(spec.name); rename one")
            }
        }
        for spec in specs {
            for other in spec.startAfter where !names.contains(other) {
                let near =
                    TextFormat.closest(to: other, in: names.sorted()).map { "; did you mean \($0)?" } ?? ""
                throw bad("\(spec.name) starts after \(other), which is not among the services\(near)")
            }
        }
        try checkCircles(specs)
    }

    private static func checkCircles(_ specs: [ServiceSpec]) throws(Problem) {
        var left = specs
        while !left.isEmpty {
            let names = Set(left.map(\.name))
            let blocked = left.filter { !names.isDisjoint(with: $0.startAfter) }
            guard blocked.count < left.count else {
                throw bad(
                    "\(names.sorted().joined(separator: ", ")) wait for each other; remove one startAfter"
                )
            }
            left = blocked
        }
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 40 && !name.hasPrefix("-")
            && name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }

    private static func bad(_ message: String) -> Problem { Problem("supervisor.bad_spec", message) }
}
