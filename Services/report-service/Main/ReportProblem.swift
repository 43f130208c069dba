import STContracts
import STExtensions
import STPlatform
import STReportCore

/// What an app's report did not become, in a code and a sentence: a phone shows a blank view for all of them.
enum ReportProblem {
    /// The host's problem with a call, in the words of a report.
    static func told(_ problem: Problem, _ job: RenderJob) -> Problem {
        var told = problem
        let what =
            job.context.map { "The report “\($0)” of \(job.name)" } ?? "The list of reports of \(job.name)"
        switch problem.code {
        case "extension.timed_out":
            let limit = Int64(problem.details["limit_ms"] ?? "") ?? 0
            told.message =
                "\(what) was not made within \(TextFormat.duration(ms: limit)). A sequence without an end in "
                + "makeConfiguration is a common reason; the time is report_ms of [report-service]."
        case "extension.over_memory":
            told.message = "\(what) was not made. \(problem.message)"
        case "extension.crashed":
            let end = problem.details["signal"] ?? "exit \(problem.details["status"] ?? "?")"
            told.message = "\(what) was not made: its extension ended with \(end). Its last lines say more."
        case "extension.too_large":
            let bytes = Int64(problem.details["bytes"] ?? "") ?? 0
            told.message =
                "\(what) is too large: \(TextFormat.bytes(bytes)) of at most "
                + "\(TextFormat.bytes(Int64(PageLimits.bytes))). Show less at once."
        case "extension.failed":
            // What the frameworks found wrong with a page before it was sent.
            guard let code = problem.details["code"], code.hasPrefix("page.") || code.hasPrefix("report.")
            else { break }
            told.code = code
            told.message = problem.details["said"] ?? problem.message
        default: break
        }
        if told.help == nil { told.help = "screentime app log \(job.app)" }
        return told
    }

    static func unknownContext(_ job: RenderJob, _ known: [String]) -> Problem {
        let context = job.context ?? ""
        let near = TextFormat.closest(to: context, in: known).map { " Did you mean “\($0)”?" } ?? ""
        let list = known.isEmpty ? "It makes none." : "There are: \(known.joined(separator: ", "))."
        return Problem(
            "report.unknown_context",
            "\(job.name) makes no report “\(context)”.\(near) \(list)",
            field: "/context",
            details: ["contexts": known.joined(separator: "\n")]
        )
    }

    static func nothing(_ job: RenderJob) -> Problem {
        Problem(
            "report.empty",
            "The report “\(job.context ?? "")” of \(job.name) answered nothing: its scene has no view to show. "
                + "On a phone it would be blank.",
            help: "screentime app log \(job.app)"
        )
    }

    static let garbage = Problem(
        "extension.garbage",
        "The extension's answer is not a report. Build it against this version's frameworks."
    )

    static let busy = Problem(
        "report.busy",
        "\(ReportLimits.renders) reports are being made already; ask again in a moment.",
        retryable: true
    )

    static let appBusy = Problem(
        "report.busy",
        "\(ReportLimits.rendersOfApp) reports of this app are being made already; ask again in a moment.",
        retryable: true
    )

    static let gone = Problem(
        "report.gone",
        "This report is not kept any more. Have it made again.",
        field: "/report"
    )

    static let noPiece = Problem("report.no_piece", "The report has no such piece.", field: "/piece")
}
