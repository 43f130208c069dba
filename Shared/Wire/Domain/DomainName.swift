/// Names of web sites as people and browsers write them.
package enum DomainName {
    /// Of a name; the limit of DNS.
    package static let bytesMax = 253

    /// Lower case, without the dot that may stand at the end.
    package static func normal(_ domain: String) -> String {
        let name = domain.hasSuffix(".") ? String(domain.dropLast()) : domain
        return name.utf8.contains { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") || $0 >= 0x80 }
            ? name.lowercased() : name
    }

    /// What is found for a name, or else for the one it is part of: `m.youtube.com`, `youtube.com`, `com`.
    package static func first<T>(for domain: String, _ find: (String) -> T?) -> T? {
        guard domain.utf8.count <= bytesMax + 1 else { return nil }
        var name = normal(domain)
        while !name.isEmpty {
            if let found = find(name) { return found }
            guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
            name = String(name[name.utf8.index(after: dot)...])
        }
        return nil
    }
}
