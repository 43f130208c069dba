/// The content of a property list: a project file, an `Info.plist`, the defaults of an app or a table of strings.
package indirect enum PropertyList: Sendable, Equatable {
    case text(String)
    /// A number, a date or data of an XML list, with the name of its element.
    case scalar(String, String)
    case flag(Bool)
    case list([PropertyList])
    case table([String: PropertyList])

    package var text: String? {
        switch self {
        case .text(let text), .scalar(_, let text): text
        case .flag(let isSet): isSet ? "YES" : "NO"
        case .list, .table: nil
        }
    }

    package var list: [PropertyList] { if case .list(let items) = self { items } else { [] } }
    package var table: [String: PropertyList] { if case .table(let items) = self { items } else { [:] } }
    package var texts: [String] { list.compactMap(\.text) }

    package subscript(key: String) -> PropertyList? {
        if case .table(let items) = self { items[key] } else { nil }
    }

    /// The list in XML, with its keys sorted.
    package var xml: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        \(element)
        </plist>

        """
    }

    private var element: String {
        switch self {
        case .text(let text): "<string>\(Markup.escaped(text))</string>"
        case .scalar(let name, let text): "<\(name)>\(Markup.escaped(text))</\(name)>"
        case .flag(let isSet): isSet ? "<true/>" : "<false/>"
        case .list(let items): "<array>\(items.map(\.element).joined())</array>"
        case .table(let items):
            "<dict>"
                + items.sorted { $0.key < $1.key }.map {
                    "<key>\(Markup.escaped($0.key))</key>\($0.value.element)\n"
                }.joined() + "</dict>"
        }
    }
}
