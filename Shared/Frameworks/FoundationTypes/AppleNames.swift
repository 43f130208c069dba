/// Objective-C's name for a whole number.
public typealias NSInteger = Int

/// Objective-C's name for a whole number that is not negative.
public typealias NSUInteger = UInt

/// Runs the closure; there is no pool to drain on Linux.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
