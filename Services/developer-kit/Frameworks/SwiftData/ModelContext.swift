public import Foundation
import STFoundationTypes

/// The conditions and order of a search for models.
public struct FetchDescriptor<Model: PersistentModel> {
    public var predicate: Predicate<Model>?
    public var sortBy: [SortDescriptor<Model>]
    public var fetchLimit: Int?
    public var fetchOffset: Int?
    public var includePendingChanges = true
    /// The properties to fetch. They have no effect, because all properties are fetched.
    public var propertiesToFetch: [PartialKeyPath<Model>] = []
    public var relationshipKeyPathsForPrefetching: [PartialKeyPath<Model>] = []

    public init(predicate: Predicate<Model>? = nil, sortBy: [SortDescriptor<Model>] = []) {
        (self.predicate, self.sortBy) = (predicate, sortBy)
    }
}

/// The models that a part of a program uses, and the unsaved changes of these models.
public final class ModelContext {
    private struct Known {
        weak var model: (any PersistentModel)?
    }

    public static let willSave = Notification.Name("ModelContext.willSave")
    public static let didSave = Notification.Name("ModelContext.didSave")

    public let container: ModelContainer
    /// True if changes are saved automatically on the main queue.
    public var autosaveEnabled = false
    private var known: [PersistentIdentifier: Known] = [:]
    /// The changed, new and deleted models, in the order of their first change.
    private var pending: [any PersistentModel] = []
    private var willSaveSoon = false

    public init(_ container: ModelContainer) { self.container = container }

    public var hasChanges: Bool { !pending.isEmpty }
    public var insertedModelsArray: [any PersistentModel] {
        pending.filter { !$0.persistentBackingData.isStored && !$0.isDeleted }
    }
    public var changedModelsArray: [any PersistentModel] {
        pending.filter { $0.persistentBackingData.isStored && !$0.isDeleted }
    }
    public var deletedModelsArray: [any PersistentModel] { pending.filter(\.isDeleted) }

    func isPending(_ model: any PersistentModel) -> Bool { pending.contains { $0 === model } }

    // MARK: - Changing

    public func insert<Model: PersistentModel>(_ model: Model) {
        let backing = model.persistentBackingData
        if backing.isDeleted {
            backing.isDeleted = false
            if backing.context == nil { backing.isStored = false }
        }
        guard backing.context !== self else { return }
        backing.context = self
        known[backing.identifier] = Known(model: model)
        backing.joinAll(model)
        add(model)
    }

    public func delete<Model: PersistentModel>(_ model: Model) {
        let backing = model.persistentBackingData
        guard backing.context === self, !backing.isDeleted else { return }
        do {
            let dependents = try backing.dependents()
            backing.isDeleted = true
            add(model)
            for other in dependents { delete(other) }
        } catch { FrameworkLog.storage.error("SwiftData: \(error)") }
    }

    public func delete<Model: PersistentModel>(
        model: Model.Type,
        where predicate: Predicate<Model>? = nil,
        includeSubclasses: Bool = true
    ) throws { for found in try fetch(FetchDescriptor(predicate: predicate)) { delete(found) } }

    func changed(_ backing: ModelBacking) { if let model = backing.model { add(model) } }

    private func add(_ model: any PersistentModel) {
        if !isPending(model) { pending.append(model) }
        guard autosaveEnabled, !willSaveSoon else { return }
        willSaveSoon = true
        // unsafe: only the main context saves automatically, and it is used on the main queue.
        nonisolated(unsafe) let context = self
        DispatchQueue.main.async {
            context.willSaveSoon = false
            do { try context.save() } catch { FrameworkLog.storage.error("SwiftData: \(error)") }
        }
    }

    public func save() throws {
        guard hasChanges else { return }
        NotificationCenter.default.post(name: Self.willSave, object: self)
        try container.file.transaction {
            for model in pending where model.isDeleted {
                try container.file.remove(model.persistentBackingData.identifier)
            }
            var owners: [[String]: String] = [:]
            for model in pending where !model.isDeleted { try unite(model, &owners) }
            for model in pending where !model.isDeleted { try write(model) }
        }
        for model in pending {
            let backing = model.persistentBackingData
            backing.settle()
            guard backing.isDeleted else { continue }
            if known[backing.identifier]?.model === model { known[backing.identifier] = nil }
            backing.context = nil
        }
        pending = []
        NotificationCenter.default.post(name: Self.didSave, object: self)
    }

    private func write(_ model: any PersistentModel) throws {
        let backing = model.persistentBackingData
        let type = type(of: model)
        let row = try container.file.values(backing.identifier, type)
        // Another context has deleted the model.
        if backing.isStored, row == nil { return }
        var values: [String: String] = [:]
        for property in type.schemaMetadata
        where !backing.isStored || backing.changed.contains(property.name) {
            values[property.name] = try backing.encoded(property, over: row?[property.name])
        }
        try container.file.write(backing.identifier, values)
        backing.remember(values)
    }

    /// Merges a model with an existing model that has the same unique value. The existing row gets the new values. The
    /// relationships of both are kept.
    private func unite(_ model: any PersistentModel, _ owners: inout [[String]: String]) throws {
        let backing = model.persistentBackingData
        let type = type(of: model)
        for property in type.schemaMetadata where property.isUnique {
            guard let value = try backing.encoded(property, over: nil), value != "null" else { continue }
            let key = [type.entity, property.name, value]
            let owner = try owners[key] ?? owner(of: value, property, type)
            owners[key] = owner ?? backing.identifier.id
            guard let owner, owner != backing.identifier.id else { continue }
            known[backing.identifier] = nil
            if backing.isStored { try container.file.remove(backing.identifier) }
            // All values are written to the row of the existing model.
            backing.takeOver(owner)
            if known[backing.identifier]?.model == nil { known[backing.identifier] = Known(model: model) }
            let before = try container.file.values(backing.identifier, type) ?? [:]
            for other in type.schemaMetadata where other.destination != nil {
                try backing.unite(other, with: before[other.name])
            }
        }
    }

    /// Returns the stored model that has the value, unless an unsaved change gives it another value.
    private func owner(
        of value: String,
        _ property: Schema.PropertyMetadata,
        _ type: any PersistentModel.Type
    )
        throws -> String?
    {
        let isChanging = { (id: String) in
            self.pending.contains { model in
                let backing = model.persistentBackingData
                return backing.identifier == PersistentIdentifier(entityName: type.entity, id: id)
                    && backing.changed.contains(property.name)
            }
        }
        return try container.file.owners(of: value, property.name, type).first { !isChanging($0) }
    }

    /// Discards all changes since the last save.
    public func rollback() {
        for model in pending {
            let backing = model.persistentBackingData
            backing.isDeleted = false
            backing.forgetChanges()
            if backing.isStored, let values = try? container.file.values(backing.identifier, type(of: model))
            {
                backing.refresh(values)
            } else {
                known[backing.identifier] = nil
                backing.context = nil
            }
        }
        pending = []
    }

    public func transaction(block: () throws -> Void) throws {
        try block()
        try save()
    }

    public func processPendingChanges() {}

    // MARK: - Finding

    public func fetch<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>) throws -> [Model] {
        let rows = try container.file.all(Model.self)
        var models = rows.compactMap { model(of: Model.self, id: $0.id, values: $0.values) as? Model }
        if descriptor.includePendingChanges {
            models += insertedModelsArray.compactMap { $0 as? Model }
        }
        models = models.filter { !$0.isDeleted }
        if let predicate = descriptor.predicate { models = try models.filter(predicate.evaluate) }
        models.sort(using: descriptor.sortBy)
        let rest = models.dropFirst(descriptor.fetchOffset ?? 0)
        return Array(descriptor.fetchLimit.flatMap { $0 > 0 ? rest.prefix($0) : nil } ?? rest)
    }

    public func fetch<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>, batchSize: Int) throws
        -> [Model]
    { try fetch(descriptor) }

    public func fetchCount<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>) throws -> Int {
        try fetch(descriptor).count
    }

    public func fetchIdentifiers<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>) throws
        -> [PersistentIdentifier]
    { try fetch(descriptor).map(\.persistentModelID) }

    public func enumerate<Model: PersistentModel>(
        _ fetch: FetchDescriptor<Model>,
        batchSize: Int = 5_000,
        allowEscapingMutations: Bool = false,
        block: (Model) throws -> Void
    ) throws { for model in try self.fetch(fetch) { try block(model) } }

    /// Returns an existing model. As on a phone, it traps if the store has no such model.
    public func model(for identifier: PersistentIdentifier) -> any PersistentModel {
        guard let model = find(identifier) else {
            preconditionFailure("The store has no \(identifier.entityName) with that identifier any more.")
        }
        return model
    }

    public func registeredModel<Model: PersistentModel>(for identifier: PersistentIdentifier) -> Model? {
        known[identifier]?.model as? Model
    }

    func find(_ identifier: PersistentIdentifier) -> (any PersistentModel)? {
        container.schema.types.first { $0.entity == identifier.entityName }.flatMap { find($0, identifier) }
    }

    func find(_ type: any PersistentModel.Type, _ identifier: PersistentIdentifier) -> (any PersistentModel)?
    {
        if let model = known[identifier]?.model { return model.isDeleted ? nil : model }
        do {
            return try container.file.values(identifier, type).flatMap {
                model(of: type, id: identifier.id, values: $0)
            }
        } catch {
            FrameworkLog.storage.error("SwiftData: \(error)")
            return nil
        }
    }

    /// Returns the model for a row. A context has only one model for each row.
    private func model(of type: any PersistentModel.Type, id: String, values: [String: String])
        -> any PersistentModel
    {
        let identifier = PersistentIdentifier(entityName: type.entity, id: id)
        if let model = known[identifier]?.model {
            model.persistentBackingData.refresh(values)
            return model
        }
        let backing = ModelBacking(type, identifier)
        backing.refresh(values)
        backing.context = self
        let model = type.init(persistentBackingData: backing)
        backing.model = model
        known[identifier] = Known(model: model)
        return model
    }
}
