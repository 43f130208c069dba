/// What is around a node while it is written.
struct HTMLContext {
    enum Room {
        case column, row, layer, rows, over, behind
    }

    var room: Room
    var ground: HTMLGround
    /// Around one thing, not several below each other.
    var isBox = false
    /// How high a frame around wants to be: a chart is as high.
    var height: Double?
    /// What a picture of letters says in their stead: those who listen hear nothing more.
    var isSilent = false
    /// How a row or layer is aligned that wraps its things.
    var align = ""
    /// How many of its things have been written.
    var count = 0
}
