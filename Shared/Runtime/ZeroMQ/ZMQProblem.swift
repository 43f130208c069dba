import STCZeroMQ
import STPlatform

/// libzmq's errors in our words.
enum ZMQProblem {
    static func last(_ call: String) -> Problem {
        let number = zmq_errno()
        let text = zmq_strerror(number).map { String(cString: $0) } ?? "error \(number)"
        return Problem("bus.socket_failed", "\(call) failed: \(text)", details: ["errno": String(number)])
    }
}
