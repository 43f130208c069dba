/// Something that keeps the desktop from being idle, such as a film.
package struct IdleInhibitor: Sendable, Hashable {
    package var who: String
    package var why: String
    /// Of the program that asked for it: often one of the desktop's own, which asks for others.
    package var pid: Int32?

    package init(who: String, why: String, pid: Int32? = nil) {
        self.who = who
        self.why = why
        self.pid = pid
    }
}
