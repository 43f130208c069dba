import STDomain

/// A file of sites: one a line, or as `/etc/hosts` has them, as block lists are handed around.
package struct DomainListFile: Sendable, Equatable {
    /// In ASCII and lower case, each once, in the order of the file.
    package private(set) var domains: [String] = []
    /// Lines that name no site.
    package private(set) var badLines = 0
    /// The first of them.
    package private(set) var firstBad: (number: Int, text: String)?
    /// Named more than once.
    package private(set) var repeated = 0

    /// What a hosts file says of the computer itself.
    private static let own: Set<String> = [
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
            if words.isEmpty || words.allSatisfy({ Self.own.contains($0.lowercased()) }) { continue }
            let names = words.filter { !Self.own.contains($0.lowercased()) }.map { DomainName.host($0) }
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

    /// `0.0.0.0`, `127.0.0.1`, `::1`.
    private static func isAddress(_ word: String) -> Bool {
        if word.contains(":") {
            return word.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." || $0 == "%" }
        }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}
