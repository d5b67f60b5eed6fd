// Programs that import this module need the types in its interface, without an import of the module that declares them.
@_exported public import FormProtocol
@_exported public import JSON
