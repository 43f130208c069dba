import STContracts
import STPlatform

/// The ways in which an extension can fail, each with its code and a remedy.
///
/// `retryable` is true if the same call may succeed when it is repeated.
package enum ExtensionProblem {
    static func notStarted(_ problem: Problem, executable: String) -> Problem {
        switch problem.details["errno"] {
        case "2":
            Problem(
                "extension.missing",
                "\(executable, "executable") does not exist. Install the app again, or put the file back.",
                details: ["executable": executable]
            )
        case "13":
            Problem(
                "extension.not_executable",
                """
                Screen Time is not permitted to run \(executable, "executable"). Make the file executable \
                and its folders readable.
                """,
                help: "chmod +x \(executable)",
                details: ["executable": executable]
            )
        case "8":
            Problem(
                "extension.not_executable",
                "\(executable, "executable") is not a program for this machine. Build it for Linux on this processor.",
                key: "extension.not_executable.is-not-a",
                details: ["executable": executable]
            )
        default:
            Problem(
                "extension.not_started",
                text: problem.text,
                retryable: problem.retryable,
                details: problem.details
            )
        }
    }

    static func crashed(_ status: ExitStatus, _ moment: Moment) -> Problem {
        var details = ["moment": moment.rawValue]
        switch status {
        case .exited(let code): details["status"] = String(code)
        case .signaled(let signal): details["signal"] = Signals.name(signal)
        }
        let text =
            switch moment {
            case .start:
                Message(
                    "extension.crashed.before-ready",
                    """
                    The extension ended unexpectedly before it was ready (\(status, "status")). See its last \
                    lines of output. To attach a debugger, use `app debug`.
                    """
                )
            case .call:
                Message(
                    "extension.crashed.during-callback",
                    """
                    The extension ended unexpectedly during the callback (\(status, "status")). See its last \
                    lines of output. To attach a debugger, use `app debug`.
                    """
                )
            case .idle:
                Message(
                    "extension.crashed.between-callbacks",
                    """
                    The extension ended unexpectedly between callbacks (\(status, "status")). See its last \
                    lines of output. To attach a debugger, use `app debug`.
                    """
                )
            }
        return Problem("extension.crashed", text: text, retryable: true, details: details)
    }

    /// The moment of a crash.
    enum Moment: String {
        case start, call, idle
    }

    static func notReady(limit: Duration) -> Problem {
        Problem(
            "extension.not_ready",
            """
            The extension was started and sent nothing for \(seconds(limit.ms), "seconds"). Its entry point \
            must be ExtensionMain.run { … }.
            """,
            retryable: true,
            details: ["limit_ms": String(limit.ms)]
        )
    }

    /// The host's line about work that was cut off.
    static let unfinishedWorkText =
        "The callback has returned; what it had begun besides was cut off, as on a phone."

    static func timedOut(limit: Duration, hasReturned: Bool) -> Problem {
        Problem(
            "extension.timed_out",
            text: hasReturned
                ? Message(
                    "extension.timed_out.the-callback-returned",
                    """
                    The callback returned, but the work that it started was not finished after \
                    \(seconds(limit.ms), "time").
                    """
                )
                : Message(
                    "extension.timed_out",
                    "The callback did not return within \(seconds(limit.ms), "time")."
                ),
            retryable: true,
            details: ["limit_ms": String(limit.ms), "returned": hasReturned ? "true" : "false"]
        )
    }

    static func overMemory(bytes: Int64, limit: Int64) -> Problem {
        Problem(
            "extension.over_memory",
            """
            The extension used \(megabytes(bytes), "megabytes") of private memory; \
            \(megabytes(limit), "megabytes2") are allowed. Load less data at a time. A phone would also have \
            ended the extension.
            """,
            details: ["bytes": String(bytes), "limit_bytes": String(limit)]
        )
    }

    static func overOutput(bytes: Int64, limit: Int64) -> Problem {
        Problem(
            "extension.over_output",
            """
            The extension wrote more than \(limit / 1024, "most") KiB in one callback. Write less, or write \
            to a separate file.
            """,
            details: ["bytes": String(bytes), "limit_bytes": String(limit)]
        )
    }

    static func badProtocol(_ reason: Message, details: [String: String] = [:]) -> Problem {
        Problem("extension.bad_protocol", text: reason, details: details)
    }

    static func malformedMessage(_ what: Message) -> Problem {
        Problem(
            "extension.garbage",
            """
            The extension sent \(what, "what"), which this host cannot read. Build it against this \
            version's frameworks.
            """,
            key: "extension.garbage.the-extension-sent"
        )
    }

    static func tooLarge(bytes: Int, limit: Int) -> Problem {
        Problem(
            "extension.too_large",
            """
            The extension answered with \(bytes / 1024, "bytes") KiB; \(limit / 1024, "most") KiB are \
            allowed. Make its pictures smaller.
            """,
            details: ["bytes": String(bytes), "limit_bytes": String(limit)]
        )
    }

    /// The host ended the extension for its own reason, for example because the service stops.
    static let interrupted = Problem(
        "extension.interrupted",
        "The host is stopping, so it ended the extension. The host repeats the callback later.",
        retryable: true
    )

    /// With a network, a report could send the data of a person's day to another computer.
    static func noIsolation(_ reason: String) -> Problem {
        Problem(
            "extension.no_isolation",
            """
            The kernel could not block network access for this extension (\(reason, "reason")), so it is not \
            run. To run such extensions anyway, set may_have_network = 1 in [report-service].
            """,
            details: ["reason": reason]
        )
    }

    static let abandoned = Problem(
        "extension.abandoned",
        "The caller stopped waiting before the callback's turn came, so the callback was not started.",
        retryable: true
    )

    static let busy = Problem(
        "extension.busy",
        "Too many callbacks are already waiting for this extension. Try again in a moment.",
        retryable: true
    )

    static func routeRefused(_ route: String, _ point: ExtensionPoint) -> Problem {
        let known = point.routes.sorted().joined(separator: ", ")
        return Problem(
            "access.denied",
            text: known.isEmpty
                ? Message(
                    "access.denied.an-extension-may-not-ask",
                    "An extension of \(point, "point") may not send requests to any service."
                )
                : Message(
                    "access.denied.an-extension-may-not-call",
                    """
                    An extension of \(point, "point") may not call \(route, "route"). It may call: \
                    \(known, "known").
                    """
                ),
            details: ["route": route]
        )
    }

    private static func seconds(_ ms: Int64) -> String {
        ms % 1000 == 0 ? "\(ms / 1000) s" : "\(ms) ms"
    }

    package static func megabytes(_ bytes: Int64) -> String {
        let tenths = (bytes * 10 + (1 << 19)) >> 20
        return tenths % 10 == 0 ? "\(tenths / 10) MB" : "\(tenths / 10).\(tenths % 10) MB"
    }
}
