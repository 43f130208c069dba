package import STContracts
package import STPlatform

// Steps that the service takes by itself. Nobody may call them over the bus: they have no role at all.

/// A callback that could be made now, or the reason why not.
package struct NextDelivery: WireBody, Codable, Equatable {
    package var number: Int64
    package var app: String
    package var member: String
    package var refusal: Problem?
}

package enum DeliveryNext: Route {
    package struct Request: WireBody, Codable {
        /// Apps that are served at this moment, or whose turn is not yet.
        package var except: [String]
        /// Only the very first of all, because all happens in one order (a virtual clock).
        package var isSingle: Bool

        package init(except: [String], isSingle: Bool) {
            self.except = except
            self.isSingle = isSingle
        }
    }

    package struct Reply: WireBody, Codable {
        package var deliveries: [NextDelivery]
    }

    package static let name = "monitor.delivery.next"
    package static let kind = RouteKind.query
    package static let access: Access = []
    package static let summary = "The first callback of every app that is not served at this moment."
}

/// A callback that is being made from now on.
package struct ClaimedDelivery: WireBody, Codable, Equatable {
    package var delivery: Delivery
    /// Nil for the built-in rules.
    package var executable: String?
}

package enum DeliveryBegin: Route {
    package struct Request: WireBody, Codable {
        package var numbers: [Int64]

        package init(numbers: [Int64]) { self.numbers = numbers }
    }

    package struct Reply: WireBody, Codable {
        package var claimed: [ClaimedDelivery]
    }

    package static let name = "monitor.delivery.begin"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Writes down that an attempt is made, before it is."
}

package enum DeliveryFinish: Route {
    package struct Request: WireBody, Codable {
        package var number: Int64
        package var attempt: Int64
        package var result: DeliveryResult

        package init(number: Int64, attempt: Int64, result: DeliveryResult) {
            self.number = number
            self.attempt = attempt
            self.result = result
        }
    }

    package struct Reply: WireBody, Codable {
        package var state: DeliveryState
        /// How long to wait before the next attempt.
        package var againAfterMs: Int64?
    }

    package static let name = "monitor.delivery.finish"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Writes down how an attempt went."
}

/// For what cannot be tried at all.
package enum DeliveryPark: Route {
    package struct Request: WireBody, Codable {
        package var number: Int64
        package var problem: Problem

        package init(number: Int64, problem: Problem) {
            self.number = number
            self.problem = problem
        }
    }

    package typealias Reply = Empty

    package static let name = "monitor.delivery.park"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Parks a callback that may not be made."
}

package enum DebugNote: Route {
    package struct Request: WireBody, Codable {
        package var app: String
        /// Nil: it has ended.
        package var pid: Int64?

        package init(app: String, pid: Int64?) {
            self.app = app
            self.pid = pid
        }
    }

    package typealias Reply = Empty

    package static let name = "monitor.debug.note"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Says which process waits for a debugger."
}

/// What is to be started for a debugger.
package enum DebugWanted: Route {
    package struct Target: WireBody, Codable, Equatable {
        package var app: String
        package var member: String
        package var executable: String
        package var pid: Int64?
    }

    package typealias Request = Empty

    package struct Reply: WireBody, Codable {
        package var targets: [Target]
    }

    package static let name = "monitor.debug.wanted"
    package static let kind = RouteKind.read
    package static let access: Access = []
    package static let summary = "The monitors that are to wait for a debugger."
}
