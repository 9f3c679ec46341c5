import LayoutSessions

extension ServiceError: SessionsFailure {
  init(_ error: SessionsError) {
    self =
      switch error {
      case .noSuchLayout: .noSuchLayout
      case .tooLarge(let bytes, let limit): .layoutTooLarge(bytes: bytes, limit: limit)
      case .impossible(.refused(let refusal)): .undecodable(.refused(refusal))
      case .impossible(let error): .impossibleView(error)
      case .tooManyItems(let limit): .undecodable(.tooManyItems(limit: limit))
      case .unavailable(let trouble): .storeUnavailable(trouble)
      case .tooLong(let bytes, let limit): .collectionTooLong(bytes: bytes, limit: limit)
      }
  }
}
