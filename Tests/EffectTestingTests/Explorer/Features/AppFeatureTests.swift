// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import TestSupport
import Testing

/// Features of apps, as a new user has written them, are complete at `timers` without a setting, and most of them at `deliveries`.
struct AppFeatureTests {
  @Test func `A messenger`() async {
    let post = Mock<Int, Void>(answering: { _ in })
    let mark = Mock<[Int], Void>(answering: { _ in })
    let next = Mock<Int, Messenger.Event?>(answering: { [.typing, .message(id: 100, text: "hi"), nil][$0] })

    let client = Messenger.Client(
      send: { id, _ in try await post(id) },
      incoming: {
        stream(of: next)
      },
      markRead: { try await mark($0) })

    let result = await explore(
      initialState: .init(), reducer: Messenger(client: client), options: .init(upTo: .deliveries)
    ) { script in
      script.send(.appeared)
      script.send(.sendTapped("hello"))
      script.send(.readTapped)
      script.send(.loggedOut)
    } always: { state in
      state.isLoggedIn || (state.messages.isEmpty && !state.isFriendTyping)
    } finally: { state in
      !state.isLoggedIn && state.messages.isEmpty
    }
    expectLevel(.deliveries, result)
  }

  @Test func `A library of photos`() async {
    let client = Photos.Client(
      thumbnail: Mock(answering: { "thumbnail \($0)" }).callAsFunction,
      fullImage: Mock(answering: { "image \($0)" }).callAsFunction,
      upload: Mock(answering: { _ in 9 }).callAsFunction,
      delete: Mock(answering: { _ in }).callAsFunction)

    let result = await explore(
      initialState: .init(photos: [1, 2, 3]), reducer: Photos(client: client), options: .init(upTo: .deliveries)
    ) { script in
      script.send(.appeared(1))
      script.send(.opened(2))
      script.send(.uploadTapped("cat"))
      script.send(.deleteTapped(2))
      script.send(.loggedOut)
    } always: { state in
      let ids = state.photos.map(\.id)
      let isOpen = state.opened.map(ids.contains) ?? (state.fullImage == nil)
      return Set(ids).count == ids.count && isOpen && (state.isLoggedIn || state == loggedOutPhotos)
    } finally: { state in
      state == loggedOutPhotos
    }
    expectLevel(.deliveries, result)
  }

  @Test func `A podcast`() async {
    let part = Mock<Double, Void>(answering: { _ in })
    let remember = Mock<Int, Void>(answering: { _ in })
    let client = Podcast.Client(
      download: { _, progress in
        try await part(0.5)
        progress(0.5)
        try await part(1)
        return "file"
      },
      play: { _, _ in for await _ in AsyncStream<Never>(Never.self, { _ in }) {} },
      position: { 42 },
      remember: { _, position in try await remember(position) })

    let result = await explore(
      initialState: .init(episode: 1), reducer: Podcast(client: client), options: .init(upTo: .deliveries)
    ) { script in
      script.send(.downloadTapped)
      script.send(.playTapped)
      script.send(.sleepTimerSet(minutes: 1))
      script.send(.closed)
    } always: { state in
      state.isOpen || (!state.isPlaying && !state.hasSleepTimer)
    } finally: { state in
      !state.isOpen && !state.isPlaying && state.download != .running(0) && state.download != .running(0.5)
    }
    expectLevel(.deliveries, result)
  }

  @Test func `A document`() async {
    let client = Document.Client(
      save: Mock(answering: { revision in
        if revision.version != 1 && revision.text == "b" { throw Document.Conflict() }
        return revision.version + 1
      }).callAsFunction,
      load: Mock(answering: { Document.Revision(text: "server", version: 7) }).callAsFunction)

    let result = await explore(
      initialState: .init(.init(text: "", version: 1)), reducer: Document(client: client),
      options: .init(upTo: .deliveries)
    ) { script in
      script.send(.edited("a"))
      script.send(.edited("b"))
      script.send(.reloadTapped)
      script.send(.closeTapped)
      script.send(.saveAndCloseTapped)
    } always: { state in
      state.problem != .conflict || state.phase != .closed
    } finally: { state in
      switch state.phase {
      case .open, .closing: false  // it was closed, and no save is under way
      case .asking: state.problem != nil  // only if the save has failed
      case .closed: !state.hasChanges
      }
    }
    expectLevel(.deliveries, result)
  }

  @Test func `A video player`() async {
    let load = Mock<String, Void>(answering: { _ in })
    let report = Mock<Int, VideoPlayer.Report?>(answering: { [.stalled, .resumed, .ended, nil][$0] })
    let client = VideoPlayer.Client(
      load: { try await load($0) },
      play: { _ in
        stream(of: report)
      })

    let result = await explore(
      initialState: .init(playlist: ["a", "b"]), reducer: VideoPlayer(client: client), options: .init(upTo: .deliveries)
    ) { script in
      script.send(.playTapped)
      script.send(.screenTapped)
      script.send(.nextTapped)
      script.send(.stopTapped)
    } always: { state in
      switch state.phase {
      case .playing, .buffering: state.loaded == state.video  // never the one before
      case .stopped: !state.showsControls
      case .loading, .failed: true
      }
    } finally: { state in
      state.phase == .stopped && !state.showsControls
    }
    expectLevel(.deliveries, result)
  }

  @Test func `The delivery of an order`() async {
    let place = Mock<String, Int>(answering: { _ in 7 })
    let cancel = Mock<Int, Void>(answering: { _ in })
    let step = Mock<Int, Delivery.Step?>(answering: { [.preparing, .delivered, nil][$0] })
    let client = Delivery.Client(
      place: { try await place($0) },
      track: { _ in
        stream(of: step)
      },
      cancel: { try await cancel($0) },
      rate: { _, _ in })

    let result = await explore(
      initialState: .init(), reducer: Delivery(client: client),
      faults: .anyOne(of: .fail(Delivery.Work.tracking), .fail(Delivery.Work.cancel)), options: .init(upTo: .deliveries)
    ) { script in
      script.send(.orderTapped("soup"))
      script.send(.cancelTapped)
      script.send(.reconnectTapped)
      script.send(.loggedOut)
    } always: { state in
      if case .cancelled = state.order, state.isStale || state.asksForRating { return false }
      return state.isLoggedIn || state == loggedOutDelivery
    } finally: { state in
      state == loggedOutDelivery
    }
    expectLevel(.deliveries, result)
  }
}

private let loggedOutPhotos: Photos.State = {
  var state = Photos.State()
  state.isLoggedIn = false
  return state
}()

private let loggedOutDelivery: Delivery.State = {
  var state = Delivery.State()
  state.isLoggedIn = false
  return state
}()
