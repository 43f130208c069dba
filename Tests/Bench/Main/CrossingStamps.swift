import STPlatform
import STTestSupport

/// The callbacks, as the extensions themselves wrote them down.
struct CrossingStamps {
    struct Callback {
        var us: Int64
        /// Whether the process had a call before.
        var isWarm: Bool
        var member: String
        var event: String
    }

    private(set) var callbacks: [Callback] = []

    /// Lines of `microseconds pid activity event`, where the activity is called like the person.
    init(_ path: String) {
        var known: Set<Substring> = []
        for line in ScratchDirectory.text(path).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 4, let us = Int64(words[0]) else { continue }
            callbacks.append(
                Callback(
                    us: us,
                    isWarm: !known.insert(words[1]).inserted,
                    member: String(words[2]),
                    event: String(words[3])
                )
            )
        }
    }

    var crossings: [Callback] { callbacks.filter { $0.event != "-" } }
}
