import STContracts
import STPlatform

/// Random texts and headers with all kinds of characters.
enum RandomText {
    static func text(_ random: inout RandomSource) -> String {
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int(random.next() % 12) {
            let range: UInt64 =
                switch random.next() % 6 {
                case 0: 0x20
                case 1, 2: 0x80
                case 3: 0x800
                case 4: 0x10000
                default: 0x110000
                }
            scalars.append(UnicodeScalar(UInt32(random.next() % range)) ?? "\"")
            if random.next() % 5 == 0 { scalars.append(contentsOf: "\\\"/".unicodeScalars) }
        }
        return String(scalars)
    }

    static func optional(_ random: inout RandomSource) -> String? {
        random.next() % 2 == 0 ? nil : text(&random)
    }

    static func number(_ random: inout RandomSource) -> Int64? {
        switch random.next() % 4 {
        case 0: nil
        case 1: [0, 1, -1, .min, .max][Int(random.next() % 5)]
        default: Int64(truncatingIfNeeded: random.next())
        }
    }

    static func header(_ random: inout RandomSource) -> RequestHeader {
        RequestHeader(
            v: number(&random) ?? 1,
            id: text(&random),
            route: text(&random),
            timeoutMs: number(&random),
            deadlineBootMs: number(&random),
            idempotencyKey: optional(&random),
            traceparent: optional(&random),
            cause: optional(&random)
        )
    }

    static func eventHeader(_ random: inout RandomSource) -> EventHeader {
        EventHeader(
            id: text(&random),
            source: text(&random),
            type: "usage.segment.closed",
            timeMs: Int64(random.next() % 4_000_000_000_000),
            subject: text(&random),
            schema: Int64(random.next() % 100),
            stream: StreamName(text(&random)),
            epoch: text(&random),
            sequence: Int64(random.next() >> 1),
            previous: optional(&random),
            traceparent: optional(&random),
            cause: optional(&random)
        )
    }
}
