import STContracts

/// A page as lines of text.
package enum PageTerminal {
}
