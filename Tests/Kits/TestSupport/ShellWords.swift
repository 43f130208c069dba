extension String {
    /// Splits as a shell does, as far as examples and advice need it.
    package var shellWords: [String] {
        split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
    }
}
