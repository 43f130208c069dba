import STDomain
import STPlatform

/// Whether an app, a category or a site can be meant, for whatever names things by what they are called.
package enum ItemCheck {
    /// As it is kept; `code` is that of the problem for a name that can be none.
    package static func checked(_ item: TokenItem, _ field: String, code: String) throws -> TokenItem {
        switch try item.kind.required("\(field)/kind") {
        case .application, .unknown: return try app(item, field, code)
        case .category: return try category(item, field)
        case .domain: return try site(item, field, code)
        }
    }

    /// All of a list, each of them once.
    package static func checked(_ items: [TokenItem], _ field: String, code: String) throws -> [TokenItem] {
        var seen: Set<TokenItem> = []
        return try items.enumerated().map { index, item in
            try checked(item, "\(field)/\(index)", code: code)
        }.filter { seen.insert($0).inserted }
    }

    private static func app(_ item: TokenItem, _ field: String, _ code: String) throws(Problem) -> TokenItem {
        let isPlain = item.id.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard item.id.contains(where: { !$0.isWhitespace }), isPlain,
            item.id.utf8.count <= UsageObserve.nameBytesMax
        else {
            throw Problem(
                code,
                "An app's name has 1 to \(UsageObserve.nameBytesMax) bytes and no control characters.",
                field: field
            )
        }
        return item
    }

    private static func category(_ item: TokenItem, _ field: String) throws(Problem) -> TokenItem {
        let known = Category.allCases.map(\.rawValue)
        guard known.contains(item.id) else {
            let near = TextFormat.closest(to: item.id, in: known)
            throw Problem(
                "category.unknown",
                "There is no category “\(item.id.prefix(40))”"
                    + (near.map { "; did you mean \($0)?" }
                        ?? ". There are: \(known.joined(separator: ", "))."),
                field: field,
                help: "screentime category list"
            )
        }
        return item
    }

    /// The bare name of a host: what a browser can be asked about.
    private static func site(_ item: TokenItem, _ field: String, _ code: String) throws(Problem) -> TokenItem
    {
        let name = DomainName.normal(item.id)
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isHost =
            labels.count > 1 && name.utf8.count <= DomainName.bytesMax
            && labels.allSatisfy { label in
                !label.isEmpty && label.utf8.count <= 63 && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { isHostByte($0) }
            }
        guard isHost else {
            throw Problem(
                code,
                "A site is the name of a host such as reddit.com, without https:// and without what follows a slash.",
                field: field
            )
        }
        return TokenItem(kind: .domain, id: name)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
