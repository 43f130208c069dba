import STContracts
import STEngine

extension RequestContext {
    /// What led to a request: the delivery that an extension asks from, else the request itself.
    var cause: String { header.cause ?? header.id }
}
