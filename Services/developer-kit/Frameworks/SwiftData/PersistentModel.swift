public import Foundation

/// A class with the macro `@Model`.
public protocol PersistentModel: AnyObject, Hashable, Identifiable, SendableMetatype {
    init(persistentBackingData: ModelBacking)
    var persistentBackingData: ModelBacking { get }
    static var schemaMetadata: [Schema.PropertyMetadata] { get }
}

extension PersistentModel {
    public var persistentModelID: PersistentIdentifier { persistentBackingData.identifier }
    public var id: PersistentIdentifier { persistentModelID }
    public var modelContext: ModelContext? { persistentBackingData.context }
    public var hasChanges: Bool { modelContext?.isPending(self) ?? false }
    public var isDeleted: Bool { persistentBackingData.isDeleted }

    public static func == (one: Self, other: Self) -> Bool { one === other }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    static var entity: String { "\(Self.self)" }
}

/// The identifier of a model. It is the same in every process of the app.
public struct PersistentIdentifier: Hashable, Codable, Sendable, Comparable {
    public let entityName: String
    public internal(set) var id: String

    public static func < (one: Self, other: Self) -> Bool {
        (one.entityName, one.id) < (other.entityName, other.id)
    }
}

/// The stored property that remains in the class. Its value is in the backing.
public struct ModelProperty: Sendable {
    public init() {}
}

/// The values of one model.
public final class ModelBacking {
    private struct Slot {
        /// The decoded value: a `Kept`, or the models of a relationship. `nil` until it is first read.
        var value: Any?
        /// The encoded value in the store.
        var stored: String?
    }

    fileprivate struct Kept<Value: Codable>: Storable {
        let value: Value

        func encoded() throws -> String { try ModelBacking.encoded(value) }
    }

    var identifier: PersistentIdentifier
    /// The model of this backing. The reference is weak, because the model owns its backing.
    weak var model: (any PersistentModel)?
    var context: ModelContext?
    var isStored = false
    var isDeleted = false
    private(set) var changed: Set<String> = []
    private var slots: [String: Slot] = [:]
    private let properties: [Schema.PropertyMetadata]

    public convenience init<Model: PersistentModel>(_ type: Model.Type) {
        self.init(type, PersistentIdentifier(entityName: type.entity, id: UUID().uuidString))
    }

    init(_ type: any PersistentModel.Type, _ identifier: PersistentIdentifier) {
        self.identifier = identifier
        properties = type.schemaMetadata
    }

    private static func encoded<Value: Encodable>(_ value: Value) throws -> String {
        // Some JSON parsers do not accept a single string or number as a document, so encode it in an array.
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        let bytes = try encoder.encode([value])
        return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    }

    private static func decoded<Value: Decodable>(_ text: String) -> Value? {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        return try? decoder.decode([Value].self, from: Data("[\(text)]".utf8)).first
    }

    // MARK: - Values

    @_disfavoredOverload
    public func get<Value: Codable>(_ key: String, default value: @autoclosure () -> Value? = nil) -> Value {
        if let kept = slots[key]?.value as? Kept<Value> { return kept.value }
        // A property that was added after the model was stored has its initial value.
        var found: Value?
        if let stored = slots[key]?.stored { found = Self.decoded(stored) }
        guard let found = found ?? value() ?? Self.decoded("null") else {
            preconditionFailure(
                "\(identifier.entityName).\(key) has no value in the store. Give it one where it is declared."
            )
        }
        slots[key, default: Slot()].value = Kept(value: found)
        return found
    }

    @_disfavoredOverload
    public func set<Value: Codable>(_ key: String, _ value: Value, of model: (any PersistentModel)? = nil) {
        slots[key] = Slot(value: Kept(value: value), stored: slots[key]?.stored)
        change(key, model)
    }

    private func change(_ key: String, _ model: (any PersistentModel)?) {
        if let model { self.model = model }
        changed.insert(key)
        context?.changed(self)
    }

    /// Returns the encoded value to store. A to-many relationship keeps the models that others have added in the meantime and
    /// omits those that they have removed.
    func encoded(_ property: Schema.PropertyMetadata, over row: String?) throws -> String? {
        let slot = slots[property.name]
        switch slot?.value {
        case let models as [any PersistentModel]:
            let ids = models.filter { !$0.isDeleted }.map(\.persistentModelID.id)
            guard property.isToMany, let others: [String] = row.flatMap({ Self.decoded($0) }) else {
                return try Self.encoded(ids)
            }
            let before: [String] = slot?.stored.flatMap { Self.decoded($0) } ?? []
            let ours = ids.filter { !before.contains($0) || others.contains($0) }
            return try Self.encoded(ours + others.filter { !before.contains($0) && !ids.contains($0) })
        case let kept?: return try (kept as? any Storable)?.encoded()
        case nil: return slot?.stored
        }
    }

    /// Records the stored relationships, so that the next save computes its differences from these values.
    func remember(_ values: [String: String]) {
        for property in properties where property.destination != nil {
            if let written = values[property.name] {
                slots[property.name] = Slot(value: nil, stored: written)
            }
        }
    }

    /// Changes the id to that of another model, and marks all values as unsaved.
    func takeOver(_ id: String) {
        identifier.id = id
        isStored = false
    }

    /// Updates all values from the store, except for those with unsaved changes.
    func refresh(_ values: [String: String]) {
        for property in properties where !changed.contains(property.name) {
            slots[property.name] = values[property.name].map { Slot(value: nil, stored: $0) }
        }
        isStored = true
    }

    /// Merges a relationship of this model with that of the model that it replaces.
    func unite(_ property: Schema.PropertyMetadata, with stored: String?) throws {
        let own = related(property.name).map(\.persistentModelID.id)
        let before: [String] = stored.flatMap { Self.decoded($0) } ?? []
        let all =
            property.isToMany ? before + own.filter { !before.contains($0) } : own.isEmpty ? before : own
        slots[property.name] = Slot(value: nil, stored: try Self.encoded(all))
    }

    func settle() {
        changed = []
        isStored = true
    }

    func forgetChanges() { changed = [] }

    // MARK: - Relationships

    public func get<Model: PersistentModel>(_ key: String, default value: @autoclosure () -> Model? = nil)
        -> Model
    {
        guard let model: Model = get(key) else {
            preconditionFailure(
                "\(identifier.entityName).\(key) was deleted. Make the property optional, or delete both."
            )
        }
        return model
    }

    public func get<Model: PersistentModel>(_ key: String, default value: @autoclosure () -> Model?? = nil)
        -> Model?
    { related(key).first as? Model }

    public func get<Model: PersistentModel>(_ key: String, default value: @autoclosure () -> [Model]? = nil)
        -> [Model]
    { related(key).compactMap { $0 as? Model } }

    public func get<Model: PersistentModel>(_ key: String, default value: @autoclosure () -> [Model]?? = nil)
        -> [Model]?
    { related(key).compactMap { $0 as? Model } }

    public func set<Model: PersistentModel>(
        _ key: String,
        _ value: Model,
        of model: (any PersistentModel)? = nil
    ) { relate(key, to: [value], owner: model) }

    public func set<Model: PersistentModel>(
        _ key: String,
        _ value: Model?,
        of model: (any PersistentModel)? = nil
    ) { relate(key, to: value.map { [$0] } ?? [], owner: model) }

    public func set<Model: PersistentModel>(
        _ key: String,
        _ value: [Model],
        of model: (any PersistentModel)? = nil
    ) { relate(key, to: value, owner: model) }

    public func set<Model: PersistentModel>(
        _ key: String,
        _ value: [Model]?,
        of model: (any PersistentModel)? = nil
    ) { relate(key, to: value ?? [], owner: model) }

    func related(_ key: String) -> [any PersistentModel] {
        if let models = slots[key]?.value as? [any PersistentModel] {
            return models.filter { !$0.isDeleted }
        }
        guard let context, let stored = slots[key]?.stored, let ids: [String] = Self.decoded(stored),
            let type = properties.first(where: { $0.name == key })?.destination
        else { return [] }
        let models = ids.compactMap { id in
            context.find(type, PersistentIdentifier(entityName: type.entity, id: id))
        }
        slots[key]?.value = models
        return models
    }

    private func relate(_ key: String, to models: [any PersistentModel], owner: (any PersistentModel)?) {
        if let owner { model = owner }
        let before = related(key)
        slots[key] = Slot(value: models, stored: slots[key]?.stored)
        change(key, owner)
        guard let model else { return }
        for other in before where !models.contains(where: { $0 === other }) {
            separate(key, model: model, from: other)
        }
        for other in models where !before.contains(where: { $0 === other }) {
            join(key, model: model, with: other)
        }
    }

    /// Updates the other side of all relationships. The initializer of the model cannot do this without the model itself.
    func joinAll(_ model: any PersistentModel) {
        self.model = model
        for property in properties where property.destination != nil {
            for other in related(property.name) { join(property.name, model: model, with: other) }
        }
    }

    private func join(_ key: String, model: any PersistentModel, with other: any PersistentModel) {
        let backing = other.persistentBackingData
        backing.model = other
        if let context { context.insert(other) } else { backing.context?.insert(model) }
        guard let inverse = Schema.inverse(of: key, in: type(of: model)) else { return }
        let theirs = backing.related(inverse.name)
        guard !theirs.contains(where: { $0 === model }) else { return }
        if !inverse.isToMany, let last = theirs.first { last.persistentBackingData.drop(key, other) }
        backing.put(inverse.name, inverse.isToMany ? theirs + [model] : [model])
    }

    private func separate(_ key: String, model: any PersistentModel, from other: any PersistentModel) {
        guard let inverse = Schema.inverse(of: key, in: type(of: model)) else { return }
        other.persistentBackingData.drop(inverse.name, model)
    }

    /// Removes a model from a relationship, on this side only.
    private func drop(_ key: String, _ model: any PersistentModel) {
        put(key, related(key).filter { $0 !== model })
    }

    private func put(_ key: String, _ models: [any PersistentModel]) {
        slots[key] = Slot(value: models, stored: slots[key]?.stored)
        change(key, nil)
    }

    /// Returns the models to delete together with this model, according to the delete rules of its relationships.
    func dependents() throws -> [any PersistentModel] {
        var found: [any PersistentModel] = []
        let relationships = properties.filter { $0.destination != nil }
        if let denying = relationships.first(where: { $0.deleteRule == .deny && !related($0.name).isEmpty }) {
            throw SwiftDataError(
                "\(identifier.entityName).\(denying.name) denies the deletion while it has models."
            )
        }
        for property in relationships {
            let models = related(property.name)
            switch property.deleteRule {
            case .cascade: found += models
            case .nullify:
                guard let model else { break }
                for other in models { separate(property.name, model: model, from: other) }
            case .deny, .noAction: break
            }
        }
        return found
    }
}

private protocol Storable {
    func encoded() throws -> String
}

/// The reason why an operation of the store failed.
public struct SwiftDataError: LocalizedError, Equatable, Sendable {
    public let errorDescription: String?

    init(_ description: String) { errorDescription = description }
}
