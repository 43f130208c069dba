/// What has been opened and must be closed after a node.
struct HTMLOpen {
    let end: Int
    let close: String
    var context: HTMLContext
    /// What comes after it: the tables of charts in it that had no room inside.
    var tables: String
}
