import Glibc
import STContracts
import STDomain
import STPlatform

/// `screentime category add LIST --from FILE --to CATEGORY`.
enum DomainListUpload {
    private static let fileBytesMax = 16 * 1024 * 1024
    /// Upper bound on the names in one request. The rest is room for the other fields.
    private static let requestBytes = BusLimits.requestBodyBytes - 16 * 1024

    static func add(_ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.subjects[0]
        let example = "screentime category add \(name) --from hosts.txt --to games"
        guard let path = invocation.value("--from"), let category = invocation.value("--to") else {
            throw Problem(
                "usage.option_missing",
                "Specify the file of sites with --from, and their category with --to.",
                key: "usage.option_missing.say-with-from",
                help: example
            )
        }
        let bytes = try AtomicFile.read(path == "-" ? "/dev/stdin" : path, limitBytes: fileBytesMax)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem("category.bad_file", "\(path, "path") is not a text file.", help: example)
        }
        let file = DomainListFile(text)
        guard !file.domains.isEmpty else {
            let bad =
                file.firstBad.map { " Line \($0.number) is “\(DisplayWidth.sanitized($0.text))”." } ?? ""
            throw Problem(
                "category.bad_file",
                "\(path, "path") contains no sites.\(bad, "bad")",
                key: "category.bad_file.has-no-site",
                help: example
            )
        }
        guard file.domains.count <= DomainLists.domainsMax else {
            throw Problem(
                "category.too_many",
                """
                \(path, "path") contains \(file.domains.count, "count") sites, but all lists together can \
                have at most \(DomainLists.domainsMax, "most").
                """
            )
        }
        let list = try await ServiceClients.with(invocation.directories) { clients in
            try await send(
                file.domains,
                name: name,
                category: category,
                prompt: ProofPrompt(invocation),
                clients: clients
            )
        }
        return try show(list, file: file, invocation: invocation)
    }

    /// Sends the sites in as many requests as needed. If one fails, the sites of earlier requests stay.
    private static func send(
        _ domains: [String],
        name: String,
        category: String,
        prompt: ProofPrompt,
        clients: ServiceClients
    ) async throws -> DomainList {
        var list: DomainList?
        for chunk in chunks(domains) {
            let append: Bool? = list == nil ? nil : true
            do {
                list = try await prompt.run { proof in
                    try await clients.call(
                        CategoryListAdd.self,
                        .init(name: name, category: category, domains: chunk, append: append, proof: proof)
                    )
                }
            } catch var problem as Problem {
                problem.field = nil
                if let list {
                    problem.text = Message(
                        "category.sites-were-added-before",
                        "\(problem.text, "problem") Sites added before that: \(list.count, "count")."
                    )
                }
                throw problem
            }
        }
        guard let list else {
            throw Problem(
                "category.bad_file",
                "There was no site to add.",
                key: "category.bad_file.there-was-no"
            )
        }
        return list
    }

    private static func chunks(_ domains: [String]) -> [[String]] {
        var chunks: [[String]] = []
        var bytes = requestBytes
        for domain in domains {
            let size = domain.utf8.count + 3
            if bytes + size > requestBytes {
                chunks.append([])
                bytes = 0
            }
            chunks[chunks.count - 1].append(domain)
            bytes += size
        }
        return chunks
    }

    private static func show(_ list: DomainList, file: DomainListFile, invocation: Invocation) throws
        -> ExitCode
    {
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            guard case .object(var members) = try JSONOutput.value(of: list) else { return .no }
            members["bad_lines"] = .integer(Int64(file.badLines))
            terminal.write(JSONOutput.pretty(.object(members)))
            return .done
        }
        let name = terminal.styled(DisplayWidth.sanitized(list.name), .bold)
        var lines = [
            Speech.say(
                "category.added-sites-count-as",
                count: Int(list.count),
                one: """
                    Added \(name, "name"): \(list.count, "count") site counts as \(list.category, "category") \
                    from now on.
                    """,
                other: """
                    Added \(name, "name"): \(list.count, "count") sites count as \(list.category, "category") \
                    from now on.
                    """
            )
        ]
        if file.repeated > 0 {
            lines.append(
                Speech.say(
                    "category.are-in-the-file",
                    "Duplicates in the file: \(file.repeated, "repeated")."
                )
            )
        }
        if let bad = file.firstBad {
            let text = DisplayWidth.sanitized(bad.text)
            let more = file.badLines - 1
            let leftOut =
                more > 0
                ? Speech.say(
                    "category.lines-were-left-out",
                    count: more,
                    one: """
                        line \(bad.number, "line") (“\(text, "text")”) and \(more, "more") more line were \
                        skipped because they are not valid sites.
                        """,
                    other: """
                        line \(bad.number, "line") (“\(text, "text")”) and \(more, "more") more lines were \
                        skipped because they are not valid sites.
                        """
                )
                : Speech.say(
                    "category.line-was-left-out",
                    "line \(bad.number, "line") (“\(text, "text")”) was skipped because it is not a valid site."
                )
            lines.append(terminal.styled(Speech.say("category.note", "Note: "), .yellow) + leftOut)
        }
        terminal.write(lines.flatMap { TextWrap.lines($0, terminal) }.joined(separator: "\n"))
        return .done
    }
}

/// A file of sites, in the format of published block lists: one site per line, or the format of `/etc/hosts`.
package struct DomainListFile: Sendable, Equatable {
    /// The sites in ASCII and lower case, without duplicates, in the order of the file.
    package private(set) var domains: [String] = []
    /// The number of lines that are not valid sites.
    package private(set) var badLines = 0
    /// The first invalid line, at most 60 characters of it.
    package private(set) var firstBad: (number: Int, text: String)?
    /// The number of names that occur again.
    package private(set) var repeated = 0

    /// The entries of a hosts file about the computer itself.
    private static let localNames: Set<String> = [
        "localhost", "localhost.localdomain", "local", "broadcasthost", "ip6-localhost", "ip6-loopback",
        "ip6-localnet", "ip6-mcastprefix", "ip6-allnodes", "ip6-allrouters", "ip6-allhosts", "0.0.0.0",
    ]

    package init(_ text: String) {
        var seen: Set<String> = []
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() {
            let content = line.prefix { $0 != "#" }
            var words = content.split(whereSeparator: \.isWhitespace).map(String.init)
            if words.count > 1, Self.isAddress(words[0]) { words.removeFirst() }
            if words.isEmpty || words.allSatisfy({ Self.localNames.contains($0.lowercased()) }) { continue }
            let names = words.filter { !Self.localNames.contains($0.lowercased()) }.map {
                DomainName.host($0)
            }
            guard !names.contains(nil) else {
                badLines += 1
                if firstBad == nil { firstBad = (index + 1, String(line.prefix(60))) }
                continue
            }
            for name in names.compactMap(\.self) {
                if seen.insert(name).inserted { domains.append(name) } else { repeated += 1 }
            }
        }
    }

    package static func == (left: DomainListFile, right: DomainListFile) -> Bool {
        left.domains == right.domains && left.badLines == right.badLines
            && left.firstBad?.number == right.firstBad?.number && left.repeated == right.repeated
    }

    /// Returns true for addresses such as `0.0.0.0`, `127.0.0.1` and `::1`.
    private static func isAddress(_ word: String) -> Bool {
        if word.contains(":") {
            return word.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." || $0 == "%" }
        }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}
