import STBus
import STContracts
import STEngine
import STPlatform

/// The rules of one service over a database of its own, without a process, whatever its state is.
protocol CoreServing: AnyObject {
    var name: ServiceName { get }
    var streams: [StreamName] { get }
    /// The streams it follows.
    var followed: [(source: ServiceName, stream: StreamName)] { get }

    /// What must be asked before a request can be answered, after what was asked already.
    func question(_ route: String, _ body: [UInt8], _ prepared: [String: [UInt8]]) throws -> (
        source: PreparationSource, route: String, body: [UInt8]
    )?

    /// What a request led to; a refusal is thrown.
    func answer(_ request: AdmittedRequest) throws -> (body: [UInt8], events: [WireEvent])

    /// What a stream that it follows led to.
    func apply(_ events: [WireEvent], _ subscription: Int) throws -> [WireEvent]

    /// As after a power cut: all that it knows comes from its database.
    func restart() throws

    func close()
}
