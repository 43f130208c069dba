/// The classes in a store.
public final class Schema: Sendable {
    public struct Version: Sendable, Hashable, CustomStringConvertible {
        public let major, minor, patch: Int

        public init(_ major: Int, _ minor: Int, _ patch: Int) {
            (self.major, self.minor, self.patch) = (major, minor, patch)
        }

        public var description: String { "\(major).\(minor).\(patch)" }
    }

    /// The parameters of `@Attribute`.
    public struct Attribute: Sendable {
        public struct Option: Sendable, Equatable {
            private let name: String

            public static let unique = Option(name: "unique")
            public static let externalStorage = Option(name: "externalStorage")
            public static let allowsCloudEncryption = Option(name: "allowsCloudEncryption")
            public static let preserveValueOnDeletion = Option(name: "preserveValueOnDeletion")
            public static let spotlight = Option(name: "spotlight")
            public static let ephemeral = Option(name: "ephemeral")
        }

        let options: [Option]
        let originalName: String?

        public init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
            (self.options, self.originalName) = (options, originalName)
        }
    }

    /// The parameters of `@Relationship`.
    public struct Relationship: Sendable {
        public struct Option: Sendable, Equatable {
            public static let unique = Option()
        }

        public enum DeleteRule: Sendable {
            case noAction, nullify, cascade, deny
        }

        let deleteRule: DeleteRule
        let originalName: String?
        let inverse: (any AnyKeyPath & Sendable)?

        public init(
            _ options: Option...,
            deleteRule: DeleteRule = .nullify,
            minimumModelCount: Int? = 0,
            maximumModelCount: Int? = 0,
            originalName: String? = nil,
            inverse: (any AnyKeyPath & Sendable)? = nil,
            hashModifier: String? = nil
        ) { (self.deleteRule, self.originalName, self.inverse) = (deleteRule, originalName, inverse) }
    }

    /// The description of a property of a class.
    public struct PropertyMetadata: Sendable {
        let name: String
        let path: any AnyKeyPath & Sendable
        var originalName: String?
        var isUnique = false
        var destination: (any PersistentModel.Type)?
        var isToMany = false
        var deleteRule = Relationship.DeleteRule.nullify
        var inverse: (any AnyKeyPath & Sendable)?

        @_disfavoredOverload
        public init<Model: PersistentModel, Value: Codable>(
            _ name: String,
            _ path: any KeyPath<Model, Value> & Sendable,
            _ attribute: Attribute = Attribute()
        ) {
            (self.name, self.path, originalName) = (name, path, attribute.originalName)
            isUnique = attribute.options.contains(.unique)
        }

        private init(
            _ name: String,
            _ path: any AnyKeyPath & Sendable,
            _ other: any PersistentModel.Type,
            isToMany: Bool,
            _ relationship: Relationship
        ) {
            (self.name, self.path, destination, self.isToMany) = (name, path, other, isToMany)
            (deleteRule, originalName) = (relationship.deleteRule, relationship.originalName)
            inverse = relationship.inverse
        }

        public init<Model: PersistentModel, Other: PersistentModel>(
            _ name: String,
            _ path: any KeyPath<Model, Other> & Sendable,
            _ relationship: Relationship = Relationship()
        ) { self.init(name, path, Other.self, isToMany: false, relationship) }

        public init<Model: PersistentModel, Other: PersistentModel>(
            _ name: String,
            _ path: any KeyPath<Model, Other?> & Sendable,
            _ relationship: Relationship = Relationship()
        ) { self.init(name, path, Other.self, isToMany: false, relationship) }

        public init<Model: PersistentModel, Other: PersistentModel>(
            _ name: String,
            _ path: any KeyPath<Model, [Other]> & Sendable,
            _ relationship: Relationship = Relationship()
        ) { self.init(name, path, Other.self, isToMany: true, relationship) }

        public init<Model: PersistentModel, Other: PersistentModel>(
            _ name: String,
            _ path: any KeyPath<Model, [Other]?> & Sendable,
            _ relationship: Relationship = Relationship()
        ) { self.init(name, path, Other.self, isToMany: true, relationship) }
    }

    public let version: Version
    let types: [any PersistentModel.Type]

    /// Creates a schema of the classes and all classes that are related to them.
    public init(_ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)) {
        self.version = version
        var all: [any PersistentModel.Type] = []
        var wanted = types
        while let type = wanted.popLast() {
            guard !all.contains(where: { $0.entity == type.entity }) else { continue }
            all.append(type)
            wanted += type.schemaMetadata.compactMap(\.destination)
        }
        self.types = all
    }

    public convenience init(_ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)) {
        self.init(types, version: version)
    }

    public convenience init(versionedSchema: any VersionedSchema.Type) {
        self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
    }

    /// Returns the property at the other end of a relationship, if either side names it. Otherwise it must be the only
    /// relationship between the two classes.
    static func inverse(of key: String, in type: any PersistentModel.Type) -> PropertyMetadata? {
        guard let own = type.schemaMetadata.first(where: { $0.name == key }), let other = own.destination
        else { return nil }
        let theirs = other.schemaMetadata.filter { $0.destination?.entity == type.entity }
        if let named = theirs.first(where: { own.inverse == $0.path || $0.inverse == own.path }) {
            return named
        }
        let ours = type.schemaMetadata.filter { $0.destination?.entity == other.entity }
        let isOnly = theirs.count == 1 && ours.count == 1 && own.inverse == nil && theirs[0].inverse == nil
        return isOnly && type.entity != other.entity ? theirs[0] : nil
    }
}

public protocol VersionedSchema {
    static var versionIdentifier: Schema.Version { get }
    static var models: [any PersistentModel.Type] { get }
}

public protocol SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { get }
    static var stages: [MigrationStage] { get }
}

public enum MigrationStage {
    case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
    case custom(
        fromVersion: any VersionedSchema.Type,
        toVersion: any VersionedSchema.Type,
        willMigrate: ((ModelContext) throws -> Void)?,
        didMigrate: ((ModelContext) throws -> Void)?
    )
}
