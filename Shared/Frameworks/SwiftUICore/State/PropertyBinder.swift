/// Finds the properties of views that need to know where their view stands.
@MainActor
final class PropertyBinder {
    /// Properties within properties.
    private static let depthMax = 8

    /// Types that have none, so that nobody looks again.
    private var plain: Set<ObjectIdentifier> = []

    func bind<Value>(_ value: Value, to page: PageWriter) throws {
        let type = ObjectIdentifier(Value.self)
        guard !plain.contains(type) else { return }
        var number = 0
        let mirror = Mirror(reflecting: value)
        try visit(mirror, page, &number, 0)
        // What an enumeration has differs from case to case.
        if number == 0, mirror.displayStyle == .struct { plain.insert(type) }
    }

    private func visit(_ mirror: Mirror, _ page: PageWriter, _ number: inout Int, _ depth: Int) throws {
        guard depth < Self.depthMax else { return }
        for child in mirror.children {
            guard var property = child.value as? any DynamicProperty else { continue }
            number += 1
            if let bound = property as? any BoundProperty {
                try bound.bind(to: page, number)
            } else {
                try visit(Mirror(reflecting: property), page, &number, depth + 1)
                property.update()
            }
        }
    }
}
