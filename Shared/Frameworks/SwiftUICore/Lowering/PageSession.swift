/// All evaluations of one page: what is kept between them.
@MainActor
final class PageSession {
    let root = ViewPlace()
    let properties = PropertyBinder()
    let controls = ControlBook()
    /// What is to be done when an evaluation is over.
    var actions: [@MainActor () -> Void] = []
    var tasks: [PageTask] = []
    var title: String?
}
