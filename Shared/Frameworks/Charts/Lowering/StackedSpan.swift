/// From where to where a bar or an area goes.
struct StackedSpan: Equatable {
    enum Form {
        /// Its value says it.
        case asItIs
        /// Its value on the page is how long it is.
        case size
        /// The page has both ends.
        case interval
    }

    var from: Double
    var to: Double
    var form: Form
}
