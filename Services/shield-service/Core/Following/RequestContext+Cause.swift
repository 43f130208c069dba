import STContracts
import STEngine

extension RequestContext {
    /// What led to a request: the delivery that an extension asks from; nil where somebody asked by themself.
    var cause: String? { header.cause }
}
