import STContracts

/// One drawing that was asked for, checked.
protocol Job {
    /// Where it goes.
    var output: String { get }

    func run() throws -> JobDone
}

/// What is to be said of a drawing that is done.
struct JobDone {
    var answer: any WireBody
    /// The same for one of many.
    var stay: DrawStayAnswer
    /// Where the picture is, so that the answer has no place there.
    var isOnStandardOutput: Bool
}
