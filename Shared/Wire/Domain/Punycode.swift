/// The ASCII form of names in other scripts (RFC 3492), one label at a time.
enum Punycode {
    private static let base: UInt32 = 36
    private static let initialBias: UInt32 = 72
    private static let initialN: UInt32 = 128

    /// Encodes a label. `nil` if a number overflows.
    static func encode(_ label: [Unicode.Scalar]) -> String? {
        var output = label.filter(\.isASCII).map { UInt8($0.value) }
        let basic = UInt32(output.count)
        if basic > 0 { output.append(UInt8(ascii: "-")) }
        var n = initialN
        var delta: UInt32 = 0
        var bias = initialBias
        var handled = basic
        while handled < UInt32(label.count) {
            guard let next = label.map(\.value).filter({ $0 >= n }).min() else { return nil }
            let (step, overflows) = (next - n).multipliedReportingOverflow(by: handled + 1)
            let (sum, overflowsToo) = delta.addingReportingOverflow(step)
            guard !overflows, !overflowsToo else { return nil }
            delta = sum
            n = next
            for scalar in label {
                if scalar.value < n { delta += 1 }
                guard scalar.value == n else { continue }
                var rest = delta
                var k = base
                while true {
                    let threshold = Self.threshold(k, bias)
                    if rest < threshold { break }
                    output.append(digit(threshold + (rest - threshold) % (base - threshold)))
                    rest = (rest - threshold) / (base - threshold)
                    k += base
                }
                output.append(digit(rest))
                bias = adapt(delta, handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            n += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Decodes a label. `nil` if no label has this encoding.
    static func decode(_ text: String) -> [Unicode.Scalar]? {
        let bytes = Array(text.utf8)
        let dash = bytes.lastIndex(of: UInt8(ascii: "-"))
        var output = bytes[..<(dash ?? 0)].map { UInt32($0) }
        var n = initialN
        var index: UInt32 = 0
        var bias = initialBias
        var input = bytes[(dash.map { $0 + 1 } ?? 0)...]
        while !input.isEmpty {
            let before = index
            var weight: UInt32 = 1
            var k = base
            while true {
                guard let digit = input.popFirst().flatMap(value) else { return nil }
                let (step, overflows) = digit.multipliedReportingOverflow(by: weight)
                let (sum, overflowsToo) = index.addingReportingOverflow(step)
                guard !overflows, !overflowsToo else { return nil }
                index = sum
                let threshold = Self.threshold(k, bias)
                if digit < threshold { break }
                let (next, isTooMuch) = weight.multipliedReportingOverflow(by: base - threshold)
                guard !isTooMuch else { return nil }
                weight = next
                k += base
            }
            let count = UInt32(output.count) + 1
            bias = adapt(index - before, count, isFirst: before == 0)
            n += index / count
            index %= count
            guard n >= initialN, Unicode.Scalar(n) != nil else { return nil }
            output.insert(n, at: Int(index))
            index += 1
        }
        return output.compactMap(Unicode.Scalar.init)
    }

    private static func threshold(_ k: UInt32, _ bias: UInt32) -> UInt32 {
        k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias
    }

    private static func adapt(_ delta: UInt32, _ count: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var k: UInt32 = 0
        while delta > 455 {
            delta /= 35
            k += base
        }
        return k + 36 * delta / (delta + 38)
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        UInt8(value < 26 ? value + 97 : value + 22)
    }

    private static func value(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 97...122: UInt32(byte) - 97
        case 65...90: UInt32(byte) - 65
        case 48...57: UInt32(byte) - 22
        default: nil
        }
    }
}
