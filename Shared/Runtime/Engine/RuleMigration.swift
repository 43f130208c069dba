import Glibc
package import STContracts
package import STStore

/// The move of people's rules to activity-center. Earlier versions kept them in monitor-runner.
package enum RuleMigration {
    /// The key in activity-center's table `meta`. It is set when the rules have been copied.
    package static let mark = "rules/moved"

    /// Reads the database of another service of the same system. Returns nil if there is none.
    ///
    /// `own`: the open database of the service that reads, `reader`. The path of the other database is derived from its path.
    package static func readDatabase<Value>(
        of service: ServiceName,
        nextTo own: Database,
        of reader: ServiceName,
        _ read: (Database) throws -> Value
    ) throws -> Value? {
        // Each service has its own folder. In a simulation, all databases are in one folder.
        let path = own.path.split(separator: "/", omittingEmptySubsequences: false).map { part in
            switch part {
            case "\(reader)": "\(service)"
            case "\(reader).sqlite": "\(service).sqlite"
            default: String(part)
            }
        }.joined(separator: "/")
        // If that service restores a backup at its next start, read the backup instead of the file that it replaces.
        let files: [String] = [path + ".restore", path]
        guard path != own.path, let found = files.first(where: { access($0, F_OK) == 0 }) else { return nil }
        let options = DatabaseOptions(readOnly: true, applicationID: own.options.applicationID)
        let database = try Database(path: found, options: options)
        defer { try? database.close() }
        return try read(database)
    }
}
