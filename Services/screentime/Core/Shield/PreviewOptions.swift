import Glibc
import STContracts
import STPlatform

/// What `shield preview` was asked for, checked.
struct PreviewOptions {
    let subject: TokenItem
    let language: String?
    let appearance: DrawAppearance
    let width: Int
    let height: Int
    /// Absolute; nil when no picture is wanted.
    let png: String?

    private static let line = "screentime shield preview"
    private static let sizeDefault = (width: 1280, height: 800)

    init(_ invocation: Invocation) throws {
        subject = try Self.subject(invocation.subjects[0])
        language = try LanguageOption.read(invocation)
        guard !(invocation.has("--dark") && invocation.has("--light")) else {
            throw Problem(
                "usage.option_value",
                "A picture is dark or light; name one of --dark and --light.",
                help: "\(Self.line) \(invocation.subjects[0]) --dark"
            )
        }
        appearance = invocation.has("--dark") ? .dark : .light
        (width, height) = try Self.size(invocation.value("--size"))
        png = try Self.path(invocation.value("--png"))
        let forPictures = ["--size", "--dark", "--light"].first { invocation.has($0) }
        if png == nil, let option = forPictures {
            throw Problem(
                "usage.option_value",
                "\(option) is about a picture; say with --png where it goes.",
                help: "\(Self.line) \(invocation.subjects[0]) --png shield.png"
            )
        }
    }

    private static func subject(_ word: String) throws -> TokenItem {
        let items = try SubjectReader.items([word], after: line)
        guard let item = items.first, item.kind == .application || item.kind == .domain else {
            throw Problem(
                "usage.bad_subject",
                "A shield stands before an app or a site; name one of them.",
                help: "\(line) firefox"
            )
        }
        return item
    }

    private static func size(_ text: String?) throws(Problem) -> (Int, Int) {
        guard let text else { return sizeDefault }
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        let range = DrawLimits.sideMin...DrawLimits.sideMax
        guard sides.count == 2, let width = sides[0], let height = sides[1], range.contains(width),
            range.contains(height), width * height <= DrawLimits.pixelsMax
        else {
            throw Problem(
                "usage.bad_size",
                "--size is “\(text)”, and wants WIDTHxHEIGHT, each from \(range.lowerBound) to "
                    + "\(range.upperBound) pixels "
                    + "and not more than \(DrawLimits.pixelsMax / 1_000_000) million together.",
                help: "--size 1280x800"
            )
        }
        return (width, height)
    }

    private static func path(_ text: String?) throws(Problem) -> String? {
        guard let text else { return nil }
        guard !text.isEmpty, text != "-", !text.hasSuffix("/") else {
            throw Problem("usage.option_value", "--png wants the name of a file.", help: "--png shield.png")
        }
        if text.hasPrefix("/") { return text }
        guard let folder = getcwd(nil, 0) else { throw SystemError.last("getcwd") }
        defer { free(folder) }
        return String(cString: folder) + "/" + text
    }
}
