// A payload cannot be used without its headers and JSON, so whoever has the contracts has them too.
@_exported public import STWire
