/// What an entry starts, looked up on this computer when the entry was read.
package struct AppStart: Sendable, Equatable {
    /// The last part of what the entry names.
    package var name: String
    /// What that is a link to, where it is one to something of another name.
    package var realName: String?
    /// Where it is really, unless that is a folder that many programs share.
    package var folder: String?
    /// What runs it, where it is no program by itself.
    package var interpreter: String?
    package var steamGame: String?
    package var isWebApp: Bool
    /// It begins with `#!`: what its process is in the end is another program.
    package var isScript = false
}
