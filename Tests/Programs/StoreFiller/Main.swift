import STPlatform
import STStore

/// Writes notes into a database until one is rejected. Prints the number of stored notes, and the code of the rejection.
@main
enum Main {
    private static let notesMax = 10_000

    static func main() throws {
        let database = try Database(
            path: CommandLine.arguments.last ?? "",
            options: DatabaseOptions(applicationID: 0x5354_0001)
        )
        try database.execute("CREATE TABLE notes (number INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT")
        let text = String(repeating: "x", count: 2_000)
        for number in 0..<notesMax {
            do {
                try database.transaction {
                    try database.execute("INSERT INTO notes VALUES (\(number), '\(text)')")
                }
            } catch {
                let left = try database.query("SELECT count(*) FROM notes") { try $0.int(0) }
                return print("\((error as? Problem)?.code ?? "\(error)") \(number) \(left.first ?? -1)")
            }
        }
        print("none \(notesMax) \(notesMax)")
    }
}
