public import Foundation
import STFoundationTypes

/// The location and access mode of a store.
public struct ModelConfiguration: Sendable, Hashable {
    public struct GroupContainer: Sendable, Hashable {
        let group: String?

        /// The folder of the app, shared with its extensions.
        public static let automatic = GroupContainer(group: nil)
        public static let none = GroupContainer(group: nil)

        public static func identifier(_ group: String) -> GroupContainer { GroupContainer(group: group) }
    }

    /// A CloudKit database. It has no effect, because there is no cloud.
    public struct CloudKitDatabase: Sendable, Hashable {
        public static let automatic = CloudKitDatabase()
        public static let none = CloudKitDatabase()

        public static func `private`(_ container: String) -> CloudKitDatabase { CloudKitDatabase() }
    }

    public let name: String
    public let url: URL
    public let isStoredInMemoryOnly: Bool
    public let allowsSave: Bool

    public init(
        _ name: String? = nil,
        schema: Schema? = nil,
        isStoredInMemoryOnly: Bool = false,
        allowsSave: Bool = true,
        groupContainer: GroupContainer = .automatic,
        cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        self.name = name ?? "default"
        (self.isStoredInMemoryOnly, self.allowsSave) = (isStoredInMemoryOnly, allowsSave)
        url =
            isStoredInMemoryOnly
            ? URL(filePath: "/dev/null") : Self.folder(groupContainer).appending(path: "\(self.name).store")
    }

    public init(
        _ name: String? = nil,
        schema: Schema? = nil,
        url: URL,
        allowsSave: Bool = true,
        cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        (self.name, self.url, self.allowsSave) = (name ?? "default", url, allowsSave)
        isStoredInMemoryOnly = false
    }

    @_disfavoredOverload
    public init(for types: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
        self.init(isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    private static func folder(_ container: GroupContainer) -> URL {
        do {
            guard let folders = StateFolders.current else { return FileManager.default.temporaryDirectory }
            let folder = try container.group.map(folders.group) ?? folders.app(AppIdentity.current.app)
            return URL(filePath: "\(folder)/Library/Application Support", directoryHint: .isDirectory)
        } catch {
            FrameworkLog.storage.error("SwiftData: \(error)")
            return FileManager.default.temporaryDirectory
        }
    }
}

/// A store of models, shared by an app and its extensions.
public final class ModelContainer: @unchecked Sendable {
    // @unchecked: everything except the main actor's context is set once, and a lock guards the file.
    public let schema: Schema
    public let configurations: Set<ModelConfiguration>
    let file: ModelFile
    @MainActor public private(set) lazy var mainContext: ModelContext = {
        let context = ModelContext(self)
        context.autosaveEnabled = true
        return context
    }()

    public init(
        for schema: Schema,
        migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: [ModelConfiguration] = []
    ) throws {
        let configuration = configurations.first ?? ModelConfiguration()
        if configurations.count > 1 {
            FrameworkLog.withoutEffect("another ModelConfiguration than the first", "SwiftData")
        }
        for stage in migrationPlan?.stages ?? [] {
            if case .custom = stage { FrameworkLog.withoutEffect("MigrationStage.custom", "SwiftData") }
        }
        self.schema = schema
        self.configurations = [configuration]
        file = try ModelFile(configuration, schema)
    }

    public convenience init(
        for schema: Schema,
        migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws { try self.init(for: schema, migrationPlan: migrationPlan, configurations: configurations) }

    public convenience init(
        for types: any PersistentModel.Type...,
        migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: Schema(types), migrationPlan: migrationPlan, configurations: configurations)
    }

    public func deleteAllData() {
        do { for type in schema.types { try file.run("DELETE FROM \(ModelFile.quoted(type.entity))") } } catch
        {
            FrameworkLog.storage.error("SwiftData: \(error)")
        }
    }

    public func erase() throws { deleteAllData() }
}
