/// Where the sources are.
enum SourceFolder {
    static func path(_ name: String, from file: String = #filePath) -> String {
        file.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/\(name)"
    }
}
