// Who imports this module needs the types that it hands out, and should not have to know where they are declared.
@_exported public import FormProtocol
@_exported public import JSON
