import Glibc
import STPlatform
import STStore

/// A directory of one test, removed with it.
final class Scratch {
    static let applicationID: Int32 = 0x5354_0001

    let path: String

    init() throws {
        var template = Array("/tmp/st-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last("mkdtemp") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        if let directory = opendir(path) {
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                unlink(path + "/" + name)
            }
            closedir(directory)
        }
        rmdir(path)
    }

    func file(_ name: String = "test.db") -> String { path + "/" + name }

    func open(
        _ name: String = "test.db",
        readOnly: Bool = false,
        applicationID: Int32 = Scratch.applicationID,
        vfs: String? = nil
    ) throws -> Database {
        let options = DatabaseOptions(readOnly: readOnly, applicationID: applicationID, vfs: vfs)
        return try Database(path: file(name), options: options)
    }

    /// A database with the tables that all have, and one of the test's own.
    func migrated(_ name: String = "test.db", vfs: String? = nil) throws -> Database {
        let database = try open(name, vfs: vfs)
        try database.migrate(StoreMigrations.base + [Self.notes])
        return database
    }

    func read(_ name: String) -> [UInt8] {
        let descriptor = Glibc.open(file(name), O_RDONLY)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
        pread(descriptor, &bytes, bytes.count, 0)
        return bytes
    }

    func write(_ name: String, _ bytes: [UInt8]) {
        let descriptor = Glibc.open(file(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        Glibc.write(descriptor, bytes, bytes.count)
        close(descriptor)
    }

    /// The files as a killed process leaves them.
    func copyAsIfKilled(_ name: String, to copy: String) {
        write(copy, read(name))
        write(copy + "-wal", read(name + "-wal"))
    }

    static let notes = Migration(
        name: "notes",
        sql: "CREATE TABLE notes(batch INTEGER NOT NULL, text TEXT NOT NULL) STRICT"
    )
}

/// The code of the problem that a closure ends with.
func code(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        return (error as? Problem)?.code ?? "\(error)"
    }
}

extension Database {
    func note(_ batch: Int, _ text: String = "note") throws {
        try run("INSERT INTO notes(batch, text) VALUES (?, ?)", [SQLValue(batch), .text(text)])
    }

    func notes() throws -> [Int] {
        try query("SELECT batch FROM notes ORDER BY rowid") { Int(try $0.int(0)) }
    }

    func pragma(_ name: String) throws -> Int64? { try first("PRAGMA \(name)") { try $0.int(0) } }
}
