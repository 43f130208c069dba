import STContracts
import STPlatform
import STTestSupport

/// Makes hostile messages from valid ones.
struct MessageMutator {
    private let valid: [[[UInt8]]]
    private var random: SeededRandom

    init(_ valid: [[[UInt8]]], random: SeededRandom) {
        self.valid = valid
        self.random = random
    }

    /// Returns a message that is never empty and within the socket's limit.
    mutating func next() -> [[UInt8]] {
        var frames = random.pick(valid) ?? [[]]
        for _ in 0..<random.number(1...3) { mutate(&frames) }
        if random.chance(percent: 20) { frames.insert([], at: 0) }
        // A repetition may have made a frame larger than the socket accepts, and would receive no reply.
        return frames.map { Array($0.prefix(Int(BusLimits.socketBytes))) }
    }

    private mutating func mutate(_ frames: inout [[UInt8]]) {
        let index = random.number(0...(frames.count - 1))
        switch random.number(0...13) {
        case 0, 1: flipBits(&frames[index])
        case 2: frames[index] = Array(frames[index].prefix(random.number(0...frames[index].count)))
        case 3: frames.append(random.bytes(random.number(0...64)))
        case 4: frames += Array(repeating: [], count: random.number(1...8))
        case 5: frames[index] = []
        case 6: frames[index] = nested()
        case 7: replaceNumbers(&frames[index])
        case 8: insert([0xC3, 0x28, 0xED, 0xA0, 0x80, 0xFF], into: &frames[index])
        case 9: frames[index] = random.bytes(random.number(0...2000))
        case 10: large(&frames, at: index)
        case 11: frames.swapAt(0, index)
        case 12: insert(Array("\\u0000\\ud800\\\"".utf8), into: &frames[index])
        default: repeatPart(&frames[index])
        }
    }

    private mutating func flipBits(_ frame: inout [UInt8]) {
        guard !frame.isEmpty else { return }
        for _ in 0..<random.number(1...4) {
            frame[random.number(0...(frame.count - 1))] ^= UInt8(1) << UInt8(random.number(0...7))
        }
    }

    private mutating func insert(_ bytes: [UInt8], into frame: inout [UInt8]) {
        frame.insert(contentsOf: bytes, at: random.number(0...frame.count))
    }

    /// Returns nested lists or objects, beyond the depth limit or just within it, closed or not.
    private mutating func nested() -> [UInt8] {
        let depth = random.pick([31, 32, 33, 1000, 60_000]) ?? 33
        let isObject = random.chance(percent: 50)
        let opening = isObject ? Array(#"{"a":"#.utf8) : Array("[".utf8)
        var bytes = Array(#"{"a":"#.utf8)
        for _ in 0..<depth { bytes += opening }
        guard random.chance(percent: 50) else { return bytes }
        bytes += Array("1".utf8)
        for _ in 0..<depth { bytes.append(UInt8(ascii: isObject ? "}" : "]")) }
        return bytes + Array("}".utf8)
    }

    /// Replaces numbers by extreme values.
    private mutating func replaceNumbers(_ frame: inout [UInt8]) {
        let edges = [
            "9223372036854775807", "-9223372036854775808", "9223372036854775808", "-1", "0", "1e308", "1e400",
            "4503599627370495", "-4503599627370495", "99999999999999999999999999999999", "0.1", "-0", "null",
        ]
        var result: [UInt8] = []
        var isInNumber = false
        for byte in frame {
            // Only after a colon, so that names and identifiers keep their digits.
            let isDigit = byte >= 0x30 && byte <= 0x39 || byte == 0x2D
            if isInNumber && isDigit { continue }
            isInNumber = isDigit && result.last == UInt8(ascii: ":")
            if isInNumber && random.chance(percent: 70) {
                result += Array((random.pick(edges) ?? "0").utf8)
            } else {
                isInNumber = false
                result.append(byte)
            }
        }
        frame = result
    }

    /// Returns frames at the limits of a body and of the socket, never beyond the latter.
    private mutating func large(_ frames: inout [[UInt8]], at index: Int) {
        guard random.chance(percent: 15) else { return flipBits(&frames[index]) }
        let size = random.pick([
            BusLimits.headerBytes, BusLimits.headerBytes + 1, BusLimits.requestBodyBytes - 8,
            BusLimits.requestBodyBytes, BusLimits.requestBodyBytes + 1, Int(BusLimits.socketBytes),
        ])
        let text =
            random.chance(percent: 50) ? Array(repeating: UInt8(ascii: "x"), count: 8) : random.bytes(8)
        var bytes = Array(#"{"a":""#.utf8)
        let wanted = (size ?? 4096) - 2
        while bytes.count + text.count <= wanted { bytes += text }
        bytes += Array(repeating: UInt8(ascii: "y"), count: max(0, wanted - bytes.count))
        frames[index] = bytes + Array(#""}"#.utf8)
    }

    private mutating func repeatPart(_ frame: inout [UInt8]) {
        guard !frame.isEmpty else { return }
        let start = random.number(0...(frame.count - 1))
        let end = random.number(start...(frame.count - 1))
        frame.insert(contentsOf: frame[start...end], at: start)
    }
}
