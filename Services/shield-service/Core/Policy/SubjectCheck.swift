package import STContracts
import STDomain
import STPlatform

/// Apps, categories and sites as they may be named.
package enum SubjectCheck {
    /// On the list of what is always allowed.
    package static let itemsMax = BuiltInRules.allowedMax

    /// What is seen as it is known here; it must name something.
    ///
    /// A category stands for any of its apps, where it may: nobody has one in front.
    package static func subject(
        _ subject: ShieldSubject,
        _ field: String = "/subject",
        mayBeCategory: Bool = false
    ) throws -> ShieldSubject {
        guard subject.app != nil || subject.domain != nil || mayBeCategory && subject.category != nil else {
            throw Problem("shield.no_subject", "Name an app, or a site.", field: field)
        }
        if let app = subject.app {
            try SettingsCheck.name(app, "\(field)/app", max: SettingLimits.idBytesMax)
        }
        return ShieldSubject(
            app: subject.app,
            domain: try subject.domain.map { try DomainName.checked($0, field: "\(field)/domain") },
            category: mayBeCategory
                ? try subject.category.map { try ThingLookup.category($0, "\(field)/category") } : nil
        )
    }

    /// Sorted, and each once.
    package static func items(_ items: [TokenItem], _ field: String = "/items") throws -> [TokenItem] {
        guard items.count <= itemsMax else {
            throw Problem(
                "shield.too_many_items",
                "At most \(itemsMax) apps, categories and sites; a category stands for many.",
                field: field
            )
        }
        let checked = try items.enumerated().map { index, item in
            TokenItem(kind: item.kind, id: try id(of: item, "\(field)/\(index)"))
        }
        return Set(checked).sorted { ($0.kind.rawValue, $0.id) < ($1.kind.rawValue, $1.id) }
    }

    private static func id(of item: TokenItem, _ field: String) throws -> String {
        switch try item.kind.required("\(field)/kind") {
        case .application, .unknown:
            try SettingsCheck.name(item.id, "\(field)/id", max: SettingLimits.idBytesMax)
            return item.id
        case .category: return try ThingLookup.category(item.id, "\(field)/id")
        case .domain: return try DomainName.checked(item.id, field: "\(field)/id")
        }
    }
}
