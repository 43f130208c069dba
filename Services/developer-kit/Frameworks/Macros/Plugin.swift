import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

// A plugin of the compiler. `screentime app new` builds it with the libraries of Swift's own macros.

/// `#Preview`. It expands to nothing, because nothing shows previews.
public struct Preview: DeclarationMacro {
    public static func expansion(
        of node: some FreestandingMacroExpansionSyntax,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
}

/// `@Attribute`, `@Relationship` and `@Transient`, which `@Model` reads.
public struct Mark: PeerMacro {
    public static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
}

/// `@Model`. It moves the values of a class's stored properties to a backing, which the store reads and writes.
public struct Model: MemberMacro, MemberAttributeMacro, ExtensionMacro {
    public static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let type = declaration.as(ClassDeclSyntax.self) else {
            throw MacroExpansionErrorMessage("@Model is for a class.")
        }
        let name = type.name.text
        let words = type.modifiers.map(\.name.text)
        let access = words.contains("public") || words.contains("open") ? "public " : ""
        let properties = type.memberBlock.members.compactMap { StoredProperty($0.decl) }
        let metadata = properties.map(\.metadata).map { "\($0)," }.joined(separator: "\n")
        return [
            "private var _$backing = SwiftData.ModelBacking(\(raw: name).self)",
            "\(raw: access)var persistentBackingData: SwiftData.ModelBacking { _$backing }",
            """
            \(raw: access)static var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
                [\(raw: metadata.replacing("\\Self.", with: "\\\(name)."))]
            }
            """,
            """
            \(raw: access)required init(persistentBackingData: SwiftData.ModelBacking) {
                \(raw: properties.map { "_\($0.name) = SwiftData.ModelProperty()" }.joined(separator: "\n"))
                _$backing = persistentBackingData
            }
            """,
        ]
    }

    public static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] { StoredProperty(member) == nil ? [] : ["@_StoredProperty"] }

    public static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        [try ExtensionDeclSyntax("extension \(type.trimmed): SwiftData.PersistentModel {}")]
    }
}

/// A property of a model. Its value is in the backing.
public struct StoredPropertyMacro: AccessorMacro, PeerMacro {
    public static func expansion(
        of node: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let property = StoredProperty(declaration) else { return [] }
        let first = property.first.map { ", default: \($0)" } ?? ""
        return [
            """
            @storageRestrictions(accesses: _$backing, initializes: _\(raw: property.name))
            init(initialValue) {
                _$backing.set("\(raw: property.name)", initialValue)
                _\(raw: property.name) = SwiftData.ModelProperty()
            }
            """,
            "get { _$backing.get(\"\(raw: property.name)\"\(raw: first)) }",
            "set { _$backing.set(\"\(raw: property.name)\", newValue, of: self) }",
        ]
    }

    public static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        StoredProperty(declaration).map { ["private var _\(raw: $0.name): SwiftData.ModelProperty"] } ?? []
    }
}

/// A property of a class that a store saves.
struct StoredProperty {
    let name: String
    /// The source text of its initial value.
    let first: String?
    /// The source text of its `Schema.PropertyMetadata`.
    let metadata: String

    /// Reads a declaration. Returns `nil` if the property is computed, static or transient.
    init?(_ declaration: some DeclSyntaxProtocol) {
        guard let variable = declaration.as(VariableDeclSyntax.self),
            variable.bindingSpecifier.tokenKind == .keyword(.var), variable.bindings.count == 1,
            let binding = variable.bindings.first, binding.accessorBlock == nil,
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
            !variable.modifiers.contains(where: { ["static", "class", "lazy"].contains($0.name.text) })
        else { return nil }
        let marks = variable.attributes.compactMap { $0.as(AttributeSyntax.self) }
        func words(_ mark: String) -> String? {
            marks.first { $0.attributeName.trimmedDescription == mark }
                .map { $0.arguments?.trimmedDescription ?? "" }
        }
        guard words("Transient") == nil else { return nil }
        self.name = name
        first = binding.initializer?.value.trimmedDescription
        let kind =
            words("Relationship").map { ", SwiftData.Schema.Relationship(\($0))" }
            ?? words("Attribute").map { ", SwiftData.Schema.Attribute(\($0))" } ?? ""
        metadata = "SwiftData.Schema.PropertyMetadata(\"\(name)\", \\Self.\(name)\(kind))"
    }
}
