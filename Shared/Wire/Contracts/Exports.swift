// A payload cannot be used without its headers and JSON, so importing the contracts also imports STWire.
@_exported public import STWire
