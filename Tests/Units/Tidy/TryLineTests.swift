import Foundation
import STCommandCore
import STPlatform
import STTestSupport
import Testing

@Suite("Commands that messages suggest")
struct TryLineTests {
    /// Commands in the text of a source file: from `screentime` to the end of the literal or of its backquotes.
    static func lines(in text: String) -> [String] {
        var found: [String] = []
        // A literal of several lines is one text.
        for row in text.replacing(/\\\n */, with: "").split(separator: "\n")
        where !row.drop(while: { $0 == " " }).hasPrefix("//") {
            var rest = row[...]
            while let start = ["\"screentime ", "`screentime ", ": screentime "].compactMap({
                rest.firstRange(of: $0)
            })
            .min(by: { $0.lowerBound < $1.lowerBound }) {
                let isQuoted = rest[start.lowerBound] == "`"
                rest = rest[rest.index(start.lowerBound, offsetBy: rest[start.lowerBound] == ":" ? 2 : 1)...]
                var line = ""
                var depth = 0
                var isEscape = false
                while let character = rest.popFirst() {
                    if isEscape {
                        isEscape = false
                        if character == "(" { depth = 1 } else { line.append(character) }
                    } else if depth > 0 {
                        if character == "(" { depth += 1 }
                        if character == ")" { depth -= 1 }
                        // An interpolation counts as one word.
                        if depth == 0 { line += "word" }
                    } else if character == "\\" {
                        isEscape = true
                    } else if character == "\"" || isQuoted && character == "`" {
                        break
                    } else {
                        line.append(character)
                    }
                }
                found.append(line)
            }
        }
        return found
    }

    /// The fault of a command line, or nil if the grammar accepts it as far as it is written.
    private static func fault(_ line: Substring) -> (any Error)? {
        // Also the placeholders of translations.
        let line = line.replacing(/\{\w+\*?\}/, with: "word")
        let arguments = String(line.drop { $0 != " " }).shellWords
        // The command itself is an interpolation.
        guard arguments.prefix(2).allSatisfy({ !$0.contains("word") }) else { return nil }
        do {
            _ = try CommandLineParser.parse(arguments)
            return nil
        } catch let problem where problem.code == "usage.subject_missing" {
            // The beginning of a command, to which subjects are added.
            return nil
        } catch let problem where problem.code == "usage.option_value" && line.hasSuffix(" --only") {
            return nil
        } catch let problem where problem.code == "usage.subject_extra" && line.contains("word") {
            // The interpolation is an option.
            return nil
        } catch {
            return error
        }
    }

    @Test("Every suggested command is accepted by the grammar")
    func lines() throws {
        var checked = 0
        let languages = try SourceTree.here.files(["deploy/languages"], ending: ".po")
        for file in try SourceTree.here.product() + languages {
            for line in Self.lines(in: file.text) {
                for part in line.components(separatedBy: " && ")
                where part.hasPrefix("screentime ") && !part.contains("u{") {
                    // A sentence may continue after the command.
                    let typed = part.split(separator: /( > |\. |, |: |;| \(| 또는)/)[0]
                    checked += 1
                    if let fault = Self.fault(typed) { Issue.record("\(file.path): “\(typed)”: \(fault)") }
                }
            }
        }
        #expect(checked > 200)
        #expect(Self.fault("screentime limit ad firefox 30m") != nil)
    }
}
