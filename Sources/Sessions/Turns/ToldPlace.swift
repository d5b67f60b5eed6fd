internal import Forms
public import JSON
internal import Texts

/// A place whose value has changed without the client that shows it. The client gets its current value.
public enum ToldPlace: Hashable, Sendable {
  /// A field of the form (0), or of the row of that identity, with everything inside it.
  case field(Int, row: Int)
  /// A top-level member that is not a field.
  case member(String)

  // Names are bytes: two names that differ only in their normal form are different.
  public static func == (left: ToldPlace, right: ToldPlace) -> Bool {
    switch (left, right) {
    case (.field(let a, let row), .field(let b, let other)): a == b && row == other
    case (.member(let a), .member(let b)): a.hasSameUTF8(as: b)
    default: false
    }
  }

  /// A field of an instance.
  init(_ field: Int, in instance: Instance) { self = .field(field, row: instance.rowID) }

  init(_ place: Place) { self.init(place.field, in: place.instance) }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .field(let field, let row):
      hasher.combine(field)
      hasher.combine(row)
    case .member(let name): hasher.combine(UTF8Key(text: name))
    }
  }
}

/// A place that a client's input has given another value. The clients that share the session get its current value.
package struct GivenPlace {
  /// The place.
  package let place: ToldPlace
  /// The sender of the input, from ``Engine/sender``.
  package let sender: Int32
}

extension Session {
  /// The places that contain a place, and the place itself, which comes first.
  package func placesAround(_ place: ToldPlace) -> [ToldPlace] {
    guard case .field(let field, let row) = place, let instance = instance(of: row) else { return [place] }
    var places: [ToldPlace] = []
    var next: Place? = Place(field, in: instance)
    while let place = next {
      places.append(ToldPlace(place.field, in: place.instance))
      next = place.around
    }
    return places
  }

  /// The fields that are being edited, or will be edited when their delayed changes take effect. For tests.
  package var editedPlaces: [ToldPlace] {
    var places: [ToldPlace] = []
    forEachPlace { place in
      let isEdited = place.state.pointee.flags.contains(.isEditing)
      if isEdited || place.instance.own?.delays[place.field]?.held != nil { places.append(ToldPlace(place)) }
    }
    return places
  }

  /// The current values of some places: values by address, and the addresses of places without a value. A place that
  /// holds a secret is in neither. The values go to the client.
  public func told(_ places: some Sequence<ToldPlace>) -> (values: JSONObject, absent: [String]) {
    var values = JSONObject()
    var absent: [String] = []
    for place in places {
      let address: String
      let value: JSON?
      let isSecret: Bool
      switch place {
      case .field(let field, let row):
        // A row that has gone since is sent with its list.
        guard let instance = instance(of: row) else { continue }
        address = instance.address(of: field)
        value = instance.value(of: field, .told)
        isSecret = form.fields[field].isSecret && instance.value(of: field) != nil
      case .member(let name):
        address = JSONPointer(tokens: [name]).address
        isSecret = form.units[0].areOthersSecret
        value = isSecret ? nil : extras?.others.now?[name]
      }
      if let value { values[address] = value } else if !isSecret { absent.append(address) }
    }
    return (values, absent)
  }
}
