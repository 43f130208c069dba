import STContracts
import STPlatform

/// What can go wrong between a program and the services.
enum LinkProblem {
    static let tooLarge = Problem(
        "frame.too_large",
        "The request is larger than \(BusLimits.requestBodyBytes) bytes. Choose fewer things at a time."
    )

    static let noHost = Problem("extension.no_host", "The host of this extension is gone.")

    static let unreadable = Problem("reply.invalid", "The answer could not be read.")

    static func late(_ route: String) -> Problem {
        Problem("deadline.exceeded", "\(route) was not answered in time.", retryable: true)
    }

    static func notRunning(_ service: ServiceName) -> Problem {
        Problem(
            "service.not_running",
            "\(service) does not run.",
            retryable: true,
            help: "screentime system up"
        )
    }

    static func of(_ error: any Error) -> Problem { (error as? Problem) ?? Problem("internal", "\(error)") }
}
