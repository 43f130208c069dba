import Glibc
import STPlatform

/// Where a report goes.
package struct ReportOutputs: Sendable, Equatable {
    /// Absolute paths, or `-` for standard output.
    package var html: String?
    package var png: String?
    package var svg: String?
    package var csv: String?
    package var isJSON: Bool
    package var isDark: Bool

    package init(_ invocation: Invocation) throws {
        html = try Self.path("--html", invocation, takesDash: true)
        png = try Self.path("--png", invocation, takesDash: false)
        svg = try Self.path("--svg", invocation, takesDash: false)
        csv = invocation.value("--csv") == "" ? "-" : try Self.path("--csv", invocation, takesDash: true)
        isJSON = invocation.wantsJSON
        isDark = invocation.has("--dark")
        try check(invocation)
    }

    package var files: [String] { [html, png, svg, csv].compactMap { $0 }.filter { $0 != "-" } }

    /// Whether a person looks at the terminal.
    package var isScreen: Bool { html == nil && png == nil && svg == nil && csv == nil && !isJSON }

    /// Whether somebody looks at it, on the terminal or in a file.
    package var makesPage: Bool { isScreen || html != nil || png != nil || svg != nil }

    private func check(_ invocation: Invocation) throws(Problem) {
        let onStandard = [
            isJSON ? "--json" : nil, csv == "-" ? "--csv" : nil, html == "-" ? "--html -" : nil,
        ]
        .compactMap { $0 }
        guard onStandard.count < 2 else {
            throw Problem(
                "usage.option_value",
                "\(onStandard.joined(separator: " and ")) would both go to standard output; give one of them a file.",
                help: "screentime report --csv report.csv"
            )
        }
        guard Set(files.map(Self.resolved)).count == files.count else {
            throw Problem(
                "usage.option_value",
                "Two outputs have the same file; give each its own.",
                help: "screentime report --html report.html --png report.png"
            )
        }
        if isDark, png == nil, svg == nil {
            throw Problem(
                "usage.option_value",
                "--dark is about a picture, and HTML is as its reader has it; say with --png or --svg where it goes.",
                help: "screentime report --png report.png --dark"
            )
        }
        if invocation.has("--follow"),
            let option = ["--png", "--svg", "--csv"].first(where: { invocation.has($0) })
        {
            throw Problem(
                "usage.option_value",
                "--follow goes on for as long as somebody looks, on a terminal, as --json or in an --html file; "
                    + "\(option) is made once.",
                help: "screentime report --follow --html report.html"
            )
        }
        if html == "-", invocation.has("--follow") {
            throw Problem(
                "usage.option_value",
                "--follow writes a page again and again, which needs a file.",
                help: "screentime report --follow --html report.html"
            )
        }
    }

    private static func path(_ option: String, _ invocation: Invocation, takesDash: Bool) throws(Problem)
        -> String?
    {
        guard let text = invocation.value(option) else { return nil }
        if takesDash, text == "-" { return text }
        guard !text.isEmpty, text != "-", !text.hasSuffix("/") else {
            throw Problem(
                "usage.option_value",
                "\(option) wants the name of a file.",
                help: "screentime report \(option) report.\(option.dropFirst(2))"
            )
        }
        let path = try absolute(text)
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        var about = stat()
        guard stat(folder.isEmpty ? "/" : folder, &about) == 0, about.st_mode & S_IFMT == S_IFDIR else {
            throw Problem(
                "usage.no_folder",
                "\(option) is “\(text)”, and there is no folder \(folder). Make it first.",
                help: "mkdir -p \(folder)"
            )
        }
        if stat(path, &about) == 0, about.st_mode & S_IFMT == S_IFDIR {
            throw Problem(
                "usage.option_value",
                "\(option) is “\(text)”, which is a folder; name a file in it.",
                help: "screentime report \(option) \(text)/report.\(option.dropFirst(2))"
            )
        }
        return path
    }

    /// The same for two ways of naming one file.
    private static func resolved(_ path: String) -> String {
        func real(_ path: String) -> String? {
            guard let text = realpath(path, nil) else { return nil }
            defer { free(text) }
            return String(cString: text)
        }
        if let whole = real(path) { return whole }
        // What is still to be written lies in a folder that is there.
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (real(folder) ?? folder) + "/" + path[slash...].drop { $0 == "/" }
    }

    private static func absolute(_ text: String) throws(Problem) -> String {
        if text.hasPrefix("/") { return text }
        guard let folder = getcwd(nil, 0) else { throw SystemError.last("getcwd") }
        defer { free(folder) }
        return String(cString: folder) + "/" + text
    }
}
