import STPlatform

/// Any error as what it says to a person.
enum ProblemLine {
    static func text(_ error: any Error) -> String {
        guard let problem = error as? Problem else { return "\(error)" }
        return problem.message + (problem.help.map { "\n  try: \($0)" } ?? "")
    }
}
