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
        language = try Self.language(invocation)
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

    /// The one asked for, else the person's own.
    private static func language(_ invocation: Invocation) throws(Problem) -> String? {
        guard let text = invocation.value("--language") else {
            let names = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { invocation.environment[$0] }
            let own = names.first { !$0.isEmpty }?.prefix { $0 != "." && $0 != "@" }
            return own.flatMap { isLanguage(String($0)) && $0 != "C" && $0 != "POSIX" ? String($0) : nil }
        }
        guard isLanguage(text) else {
            throw Problem(
                "usage.bad_language",
                "--language is “\(text)”, and wants a code such as ko or en_US.",
                help: "--language ko"
            )
        }
        return text
    }

    /// `ko`, `en_US`, `zh-Hant-TW`.
    private static func isLanguage(_ text: String) -> Bool {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard text.utf8.count <= 35, let first = parts.first, (2...3).contains(first.count) else {
            return false
        }
        let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte & 0xDF) }
        return first.utf8.allSatisfy(isLetter)
            && parts.dropFirst().allSatisfy { part in
                (1...8).contains(part.count)
                    && part.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
            }
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
