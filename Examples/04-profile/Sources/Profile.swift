// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// Shows a person and, when the person is loaded, the photo. Start reading here: this is all the logic there is.
struct Profile: Reducer {
  /// The loaded data. Whether something is loading is not a part of it: the store reports what runs.
  struct State: Equatable, Sendable {
    var person: Person?
    var photo: Photo?
    var problem: String?
  }

  enum Action: Equatable, Sendable {
    // From the user.
    case appeared
    case reloadTapped
    case cancelTapped
    case left
    // From the server.
    case personLoaded(Person)
    case photoLoaded(Photo)
    case failed(String)
  }

  /// The ids of the runs.
  enum Work: Hashable, Sendable {
    case person
    case photo
  }

  /// The requests to the server. A dependency is a stored property, so that tests can replace it.
  var person: @Sendable () async throws -> Person
  var photo: @Sendable (Person) async throws -> Photo

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared, .reloadTapped:
      // `drop`: a person who is being loaded is not requested again.
      return .run(id: Work.person, overlap: .drop) { [person] send in
        send(.personLoaded(try await person()))
      } catch: { error, send in
        send(.failed("\(error)"))
      }
    case .cancelTapped:
      return .cancel(ids: [Work.person, .photo])
    case .left:
      return .cancel(.everything)

    case .personLoaded(let loaded):
      state = State(person: loaded)
      // `restart`: of two persons, only the photo of the newer one is needed.
      return .run(id: Work.photo, overlap: .restart, input: loaded) { [photo] person, send in
        send(.photoLoaded(try await photo(person)))
      } catch: { error, send in
        send(.failed("\(error)"))
      }
    case .photoLoaded(let photo):
      state.photo = photo
      return .none
    case .failed(let problem):
      state.problem = problem
      return .none
    }
  }
}

struct Person: Hashable, Sendable {
  let name: String
}

struct Photo: Equatable, Sendable {
  let face: String
}
