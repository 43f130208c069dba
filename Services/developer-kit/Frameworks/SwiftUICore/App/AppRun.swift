import Foundation
import Glibc
import STClientLink
import STContracts
import STPlatform
import STRendering

/// One run of an app of views.
@MainActor
enum AppRun {
    static func run<A: App>(_ app: A) async {
        do {
            let environment = ProcessEnvironment.current()
            let words = Array(CommandLine.arguments.dropFirst())
            let options = try AppOptions(words, environment: environment)
            let zone = TimeZone.current.identifier
            var page = try await PageBuilder.page(
                of: AppView(app: app),
                language: options.language,
                zone: zone
            )
            let reports = PageReports(.current, language: options.language)
            page = try await reports.page(page)
            try show(page, options: options, environment: environment)
        } catch {
            let problem = error as? Problem
            let text = problem.map { "\($0.message) [\($0.code)]" } ?? "\(error)"
            FileHandle.standardError.write(Data((text + "\n").utf8))
            exit(problem?.code.hasPrefix("usage.") == true ? 2 : 1)
        }
    }

    static func show(_ page: Page, options: AppOptions, environment: [String: String]) throws {
        let chosen = try chosen(page, options.select)
        if options.isJSON { return write(try page.encodedBody() + [UInt8(ascii: "\n")]) }
        if let path = options.html {
            let html = PageHTML.document(page, HTMLOptions(chosen: chosen))
            // The file is readable only by its owner, because a person's use is private.
            try AtomicFile.write(Array(html.utf8), to: path, mode: 0o600, durable: false)
            return
        }
        let isTerminal = isatty(STDOUT_FILENO) == 1
        var size = winsize()
        let isSized = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let lines = PageTerminal.lines(
            page,
            columns: isSized ? Int(size.ws_col) : 100,
            colour: isTerminal && environment["NO_COLOR", default: ""].isEmpty,
            language: options.language,
            chosen: chosen
        )
        write(Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    /// Returns the initial options of the page, with those that the command line selects.
    private static func chosen(_ page: Page, _ labels: [String]) throws(Problem) -> [Int] {
        var chosen = page.controls.map(\.chosen)
        for label in labels {
            let found = page.controls.indices.lazy.compactMap { place in
                options(page, place).first { page.controls[place].options[$0] == label }.map { (place, $0) }
            }
            guard let (place, option) = found.first else {
                let names = page.controls.indices.flatMap { place in
                    options(page, place).map { page.controls[place].options[$0] }
                }
                let all = names.filter { !$0.isEmpty }.joined(separator: ", ")
                throw Problem(
                    "usage.unknown_choice",
                    text: all.isEmpty
                        ? Message("usage.unknown_choice.has-no-choices", "This page has no choices.")
                        : Message(
                            "usage.unknown_choice",
                            "Unknown choice \(label.prefix(40), "choice"). Valid choices: \(all, "choices")."
                        )
                )
            }
            chosen[place] = option
        }
        return chosen
    }

    /// Returns the options of a control for which the page has a variant.
    private static func options(_ page: Page, _ place: Int) -> [Int] {
        Set(page.variants.map { $0.chosen[place] }).sorted()
    }

    private static func write(_ bytes: [UInt8]) { FileHandle.standardOutput.write(Data(bytes)) }
}

/// The command line of an app of views.
struct AppOptions: Equatable {
    var html: String?
    var isJSON = false
    var language: String
    /// The labels of the options to select on the page.
    var select: [String] = []

    init(_ words: [String], environment: [String: String]) throws(Problem) {
        language = Self.code(SessionLanguage.tag(environment) ?? "")
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--json": isJSON = true
            case "--html": html = try Self.value(word, &rest)
            case "--language": language = Self.code(try Self.value(word, &rest))
            case "--select": select.append(try Self.value(word, &rest))
            default:
                throw Problem(
                    "usage.unknown_option",
                    """
                    Unknown option \(word.prefix(40), "word"). Valid options: --html FILE, --json, \
                    --language CODE, --select LABEL.
                    """
                )
            }
        }
    }

    private static func value(_ option: String, _ rest: inout ArraySlice<String>) throws(Problem) -> String {
        guard let value = rest.popFirst(), !value.isEmpty else {
            throw Problem("usage.value_missing", "\(option, "option") needs a value.")
        }
        return value
    }

    /// Returns the language code, for example `ko` for `ko_KR.UTF-8`. Returns `en` if the name contains no language.
    private static func code(_ name: String) -> String {
        let code = String(name.prefix { $0.isLetter && $0.isASCII })
        return code.isEmpty || code == "C" || code == "POSIX" ? "en" : code.lowercased()
    }
}
