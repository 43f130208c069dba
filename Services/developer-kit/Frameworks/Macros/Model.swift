import SwiftData

@attached(
    member,
    names: named(_$backing),
    named(persistentBackingData),
    named(schemaMetadata),
    named(init(persistentBackingData:))
)
@attached(memberAttribute)
@attached(extension, conformances: PersistentModel)
macro Model() = #externalMacro(module: "ScreenTimeMacros", type: "Model")

@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_))
macro _StoredProperty() = #externalMacro(module: "ScreenTimeMacros", type: "StoredPropertyMacro")

@attached(peer)
macro Attribute(
    _ options: Schema.Attribute.Option...,
    originalName: String? = nil,
    hashModifier: String? = nil
) = #externalMacro(module: "ScreenTimeMacros", type: "Mark")

@attached(peer)
macro Relationship(
    _ options: Schema.Relationship.Option...,
    deleteRule: Schema.Relationship.DeleteRule = .nullify,
    minimumModelCount: Int? = 0,
    maximumModelCount: Int? = 0,
    originalName: String? = nil,
    inverse: (any AnyKeyPath & Sendable)? = nil,
    hashModifier: String? = nil
) = #externalMacro(module: "ScreenTimeMacros", type: "Mark")

@attached(peer)
macro Transient() = #externalMacro(module: "ScreenTimeMacros", type: "Mark")
