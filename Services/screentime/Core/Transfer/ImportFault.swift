import STPlatform

/// What is wrong with a line of a file.
enum ImportFault {
    static func problem(_ code: String, _ line: Int64, _ text: String) -> Problem {
        Problem(code, "Line \(line): \(text)", details: ["line": String(line)])
    }

    /// What a service says about something that a line brought.
    static func located(_ problem: Problem, _ line: Int64) -> Problem {
        var problem = problem
        problem.message = "Line \(line): \(problem.message)"
        problem.details["line"] = String(line)
        problem.field = nil
        return problem
    }
}
