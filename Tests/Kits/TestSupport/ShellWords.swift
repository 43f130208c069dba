extension String {
    /// The words of a shell command, with as much of its syntax as examples and advice need.
    package var shellWords: [String] {
        split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
    }
}
