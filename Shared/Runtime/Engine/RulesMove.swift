import Glibc
package import STContracts
package import STStore

/// The move of people's rules from monitor-runner, which kept them up to version 0.6, to activity-center.
package enum RulesMove {
    /// In the table `meta` of activity-center, once it has the rules.
    package static let mark = "rules/moved"

    /// Reads the database of another service of the same system; nil where there is none.
    ///
    /// `name`: of the service that reads.
    package static func reading<Value>(
        _ service: ServiceName,
        from name: ServiceName,
        _ own: Database,
        _ read: (Database) throws -> Value
    ) throws -> Value? {
        // A service has a folder of its own. In a simulation all databases are in one folder.
        let path = own.path.split(separator: "/", omittingEmptySubsequences: false).map { part in
            switch part {
            case "\(name)": "\(service)"
            case "\(name).sqlite": "\(service).sqlite"
            default: String(part)
            }
        }.joined(separator: "/")
        // A backup that is put back at the next start of that service goes before what it replaces.
        let files: [String] = [path + ".restore", path]
        guard path != own.path, let found = files.first(where: { access($0, F_OK) == 0 }) else { return nil }
        let options = DatabaseOptions(readOnly: true, applicationID: own.options.applicationID)
        let database = try Database(path: found, options: options)
        defer { try? database.close() }
        return try read(database)
    }
}
