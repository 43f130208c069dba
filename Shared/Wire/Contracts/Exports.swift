// A payload cannot be used without its headers and JSON, so importing the contracts brings them too.
@_exported public import STWire
