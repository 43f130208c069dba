import STPlatform

/// Why there is no report, where a phone shows a blank view.
enum ReportProblem {
    private static let namesMost = 20

    static let noScenes = Problem(
        "report.no_scenes",
        "The extension has no reports: the body of its DeviceActivityReportExtension is empty. Add a scene for each"
            + " report to it."
    )

    static func noContext(_ known: [String]) -> Problem {
        Problem("report.no_context", "The call does not say which report is meant. \(list(known))")
    }

    static func unknownContext(_ context: String, _ known: [String]) -> Problem {
        let near = TextFormat.closest(to: context, in: known).map { " Did you mean “\($0)”?" } ?? ""
        return Problem(
            "report.unknown_context",
            "The extension has no report “\(context.prefix(80))”.\(near) \(list(known))",
            field: "/context"
        )
    }

    static func contextTwice(_ context: String, _ count: Int) -> Problem {
        Problem(
            "report.context_twice",
            "\(count) scenes of the extension have the context “\(context.prefix(80))”, so it is not clear which one"
                + " makes the report. Give each scene a context of its own.",
            field: "/context"
        )
    }

    static func empty(_ context: String) -> Problem {
        Problem(
            "report.empty",
            "There is nothing to be seen in the report “\(context.prefix(80))”: its view is empty for what the filter"
                + " matches. Show a text when there is no data."
        )
    }

    private static func list(_ known: [String]) -> String {
        let names = known.prefix(namesMost).map { "“\($0.prefix(80))”" }.joined(separator: ", ")
        let more = known.count > namesMost ? " and \(known.count - namesMost) more" : ""
        return "There are: \(names)\(more)."
    }
}
