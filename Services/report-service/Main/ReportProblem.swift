import STContracts
import STExtensions
import STPlatform
import STReportCore

/// The reasons why an app's report cannot be shown, with code and sentence. A phone shows a blank view for all of them.
enum ReportProblem {
    /// Returns the host's problem with a call, in terms of the report.
    static func appFailure(_ problem: Problem, _ job: RenderJob) -> Problem {
        var told = problem
        let what =
            job.context.map {
                Message("report.the-report-of", "The report “\($0, "context")” of \(job.name, "app")")
            } ?? Message("report.the-list-of", "The list of reports of \(job.name, "app")")
        switch problem.code {
        case "extension.timed_out":
            let limit = Int64(problem.details["limit_ms"] ?? "") ?? 0
            told.text = Message(
                "extension.timed_out.of-a-report",
                """
                \(what, "report") was not created within \(MessageValue.duration(ms: limit), "time"). A \
                common reason is an endless sequence in makeConfiguration. The time limit is the setting \
                report_ms in [report-service].
                """
            )
        case "extension.over_memory":
            told.text = Message(
                "extension.over_memory.of-a-report",
                "\(what, "report") was not created. \(problem.text, "problem")"
            )
        case "extension.crashed":
            let end = problem.details["signal"] ?? "exit \(problem.details["status"] ?? "?")"
            told.text = Message(
                "extension.crashed.of-a-report",
                """
                \(what, "report") was not created: its extension ended with \(end, "end"). Its last lines of \
                output may show the cause.
                """
            )
        case "extension.too_large":
            let bytes = Int64(problem.details["bytes"] ?? "") ?? 0
            let most = TextFormat.bytes(Int64(PageLimits.bytes))
            told.text = Message(
                "extension.too_large.of-a-report",
                """
                \(what, "report") is too large (\(TextFormat.bytes(bytes), "bytes"); the limit is \
                \(most, "most")). Show less in one report.
                """
            )
        case "extension.failed":
            // The frameworks found a fault in the page before sending it.
            guard let code = problem.details["code"], code.hasPrefix("page.") || code.hasPrefix("report.")
            else { break }
            told.code = code
            if let said = problem.details["said"] { told.text = Message(verbatim: said) }
        default: break
        }
        if told.help == nil { told.help = "screentime app log \(job.app)" }
        return told
    }

    static func unknownContext(_ job: RenderJob, _ known: [String]) -> Problem {
        let context = job.context ?? ""
        let list = known.joined(separator: ", ")
        let near = TextFormat.closest(to: context, in: known).map {
            Message(
                "report.unknown_context.did-you-mean",
                "\(job.name, "app") offers no report “\(context, "report")”. Did you mean “\($0, "near")”?"
            )
        }
        let text =
            near
            ?? (known.isEmpty
                ? Message("report.unknown_context.no-reports", "\(job.name, "app") offers no reports.")
                : Message(
                    "report.unknown_context.others",
                    "\(job.name, "app") offers no report “\(context, "report")”. Its reports: \(list, "reports")."
                ))
        return Problem(
            "report.unknown_context",
            text: text,
            field: "/context",
            details: ["contexts": known.joined(separator: "\n")]
        )
    }

    static func nothing(_ job: RenderJob) -> Problem {
        let context = job.context ?? ""
        return Problem(
            "report.empty",
            """
            The report “\(context, "context")” of \(job.name, "app") is empty: its scene has no view to \
            show. On a phone it would be blank.
            """,
            key: "report.empty.answered-nothing",
            help: "screentime app log \(job.app)"
        )
    }

    static let invalidReply = Problem(
        "extension.garbage",
        """
        The extension's reply is not a report. Rebuild the extension with the frameworks of the installed \
        version of Screen Time.
        """,
        key: "extension.garbage.the-extensions-answer"
    )

    static let busy = Problem(
        "report.busy",
        "\(ReportLimits.renders, "most") reports are already being created. Try again in a moment.",
        retryable: true
    )

    static let appBusy = Problem(
        "report.busy",
        "\(ReportLimits.rendersOfApp, "most") reports of this app are already being created. Try again in a moment.",
        key: "report.busy.reports-of-this",
        retryable: true
    )

    static let gone = Problem(
        "report.gone",
        "This report is no longer stored. Request it again.",
        field: "/report"
    )

    static let noPiece = Problem(
        "report.no_piece",
        """
        The report does not contain the requested piece.
        """,
        field: "/piece"
    )
}
