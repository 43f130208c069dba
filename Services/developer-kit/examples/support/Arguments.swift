import DeviceActivity
import FamilyControls
import Foundation

/// The options of a command.
package struct Arguments: Equatable {
    private var values: [String: String] = [:]
    private var given: Set<String> = []

    /// Parses the arguments. `values` are options with a value, `flags` are options without one.
    package init(_ words: [String], flags: Set<String>, values known: Set<String>) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard flags.contains(name) || known.contains(name) else {
                let all = flags.union(known).sorted().joined(separator: " ")
                throw Refusal(.usage, "Unknown option \(name.prefix(40)). Options are: \(all)")
            }
            guard given.insert(name).inserted else {
                throw Refusal(.usage, "\(name) is given twice. Give it once")
            }
            guard known.contains(name) else {
                guard parts.count == 1 else {
                    throw Refusal(.usage, "\(name) takes no value. Leave out what follows it")
                }
                continue
            }
            guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                throw Refusal(.usage, "\(name) needs a value. See --help")
            }
            values[name] = value
        }
    }

    package var isEmpty: Bool { given.isEmpty }

    package func has(_ name: String) -> Bool { given.contains(name) }

    package subscript(name: String) -> String? { values[name] }
}

/// Apps, categories and sites by name, for example firefox, category:games or site:reddit.com.
package struct Choice: Equatable, Sendable {
    /// The maximum number of names, which is the limit of a shield on a phone.
    package static let namesMax = 50

    package private(set) var applications: [String] = []
    package private(set) var categories: [String] = []
    package private(set) var sites: [String] = []

    /// Parses names that are separated by commas or spaces.
    package init(_ text: String) throws {
        for name in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let last = String(parts[parts.count - 1])
            guard !last.isEmpty else {
                throw Refusal(.usage, "“\(name.prefix(40))” is not a name. Write it like: \(Self.example)")
            }
            switch (parts.count, parts[0]) {
            case (1, _), (2, "app"): Self.add(last, to: &applications)
            case (2, "category"): Self.add(last, to: &categories)
            case (2, "site"): Self.add(last, to: &sites)
            default:
                throw Refusal(
                    .usage,
                    "“\(name.prefix(40))” is not an app, category: or site:. Write it like: \(Self.example)"
                )
            }
        }
        guard !names.isEmpty else {
            throw Refusal(
                .usage,
                "Nothing is chosen. Name apps, categories or sites, such as: \(Self.example)"
            )
        }
        guard names.count <= Self.namesMax else {
            throw Refusal(
                .usage,
                "\(names.count) names are too many. Choose at most \(Self.namesMax), or a category"
            )
        }
    }

    /// The names in the format that `init` parses.
    package var names: [String] {
        applications + categories.map { "category:\($0)" } + sites.map { "site:\($0)" }
    }

    package static let example = "firefox,category:games,site:reddit.com"

    private static func add(_ name: String, to list: inout [String]) {
        if !list.contains(name) { list.append(name) }
    }
}

/// The reason why an app refuses a request.
package struct Refusal: LocalizedError, Equatable {
    package let status: ExitStatus
    /// A description of the problem and its solution.
    package let sentence: String

    package init(_ status: ExitStatus, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }

    package var errorDescription: String? { sentence }
}

/// The exit status of a command. The numbers are those of `screentime`.
package enum ExitStatus: Int32 {
    case no = 1
    case usage = 2
    case notRunning = 3
    case notAllowed = 4

    private static let absent: Set<String> = [
        "service.not_running", "service.unavailable", "deadline.exceeded",
    ]

    package init(_ error: any Error) {
        switch error {
        case let refusal as Refusal: self = refusal.status
        case DeviceActivityCenter.MonitoringError.unauthorized, FamilyControlsError.unauthorized,
            FamilyControlsError.restricted:
            self = .notAllowed
        case let problem as ScreenTimeProblem where Self.absent.contains(problem.code): self = .notRunning
        case FamilyControlsError.unavailable, FamilyControlsError.networkError: self = .notRunning
        default: self = .no
        }
    }
}
